"""What is in a table of scalability, whatever it is written as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xlatperf.procedures.quantity import Bound

Shown = Literal["count", "rate", "ratio", "seconds"]
Head = int | float | str
"""Of a column: a number of something, a share, or words."""


@dataclass(frozen=True)
class TableRow:
    """A value for each column; None: not measured, or not known. A row without values is a heading.

    `bounds`: which of the values are bounds; empty: none is.
    """

    name: str
    unit: str = ""
    values: tuple[float | None, ...] = ()
    shown: Shown = "count"
    important: bool = False
    bounds: tuple[Bound, ...] = ()

    def bound(self, column: int) -> Bound:
        """Of the value in a column."""
        return self.bounds[column] if self.bounds else ""

    def text(self, value: float) -> str:
        """With as many places as it needs."""
        if self.shown == "ratio":
            return f"{value:.3f}"
        if self.shown == "seconds":
            return f"{value:.6f}" if value < 1 else f"{value:.3f}"
        return f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:,.3f}"

    @property
    def measured(self) -> bool:
        """Whether there is any value in it."""
        return any(value is not None for value in self.values)


@dataclass(frozen=True)
class ScalabilityTable:
    """`columns`: places on an axis, which `head` names. `standard`: whose table it is."""

    standard: str
    title: str
    head: str
    columns: tuple[Head, ...]
    rows: tuple[TableRow, ...]

    def heads(self) -> list[str]:
        """Of the columns, for people."""
        return [
            f"{one:,}" if isinstance(one, int) else one if isinstance(one, str) else f"{one:g}" for one in self.columns
        ]


def _head(one: Head) -> str:
    if isinstance(one, str):
        return one
    return f"{one:,}" if isinstance(one, int) else f"{one:g}"
