"""Throughput against frame size (RFC 2544 §26.1): results, theoretical maximum, the Tester's own limit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import plotly.graph_objects as go

from xlatperf.report import words
from xlatperf.report.bounds import SIGNS
from xlatperf.report.markup import Markup
from xlatperf.report.plots.look import COLOURS, REFERENCE, axis, draw, from_minimum_to_maximum, label, symbols
from xlatperf.report.series import bound_of, performance
from xlatperf.results.results import Measurement

_FAR = 4
"""From this ratio of the highest to the lowest value on, the rate's axis is logarithmic."""
_STEPS = 24
Points = list[tuple[float, float]]
"""Frame size and rate."""


def plot(measurements: Sequence[Measurement]) -> Markup:
    """All measurements that have a result; several sizes as one traffic have no place on its axis."""
    with_result = [item for item in measurements if performance(item) is not None and not item.frame_size.mixed]
    figure = go.Figure()
    series: dict[tuple[str, str, str], list[Measurement]] = {}
    for item in with_result:
        series.setdefault((item.measure, words.mix(item.mix), item.direction), []).append(item)
    several = len({name for name, _, _ in series}) > 1
    for index, ((name, mix, direction), members) in enumerate(series.items()):
        title = f"{words.ARROWS[direction]}, {mix}" + (f", {name}" if several else "")
        _add(figure, label(title), members, index)
    for title, points in _theoretical(with_result).items():
        _add_reference(figure, label(title), _hyperbola(points), "solid")
    limits = {item.frame_size_named: item.tester_limit_fps for item in with_result if item.tester_limit_fps}
    _add_reference(figure, "Tester's own limit (self-test)", sorted(limits.items()), "dot")
    sizes = sorted({item.frame_size_named for item in with_result})
    figure.update_xaxes(
        axis("frame size named in the bench file, bytes with FCS", tickvals=_apart(sizes), range=[0, max(sizes) * 1.06])
    )
    figure.update_yaxes(_rate_axis(figure))
    return draw(figure, "plot-rate", "Throughput against frame size; the numbers are in the table above.", 430)


def _add(figure: go.Figure, title: str, members: Sequence[Measurement], index: int) -> None:
    points = sorted(
        ((item.frame_size_named, found, item) for item in members if (found := performance(item)) is not None),
        key=lambda point: point[0],
    )
    bounds = [bound_of(item, found.median) for _, found, item in points]
    figure.add_scatter(
        x=[size for size, _, _ in points],
        y=[summary.median for _, summary, _ in points],
        name=title,
        mode="lines+markers",
        line={"color": COLOURS[index % len(COLOURS)], "width": 2},
        marker={"symbol": symbols(bounds, index), "size": 9},
        error_y=from_minimum_to_maximum([summary for _, summary, _ in points]),
        customdata=[
            [words.sizes(item.frame_size), summary.n, summary.minimum, summary.maximum, SIGNS[bound]]
            for (_, summary, item), bound in zip(points, bounds, strict=True)
        ],
        hovertemplate="%{customdata[0]} bytes<br>median <b>%{customdata[4]}%{y:,.0f}</b> frames/s "
        "(N = %{customdata[1]})<br>%{customdata[2]:,.0f} to %{customdata[3]:,.0f}<extra></extra>",
    )


def _theoretical(measurements: Sequence[Measurement]) -> dict[str, Points]:
    """A line for each mix, or one if they are the same."""
    by_mix: dict[str, dict[int, float]] = {}
    for item in measurements:
        if item.theoretical_maximum_fps:
            by_mix.setdefault(words.mix(item.mix), {})[item.frame_size_named] = item.theoretical_maximum_fps
    together = {size: value for points in by_mix.values() for size, value in points.items()}
    if all(together[size] == value for points in by_mix.values() for size, value in points.items()):
        return {"theoretical maximum": sorted(together.items())}
    return {f"theoretical maximum, {mix}": sorted(points.items()) for mix, points in by_mix.items()}


def _hyperbola(points: Points) -> Points:
    """More points between these: the time for a frame, 1 / rate, grows linearly with its size (RFC 8219 App. A)."""
    dense = points[:1]
    for (start, first), (end, last) in pairwise(points):
        for step in range(1, _STEPS + 1):
            share = step / _STEPS
            dense.append((start + share * (end - start), 1 / ((1 - share) / first + share / last)))
    return dense


def _add_reference(figure: go.Figure, title: str, points: Points, dash: str) -> None:
    if not points:
        return
    figure.add_scatter(
        x=[size for size, _ in points],
        y=[value for _, value in points],
        name=title,
        mode="lines+markers" if len(points) == 1 else "lines",
        line={"color": REFERENCE, "width": 1.5, "dash": dash},
        marker={"symbol": "line-ew-open", "size": 16, "color": REFERENCE},
        hovertemplate="%{x:.0f} bytes<br>" + title + " <b>%{y:,.0f}</b> frames/s<extra></extra>",
    )


def _rate_axis(figure: go.Figure) -> dict[str, object]:
    values = [value for trace in figure.data for value in trace.y]
    if min(values) > 0 and max(values) / min(values) > _FAR:
        return axis(
            "frames per second per direction (logarithmic)",
            type="log",
            dtick="D1" if _decades(values) < 2 else 1,
            tickformat="~s",
            minor={"ticks": "outside", "showgrid": False},
        )
    return axis("frames per second per direction", rangemode="tozero", tickformat=",.0f")


def _decades(values: Sequence[float]) -> float:
    ratio, decades = max(values) / min(values), 0
    while ratio > 10:
        ratio, decades = ratio / 10, decades + 1
    return decades


def _apart(sizes: Sequence[int]) -> list[int]:
    """Those sizes whose labels don't run into each other."""
    kept: list[int] = []
    for size in sizes:
        if not kept or size - kept[-1] >= 0.035 * max(sizes):
            kept.append(size)
    return kept
