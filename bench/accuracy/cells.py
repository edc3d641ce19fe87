"""The table's columns, for the screen and for Markdown."""

from __future__ import annotations

from bench.accuracy.numbers import bound_text, number, refused_text
from bench.accuracy.row import Row

COLUMNS = ("", "known", "measured", "difference", "bound", "", "verdict", "refused trials")
RIGHT = frozenset({1, 2, 3, 4})
"""Columns of numbers."""


def cells(row: Row) -> tuple[str, ...]:
    """One text for each column."""
    return (
        row.what,
        number(row.known, row.unit),
        number(row.measured, row.unit),
        number(row.difference, row.unit, signed=True) if row.bound is not None else "",
        bound_text(row.bound, row.unit),
        row.unit,
        row.verdict,
        refused_text(row.refused, row.trials, row.reasons),
    )
