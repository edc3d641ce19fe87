"""scalability.csv: the tables one below the other, an empty line between; numbers as they are, without separators."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from xlatperf.files.spreadsheet import harmless
from xlatperf.files.writing import whole
from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability.table import ScalabilityTable, TableRow
from xlatperf.report.scalability.tables import tables


def write(evidence: Evidence, folder: Path) -> Path | None:
    """Writes scalability.csv into the folder and returns its path; None if there is no table."""
    found = tables(evidence)
    if not found:
        return None
    path = folder / "scalability.csv"
    write_tables(found, path)
    return path


def write_tables(found: Sequence[ScalabilityTable], path: Path) -> None:
    """Writes such a file."""
    with whole(path, newline="") as file:
        writer = csv.writer(file)
        for number, table in enumerate(found):
            if number:
                writer.writerow([])
            writer.writerows(map(harmless, line) for line in lines(table))


def lines(table: ScalabilityTable) -> list[list[object]]:
    """Title, heading, rows: name, unit, values. Behind a row with bounds: which of its values are, `>=` or `<=`."""
    found: list[list[object]] = [[table.title, table.standard], [table.head, "", *table.columns]]
    for row in table.rows:
        found.append([row.name, row.unit, *[_cell(value, row) for value in row.values]])
        if row.bounds:
            found.append([f"{row.name}, bound", "", *row.bounds])
    return found


def _cell(value: float | None, row: TableRow) -> object:
    if value is None:
        return ""
    return int(value) if row.shown == "count" else value
