"""scalability.csv: the tables as they are, one below the other with an empty line between; numbers without separators."""

from __future__ import annotations

import csv
from pathlib import Path

from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability import ScalabilityTable, tables


def write(evidence: Evidence, folder: Path) -> Path | None:
    """Writes scalability.csv into the folder and returns its path; None if there is no table."""
    found = tables(evidence)
    if not found:
        return None
    path = folder / "scalability.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        for number, table in enumerate(found):
            if number:
                writer.writerow([])
            writer.writerows(lines(table))
    return path


def lines(table: ScalabilityTable) -> list[list[object]]:
    """Title, heading, rows: name, unit, values."""
    return [
        [table.title, table.standard],
        [table.head, "", *table.columns],
        *[[row.name, row.unit, *["" if value is None else value for value in row.values]] for row in table.rows],
    ]
