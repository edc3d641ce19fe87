"""Tables with groups of columns, units in the headings, and numbers that line up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from xlatperf.report.markup import Content, Markup, element


@dataclass(frozen=True)
class Column:
    """A column. Neighbours with the same `group` get a common heading. `numeric`: right-aligned, tabular digits."""

    title: str
    unit: str = ""
    group: str = ""
    numeric: bool = True
    class_: str = ""


@dataclass(frozen=True)
class Row:
    """A row: one cell per column; `tone` colours it, `data` become its data attributes.

    `rest` is text that takes the place of all cells that are missing at the end: why there are no values.
    """

    cells: Sequence[Content]
    tone: str = ""
    data: dict[str, str] = field(default_factory=dict)
    rest: Content = None


def text(title: str, group: str = "", class_: str = "") -> Column:
    """A column of text."""
    return Column(title, "", group, numeric=False, class_=class_)


def table(columns: Sequence[Column], rows: Iterable[Row], *, sortable: bool = False, id_: str | None = None) -> Markup:
    """The table, in a box that scrolls sideways on narrow screens."""
    body = [_row(columns, row) for row in rows]
    shown = element(
        "table",
        element("thead", _group_headings(columns), _headings(columns)),
        element("tbody", body),
        id=id_,
        class_="sortable" if sortable else None,
    )
    return element("div", shown, class_="scroll")


def _group_headings(columns: Sequence[Column]) -> Markup | None:
    if not any(column.group for column in columns):
        return None
    cells = []
    for group, members in groupby(columns, key=lambda column: column.group):
        span = str(len(list(members)))
        cells.append(element("th", group, colspan=span, scope="colgroup", class_="group" if group else None))
    return element("tr", cells)


def _headings(columns: Sequence[Column]) -> Markup:
    return element(
        "tr",
        [
            element(
                "th",
                column.title,
                element("span", column.unit, class_="unit") if column.unit else None,
                scope="col",
                class_=_class(column),
            )
            for column in columns
        ],
    )


def _row(columns: Sequence[Column], row: Row) -> Markup:
    missing = len(columns) - len(row.cells)
    if missing if row.rest is None else missing < 1:
        raise ValueError(f"{len(row.cells)} cells for {len(columns)} columns")
    cells = [element("td", cell, class_=_class(column)) for column, cell in zip(columns, row.cells, strict=False)]
    if row.rest is not None:
        cells.append(element("td", row.rest, colspan=str(missing), class_="wide rest"))
    return element("tr", cells, class_=row.tone or None, **{f"data_{name}": value for name, value in row.data.items()})


def _class(column: Column) -> str | None:
    return " ".join(filter(None, ("n" if column.numeric else "", column.class_))) or None


def facts(pairs: Iterable[tuple[Content, Content]]) -> Markup:
    """Names with values, as a list of definitions."""
    entries = [element("div", element("dt", name), element("dd", value)) for name, value in pairs]
    return element("dl", entries, class_="facts") if entries else Markup("")
