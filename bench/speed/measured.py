"""What was measured, row by row, and how rows compare."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Measured:
    """Of one row. `of`, `plain_loop`, `testpmd`: rows that it's compared with, the first for its target. `cycles[i]`:
    of each frame, in round i; None: it didn't take part. `verified`: all frames were right."""

    name: str
    of: str | None
    at_most: float | None
    plain_loop: str | None = None
    testpmd: str | None = None
    cycles: list[float | None] = field(default_factory=list)
    verified: bool = True

    @property
    def taken(self) -> list[float]:
        """Those that were measured."""
        return [one for one in self.cycles if one is not None]

    @property
    def best(self) -> float:
        """NaN if it never took part."""
        return min(self.taken, default=float("nan"))

    @property
    def median(self) -> float:
        """NaN if it never took part."""
        return statistics.median(self.taken) if self.taken else float("nan")


@dataclass(frozen=True)
class Ratio:
    """To another row. `best`: of the best rounds of each. `median`: of the ratios within one round, which meet the same
    disturbances."""

    best: float
    median: float


def ratio(one: Measured, other: Measured) -> Ratio | None:
    """None if they were never measured in the same round."""
    pairs = [(a, b) for a, b in zip(one.cycles, other.cycles, strict=True) if a is not None and b is not None]
    if not pairs:
        return None
    return Ratio(one.best / other.best, statistics.median(a / b for a, b in pairs))


def within(measured: Measured, found: Ratio | None) -> bool | None:
    """Whether the best ratio is as low as it is to be; None: nothing is demanded, or nothing was measured."""
    if measured.at_most is None or found is None:
        return None
    return found.best <= measured.at_most


def as_document(measured: Measured, rows: Mapping[str, Measured]) -> dict[str, Any]:
    """For JSON."""
    of = ratio(measured, rows[measured.of]) if measured.of is not None else None
    return {
        "name": measured.name,
        "cycles_per_frame": measured.cycles,
        "best": measured.best,
        "median": measured.median,
        "verified": measured.verified,
        "of": measured.of,
        "ratio": _as_document(of),
        "plain_loop": _as_document(ratio(measured, rows[measured.plain_loop]) if measured.plain_loop else None),
        "testpmd": _as_document(ratio(measured, rows[measured.testpmd]) if measured.testpmd else None),
        "at_most": measured.at_most,
        "within": within(measured, of),
    }


def _as_document(found: Ratio | None) -> dict[str, float] | None:
    return None if found is None else {"best": found.best, "median": found.median}
