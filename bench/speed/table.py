"""The table, for a screen and for the docs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

COLUMNS = ("", "cycles per frame", "median", "Mfps", "of plain loop", "of testpmd", "of SIIT", "at most", "")


def cells(row: Mapping[str, Any], hz: float) -> list[str]:
    """Of one row of the document."""
    if row["best"] != row["best"]:
        return [row["name"], "not measured", *[""] * (len(COLUMNS) - 2)]
    verdict = {None: "", True: "ok", False: "above"}[row["within"]]
    return [
        row["name"],
        f"{row['best']:.1f}",
        f"{row['median']:.1f}",
        f"{hz / row['best'] / 1e6:.1f}",
        times(row["plain_loop"]),
        times(row["testpmd"]),
        times(row["ratio"]) if (row["of"] or "").startswith("SIIT") else "",
        f"{row['at_most']:.2f}" if row["at_most"] is not None else "",
        verdict if row["verified"] else "frames weren't right",
    ]


def times(found: Mapping[str, float] | None) -> str:
    """Of the best rounds, and the median of the rounds."""
    return f"{found['best']:.2f} ({found['median']:.2f})" if found else ""


def on_screen(rows: Sequence[Mapping[str, Any]], hz: float, before: Mapping[str, Mapping[str, Any]]) -> Table:
    """`before`: rows of an earlier document by name; none: no column for them."""
    table = Table(*COLUMNS, *(["times before"] if before else []))
    for column in table.columns[1:]:
        column.min_width = max(len(word) for word in str(column.header).split()) if column.header else 5
    for row in rows:
        table.add_row(*cells(row, hz), *([earlier(before.get(row["name"]))] if before else []))
    return table


def earlier(row: Mapping[str, Any] | None) -> str:
    """The ratio, else the cycles: those of another machine mean nothing here."""
    if row is None:
        return "-"
    return f"{row['ratio']['best']:.2f}" if row["ratio"] else f"{row['best']:.1f} cycles"
