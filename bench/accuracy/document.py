"""Writes the measured table into docs/accuracy.md, between two markers."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"
BEGIN = "<!-- The table is written by `make accuracy ACCURACY_DOC=1`. -->"
END = "<!-- end of the table -->"


def with_table(page: str, table: str) -> str:
    """The page with another table. ValueError if the markers aren't there."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the markers {BEGIN} and {END} aren't there")
    return f"{before}{BEGIN}\n\n{table.strip()}\n\n{END}{after}"


def update(table: str) -> None:
    """Changes the page."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")
