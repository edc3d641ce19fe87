"""Degradation of what isn't a rate found by a search (RFC 8219 §10.2.1): delays, their variation, losses, times.

That of rates is a row of the tables of scalability.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlatperf.procedures.registry import BY_NAME
from xlatperf.procedures.scale_up import Better, degradation_percent
from xlatperf.report.figure import Figure, figure
from xlatperf.report.line import Line
from xlatperf.report.series import FLOWS, Axis, point
from xlatperf.results.results import Measurement
from xlatperf.results.value_records import ValueSeries

_HIGHER = frozenset({"frames"})
"""Units of results that are better if higher: bursts. Delays, times and losses are better if lower."""


@dataclass(frozen=True)
class Degraded:
    """A median with n flows beside the one with one flow. `percent` None: X1 isn't above 0, or one is a bound."""

    line: Line
    quantity: str
    one: Figure
    many: Figure
    percent: float | None


def degraded(measurements: Sequence[Measurement]) -> list[Degraded]:
    """Of each result that was measured with one flow and with more, all else being the same."""
    return [
        found
        for axis in FLOWS
        for item in measurements
        if (axis.value(item) or 0) > 1 and BY_NAME[item.procedure].facts.finds is None
        for single in _with_one(item, measurements, axis)
        for found in _of(item, single)
    ]


def _with_one(item: Measurement, measurements: Sequence[Measurement], axis: Axis) -> list[Measurement]:
    return [one for one in measurements if axis.value(one) == 1 and _frames(one, axis) == _frames(item, axis)][:1]


def _frames(item: Measurement, axis: Axis) -> tuple[object, ...]:
    """All that must be the same; rates need not, as each is at the throughput of so many flows."""
    others = tuple(place for place in point(item) if place[0] is not axis)
    given = None if item.throughput_fps is not None else item.rate_fps
    what = item.series, item.procedure, item.size, item.mix, item.direction
    return *what, item.frame_timeout_ms, item.share, given, others


def _of(item: Measurement, single: Measurement) -> Iterator[Degraded]:
    before = {_place(series): series for series in single.values}
    for series in item.values:
        other = before.get(_place(series))
        if series.role != "result" or other is None:
            continue
        one, many = figure(single, other, "median"), figure(item, series, "median")
        if one.value is None or many.value is None:
            continue
        better: Better = "higher" if series.unit in _HIGHER else "lower"
        known = one.value > 0 and not one.bound and not many.bound
        percent = degradation_percent(one.value, many.value, better) if known else None
        line = Line(item, series.direction, series.traffic_class, series.rate_fps)
        yield Degraded(line, series.quantity, one, many, percent)


def _place(series: ValueSeries) -> tuple[object, ...]:
    return series.quantity, series.direction, series.traffic_class, series.rate_fps
