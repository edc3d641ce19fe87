"""A table of scalability in a report."""

from __future__ import annotations

from xlatperf.report.bounds import SIGNS
from xlatperf.report.markup import Content, Markup, element, paragraph, render
from xlatperf.report.numerals import NONE
from xlatperf.report.scalability.table import ScalabilityTable, TableRow
from xlatperf.report.table import Column, table, text


def shown(found: ScalabilityTable) -> Markup:
    """With its title."""
    group = f"{found.head[:1].upper()}{found.head[1:]}"
    columns: list[Column[TableRow]] = [
        text("", lambda row: row.name if row.values else element("strong", row.name)),
    ]
    values: list[Column[TableRow]] = [
        text("Unit", lambda row: row.unit),
        *[_value(head, index, group) for index, head in enumerate(found.heads())],
    ]
    title = element("h3", found.title)
    return render(
        [
            title,
            paragraph(found.standard, class_="muted"),
            table(
                columns,
                found.rows,
                values,
                why_not=lambda row: None if row.values else "",
                tone=lambda row: "" if row.values else "part",
            ),
        ]
    )


def _value(title: str, index: int, group: str) -> Column[TableRow]:
    def cell(row: TableRow) -> Content:
        value = row.values[index]
        shown: Content = NONE if value is None else row.text(value)
        if value is not None and row.shown in ("rate", "seconds") and value != round(value):
            shown = element("span", shown, title=f"{value!r} {row.unit}".strip())
        shown = [SIGNS[row.bound(index)], shown]
        return element("strong", shown) if row.important else shown

    return Column(title, cell, "", group)
