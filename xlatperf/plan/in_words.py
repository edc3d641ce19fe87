"""A plan for people: numbers between a least and a most, and times in the unit that they are thought of."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.keys.in_words import significant
from xlatperf.plan.cells import Asked

_UNITS = {"days": 86_400.0, "h": 3_600.0, "min": 60.0}
"""In s; from twice that on."""


def time_in_words(seconds: float) -> str:
    """`40 s`, `12 min`, `3.4 h`, `4.2 days`."""
    for unit, length_s in _UNITS.items():
        if seconds >= 2 * length_s:
            return f"{significant(seconds / length_s, 2)} {unit}"
    return f"{significant(seconds, 2)} s"


def trials_between(asked: Sequence[Asked]) -> str:
    """`3`, `1 to 12`."""
    least, most = _ends([one.trials for one in asked])
    return f"{least:,.0f}" if least == most else f"{least:,.0f} to {most:,.0f}"


def time_between(asked: Sequence[Asked]) -> str:
    """`9 s`, `1 s to 33 s`."""
    least, most = (time_in_words(end) for end in _ends([one.seconds for one in asked]))
    return least if least == most else f"{least} to {most}"


def _ends(numbers: Sequence[float]) -> tuple[float, float]:
    return min(numbers), max(numbers)
