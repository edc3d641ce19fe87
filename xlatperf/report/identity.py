"""The first columns of a table on measurements: what of it a line is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xlatperf.report import words
from xlatperf.report.bounds import SIGNS, of_share
from xlatperf.report.line import Line
from xlatperf.report.markup import Content
from xlatperf.report.numerals import NONE, rate, whole
from xlatperf.report.series import Axis, axes_of, flow_interval_of, validated_at
from xlatperf.report.table import Column, text
from xlatperf.report.values import classes
from xlatperf.report.values import rates as rates_of
from xlatperf.results.frames import SideSizes
from xlatperf.results.results import Measurement


def identity(
    measurements: Sequence[Measurement],
    families: Mapping[str, str],
    *,
    rates: bool = True,
    directed: bool = True,
    named: bool = True,
) -> list[Column[Line]]:
    """Sizes, mix, direction, class, place in a series, time between flows, frame timeout, rate.

    Those that say the same in each line, or nothing, are left out. `named`: the measure's
    name, if there are several, and alpha. `families`: IP version of each side.
    """
    stateful = any(item.connections is not None for item in measurements)
    columns: list[Column[Line]] = []
    if named and len({item.series for item in measurements}) > 1:
        columns.append(text("Measure", lambda line: line.item.series))
    if stateful:  # connections need room
        columns.append(Column("Frame size", lambda line: words.sizes(line.item.frame_size), "B"))
    else:
        both = sizes(*(f"{side} {families[side]}" for side in ("left", "right")))
        columns += [column.through(lambda line: line.item.frame_size) for column in both]
        if any(item.frame_size.mixed is not None for item in measurements):
            columns.append(text("Mean of", lambda line: words.mixed(line.item.frame_size)))
    if not all(words.standard_mix(item) for item in measurements):
        columns.append(text("Mix", lambda line: words.mix(line.item.mix)))
    if directed:
        columns.append(text("Direction", lambda line: words.ARROWS[line.direction or line.item.direction]))
    if any(len(classes(item)) > 1 for item in measurements):
        columns.append(text("Class", lambda line: line.of or "all"))
    columns += places(measurements)
    if any(flow_interval_of(item) is not None for item in measurements):
        columns.append(Column("Flows apart", _apart, "s"))
    if named and any(validated_at(item) is not None for item in measurements):
        columns.append(Column("Alpha", _alpha))
    if any(item.frame_timeout_ms is not None for item in measurements):
        columns.append(text("Frame timeout", lambda line: words.frame_timeout(line.item)))
    if rates and any(item.rate_fps is not None or rates_of(item) != [None] for item in measurements):
        columns.append(Column("frames/s", _rate, "", "Rate per direction"))
    if rates and any(item.share is not None for item in measurements):
        columns.append(Column("share", _share, "%", "Rate per direction"))
    return columns


def places(measurements: Sequence[Measurement]) -> list[Column[Line]]:
    """Where in its series a line is, on each axis."""
    return [_place(axis) for axis in axes_of(measurements)]


def _place(axis: Axis) -> Column[Line]:
    title, unit = axis.heading
    return Column(title, lambda line: whole(axis.value(line.item)), unit)


def sizes(left: str = "left", right: str = "right") -> list[Column[SideSizes]]:
    """Frame sizes of both sides, under these names."""
    return [
        Column(left, lambda size: words.of_side(size, "left"), "B", "Frame size"),
        Column(right, lambda size: words.of_side(size, "right"), "B", "Frame size"),
    ]


def _rate(line: Line) -> Content:
    return rate(line.item.rate_fps if line.rate_fps is None else line.rate_fps)


def _apart(line: Line) -> str:
    apart_s = flow_interval_of(line.item)
    return NONE if apart_s is None else f"{apart_s:g}"


def _alpha(line: Line) -> str:
    alpha = validated_at(line.item)
    return NONE if alpha is None else f"{alpha:g}"


def _share(line: Line) -> str:
    share = line.item.share
    return NONE if share is None else f"{SIGNS[of_share(line.item)]}{100 * share:g}"
