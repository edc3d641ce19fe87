"""What was measured, row by row, and how rows compare."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.speed.rows import Row


@dataclass
class Measured:
    """`cycles[i]`: of each frame, in round i; None: the row didn't take part. `verified`: all frames were right."""

    row: Row
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
    if measured.row.at_most is None or found is None:
        return None
    return found.best <= measured.row.at_most


def as_document(measured: Measured, rows: Mapping[str, Measured]) -> dict[str, Any]:
    """For JSON. `rows`: all by name."""
    row = measured.row

    def to(name: str | None) -> Ratio | None:
        return ratio(measured, rows[name]) if name is not None and name in rows else None

    return {
        "name": row.name,
        "cycles_per_frame": measured.cycles,
        "best": measured.best,
        "median": measured.median,
        "verified": measured.verified,
        "of": row.of,
        "ratio": _as_document(to(row.of)),
        "plain_loop": _as_document(to(row.plain_loop)),
        "testpmd": _as_document(to(row.testpmd)),
        "at_most": row.at_most,
        "within": within(measured, to(row.of)),
    }


def _as_document(found: Ratio | None) -> dict[str, float] | None:
    return None if found is None else {"best": found.best, "median": found.median}
