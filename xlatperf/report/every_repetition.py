"""All values of all repetitions of a procedure, in a table that opens by a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.quantity import Quantity
from xlatperf.report.figure import of_repetition
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, element, folded
from xlatperf.report.numerals import NONE
from xlatperf.report.selection import Selection
from xlatperf.report.table import Column, table
from xlatperf.report.values import classes, rates
from xlatperf.results.results import Measurement, Repetition


class _Repeated(NamedTuple):
    """A repetition's part of a line."""

    line: Line
    repetition: Repetition


def every_repetition(of: Selection, identity: Sequence[Column[Line]], quantities: Sequence[Quantity]) -> Content:
    """Those quantities that have values; None if none has."""
    named = {one.quantity for item in of.measurements for one in item.values}
    present = [one for one in quantities if one.name in named]
    if not present:
        return None
    lines = [
        _Repeated(Line(item, direction, of_class, rate_fps), repetition)
        for item in of.measurements
        for repetition in item.repetitions
        for rate_fps in rates(item)
        for direction in _directions_of(item)
        for of_class in classes(item)
    ]
    columns: list[Column[_Repeated]] = [
        *[column.through(lambda one: one.line) for column in identity],
        Column("Repetition", lambda one: str(one.repetition.number)),
        Column("Trial", _trial),
        *[_value(of, one) for one in present],
    ]
    return folded(f"Every repetition ({len(lines):,})", table(columns, lines), class_="more")


def _directions_of(item: Measurement) -> list[DirectionName | None]:
    found: list[DirectionName | None] = [
        name for name in ("forward", "reverse") if any(one.direction == name for one in item.values)
    ]
    return found or [None]


def _trial(repeated: _Repeated) -> str:
    number = repeated.repetition.final_trial
    return NONE if number is None else str(number)


def _value(of: Selection, quantity: Quantity) -> Column[_Repeated]:
    def cell(repeated: _Repeated) -> Content:
        found, number = repeated.line.find(quantity), repeated.repetition.number
        value = None if found is None else next((one for one in found.values if one.repetition == number), None)
        if found is None or value is None or value.value is None:
            return NONE if value is None or not value.remark else element("span", NONE, title=value.remark)
        return of.shown(of_repetition(repeated.repetition, found, value.value))

    return Column(quantity.name, cell, of.unit(quantity.unit))
