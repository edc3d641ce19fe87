"""What sets lost frames apart from those that came: rules about their properties that hold for each of them.

A rule counts only if it is no coincidence: were frames lost by chance, it would hold once in a million times.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import comb, log2

BITS = 20.0
"""log2 of a million: so unlikely it must be that a rule holds by chance."""
MOST_RUNS = 3
"""More ranges than that are no rule that somebody would have written."""
LEAST_STEPS = 5


def whole_values(column: Sequence[int], lost: Sequence[bool]) -> set[int] | None:
    """Values of which all frames are lost, if of all others none are; None: that isn't so, or may be chance.

    Chance: each further frame of a value shares its first one's fate.
    """
    fates = _fates(column, lost)
    if fates is None:
        return None
    gone = {value for value, fate in fates.items() if fate}
    n_lost, n_came = sum(lost), len(lost) - sum(lost)
    share = n_lost / len(lost)
    bits = (n_lost - len(gone)) * -log2(share) + (n_came - (len(fates) - len(gone))) * -log2(1 - share)
    return gone if bits >= BITS else None


def ranges(column: Sequence[int], lost: Sequence[bool]) -> list[tuple[int, int]] | None:
    """Up to MOST_RANGES ranges of values, first and last, that hold all lost frames and no other; None: there are none.

    Chance: so few runs of lost ones in the order of values.
    """
    fates = _fates(column, lost)
    if fates is None:
        return None
    runs: list[tuple[int, int]] = []
    before = False
    for value in sorted(fates):
        if fates[value]:
            runs = [*runs[:-1], (runs[-1][0], value)] if before else [*runs, (value, value)]
        before = fates[value]
        if len(runs) > MOST_RUNS:
            return None
    n, gone = len(fates), sum(fates.values())
    as_few_runs = sum(comb(gone - 1, k - 1) * comb(n - gone + 1, k) for k in range(1, len(runs) + 1))
    return runs if log2(comb(n, gone)) - log2(as_few_runs) >= BITS else None


def every(lost: Sequence[bool]) -> tuple[int, int] | None:
    """`(3, 0)`: every third frame from the first one on is lost and no other; None: it isn't so."""
    at = [position for position, gone in enumerate(lost) if gone]
    steps = {after - before for before, after in pairwise(at)}
    if len(at) <= LEAST_STEPS or len(steps) != 1:
        return None
    step = steps.pop()
    return (step, at[0]) if step > 1 and at[0] < step and len(lost) - at[-1] <= step else None


def most_of_each(
    groups: Sequence[int], order: Sequence[int], lost: Sequence[bool], *, latest: bool = False
) -> int | None:
    """Of each group the first so many of `order` came, or the latest, and no others; None: it isn't so.

    Chance: so many arrangements there are in a group of as many that are lost.
    """
    members: dict[int, dict[int, bool]] = {}
    for group, position, gone in zip(groups, order, lost, strict=True):
        if members.setdefault(group, {}).setdefault(position, gone) != gone:
            return None
    most, bits = 0, 0.0
    for fates in members.values():
        kept = [not fates[position] for position in sorted(fates, reverse=latest)]
        came = sum(kept)
        if not all(kept[:came]):
            return None
        if came < len(kept):
            if most not in (0, came):
                return None
            most = came
            bits += log2(comb(len(kept), came))
    if any(len(fates) > most and not any(fates.values()) for fates in members.values()):
        return None
    return most if most and len(members) > 1 and bits >= BITS else None


def _fates(column: Sequence[int], lost: Sequence[bool]) -> dict[int, bool] | None:
    """Whether a value's frames are lost; None if some of one value are and others not, or all, or none."""
    fates: dict[int, bool] = {}
    for value, gone in zip(column, lost, strict=True):
        if fates.setdefault(value, gone) != gone:
            return None
    return fates if len(set(fates.values())) > 1 else None
