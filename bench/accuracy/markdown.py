"""The table in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from bench.accuracy.cells import COLUMNS, RIGHT, cells
from bench.accuracy.machine import sentence
from bench.accuracy.row import Row


def page(rows: Sequence[Row], machine: dict[str, Any], extent: str) -> str:
    """The machine, a table for each group, the bounds' reasons."""
    parts = [sentence(machine)]
    if extent != "full":
        parts.append(f"**This is a {extent} run: it shows that everything works, and is no measurement.**")
    for group, members in groupby(rows, key=lambda row: row.group):
        parts.append(f"### {group}\n\n{_table(list(members))}")
    return "\n\n".join(parts) + "\n"


def _table(rows: Sequence[Row]) -> str:
    lines = [_line(COLUMNS), _line(["---:" if place in RIGHT else "---" for place in range(len(COLUMNS))])]
    lines += [_line(cells(row)) for row in rows]
    notes = dict.fromkeys(row.remark for row in rows if row.remark)
    bounds = dict.fromkeys(row.bound.why for row in rows if row.bound is not None)
    said = [f"Bounds: {'; '.join(bounds)}." if bounds else "", f"Trials: {'; '.join(notes)}." if notes else ""]
    return "\n".join(lines) + "".join(f"\n\n{text}" for text in said if text)


def _line(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"
