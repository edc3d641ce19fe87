"""Tables with groups of columns, units in the headings, and numbers that line up: a column knows its cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Generic, TypeVar

from xlatperf.report.markup import Content, Markup, element

T = TypeVar("T")
"""What a table's lines are of."""
U = TypeVar("U")


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column: `cell` is what stands there of a line, whatever the table's lines are.

    Neighbours with the same `group` get a common heading. `numeric`: right-aligned, tabular digits.
    """

    title: str
    cell: Callable[[T], Content]
    unit: str = ""
    group: str = ""
    numeric: bool = True
    class_: str = ""

    def through(self, get: Callable[[U], T]) -> Column[U]:
        """The same column of other lines: of what `get` takes from them."""
        cell = self.cell
        return Column(
            self.title, lambda line: cell(get(line)), self.unit, self.group, numeric=self.numeric, class_=self.class_
        )

    def under(self, group: str) -> Column[T]:
        """The same column with a common heading."""
        return replace(self, group=group)


def text(title: str, cell: Callable[[T], Content], group: str = "", class_: str = "") -> Column[T]:
    """A column of text."""
    return Column(title, cell, "", group, numeric=False, class_=class_)


def table(
    columns: Sequence[Column[T]],
    lines: Iterable[T],
    values: Sequence[Column[T]] = (),
    *,
    why_not: Callable[[T], Content] = lambda _: None,
    tone: Callable[[T], str] = lambda _: "",
    data: Callable[[T], Mapping[str, str]] = lambda _: {},
    sortable: bool = False,
    id_: str | None = None,
) -> Markup:
    """The table, in a box that scrolls sideways on narrow screens.

    `values`: the columns behind `columns`. If `why_not` says of a line why it has none, that takes their place.
    `tone` colours a line, `data` become its data attributes.
    """
    body = [
        element(
            "tr",
            _cells(columns, line),
            _cells(values, line) if (why := why_not(line)) is None else _rest(why, len(values)),
            class_=tone(line) or None,
            **{f"data_{name}": value for name, value in data(line).items()},
        )
        for line in lines
    ]
    shown = element(
        "table",
        element("thead", _group_headings([*columns, *values]), _headings([*columns, *values])),
        element("tbody", body),
        id=id_,
        class_="sortable" if sortable else None,
    )
    return element("div", shown, class_="scroll")


def _group_headings(columns: Sequence[Column[T]]) -> Markup | None:
    if not any(column.group for column in columns):
        return None
    cells = []
    for group, members in groupby(columns, key=lambda column: column.group):
        span = str(len(list(members)))
        cells.append(element("th", group, colspan=span, scope="colgroup", class_="group" if group else None))
    return element("tr", cells)


def _headings(columns: Sequence[Column[T]]) -> Markup:
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


def _cells(columns: Sequence[Column[T]], line: T) -> list[Markup]:
    return [element("td", column.cell(line), class_=_class(column)) for column in columns]


def _rest(why: Content, columns: int) -> Markup:
    return element("td", why, colspan=str(columns), class_="wide rest")


def _class(column: Column[T]) -> str | None:
    return " ".join(filter(None, ("n" if column.numeric else "", column.class_))) or None


def facts(pairs: Iterable[tuple[Content, Content]]) -> Markup:
    """Names with values, as a list of definitions."""
    entries = [element("div", element("dt", name), element("dd", value)) for name, value in pairs]
    return element("dl", entries, class_="facts") if entries else Markup("")
