"""Writes the table into docs/speed.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.speed.table import COLUMNS, cells
from docs.marked import Marked

PAGE = Marked(
    Path(__file__).resolve().parents[2] / "docs" / "speed.md",
    "<!-- The table is written by `python -m bench.speed --document`. -->",
    "<!-- end of the table -->",
)


def part(said_of_machine: str, rows: Sequence[Mapping[str, Any]], hz: float) -> str:
    """In Markdown."""
    places = ["---"] + ["---:"] * (len(COLUMNS) - 2) + ["---"]
    lines = [COLUMNS, places, *(cells(row, hz) for row in rows)]
    return said_of_machine + "\n\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines)
