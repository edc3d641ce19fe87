"""All values of all repetitions of a procedure, in a table that opens by a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.quantity import Quantity
from xlatperf.report.bounds import SIGNS, of_repetition
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, element, folded
from xlatperf.report.numerals import NONE, percent, whole
from xlatperf.report.scale import Scale, micro_or_milli
from xlatperf.report.table import Column, table
from xlatperf.report.values import classes
from xlatperf.results.results import Measurement, Repetition

_COUNTED = {"frames": "", "frames/s": "frames/s", "connections": "", "connections/s": "connections/s", "%": "%"}
"""Units of quantities that aren't times, as headings say them."""


class _Repeated(NamedTuple):
    """A repetition's part of a line."""

    line: Line
    repetition: Repetition


def every_repetition(
    measurements: Sequence[Measurement],
    identity: Sequence[Column[Line]],
    quantities: Sequence[Quantity],
    scale: Scale | None = None,
) -> Content:
    """Those quantities that have values; None if none has."""
    present = [
        one for one in quantities if any(found.quantity == one.name for item in measurements for found in item.values)
    ]
    if not present:
        return None
    times = [value.value for item in measurements for one in item.values if one.unit == "ns" for value in one.values]
    shown = scale or micro_or_milli(times)
    lines = [
        _Repeated(Line(item, direction, of), repetition)
        for item in measurements
        for repetition in item.repetitions
        for direction in _directions_of(item)
        for of in classes(item)
    ]
    columns: list[Column[_Repeated]] = [
        *[column.through(lambda one: one.line) for column in identity],
        Column("Repetition", lambda one: str(one.repetition.number)),
        Column("Trial", lambda one: NONE if one.repetition.final_trial is None else str(one.repetition.final_trial)),
        *[_value(one, shown) for one in present],
    ]
    return folded(f"Every repetition ({len(lines):,})", table(columns, lines), class_="more")


def _directions_of(item: Measurement) -> list[DirectionName | None]:
    found: list[DirectionName | None] = [
        name for name in ("forward", "reverse") if any(one.direction == name for one in item.values)
    ]
    return found or [None]


def _value(quantity: Quantity, scale: Scale) -> Column[_Repeated]:
    """Of the line's direction; what has none is the same for both."""

    def cell(repeated: _Repeated) -> Content:
        line, number = repeated.line, repeated.repetition.number
        found = line.find(quantity) or Line(line.item, None, line.of).find(quantity)
        value = None if found is None else next((one for one in found.values if one.repetition == number), None)
        if found is None or value is None or value.value is None:
            return NONE if value is None or not value.remark else element("span", NONE, title=value.remark)
        if found.unit == "%":
            return percent(value.value)
        shown = whole(value.value) if found.unit in _COUNTED else scale.shown(value.value, found.unit)
        return [SIGNS[of_repetition(repeated.repetition, found)], shown]

    return Column(quantity.name, cell, _COUNTED.get(quantity.unit, scale.unit))
