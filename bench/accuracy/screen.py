"""The table on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench.accuracy.cells import COLUMNS, RIGHT, cells
from bench.accuracy.row import Row

STYLES = {"ok": "green", "outside": "bold red", "refused": "yellow", "shown": "dim"}


def show(rows: Sequence[Row], console: Console) -> None:
    """One section for each group."""
    table = Table(show_lines=False)
    for place, title in enumerate(COLUMNS):
        table.add_column(title, justify="right" if place in RIGHT else "left", overflow="fold")
    for group, members in groupby(rows, key=lambda row: row.group):
        table.add_section()
        table.add_row(Text(group, style="bold"))
        for row in members:
            texts = cells(row)
            table.add_row(*(Text(text, style=STYLES[row.verdict] if text == row.verdict else "") for text in texts))
    console.print(table)
