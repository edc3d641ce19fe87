"""Frame loss against rate (RFC 2544 §26.3): x and y both from 0 to 100 %; and the same against frames per second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from xlatperf.engine.message import DirectionName
from xlatperf.report import words
from xlatperf.report.markup import Markup
from xlatperf.report.plots.look import COLOURS, MARKERS, axis, between_percentiles, draw, label
from xlatperf.report.sweep import SweptRate, over_sweeps
from xlatperf.report.values import directions
from xlatperf.results.results import Measurement

_DASH = {"forward": "solid", "reverse": "dash"}


def plot(measurements: Sequence[Measurement]) -> Markup:
    """As the standard draws it."""
    figure = _figure(measurements, lambda point: point.percent_of_maximum)
    figure.update_xaxes(axis("offered rate, % of the maximum", range=[0, 102], dtick=10))
    figure.update_yaxes(axis("frame loss, %", range=[-2, 102], dtick=20))
    return draw(
        figure, "plot-loss", "Frame loss against the share of the maximum rate; the numbers are in the tables below."
    )


def plot_by_rate(measurements: Sequence[Measurement]) -> Markup:
    """Against frames per second, for rates that are far below the maximum of the media."""
    figure = _figure(measurements, lambda point: point.offered_fps or point.rate_fps)
    figure.update_xaxes(axis("offered rate, frames per second per direction", rangemode="tozero", tickformat="~s"))
    figure.update_yaxes(axis("frame loss, %", rangemode="tozero"))
    return draw(figure, "plot-loss-rate", "Frame loss against frames per second; the numbers are in the tables below.")


def _figure(measurements: Sequence[Measurement], place: Any) -> go.Figure:
    figure = go.Figure()
    several = len({(item.measure, words.mix(item.mix)) for item in measurements}) > 1
    for index, item in enumerate(measurements):
        for direction in directions(item):
            rates = [one for one in reversed(over_sweeps(item)) if direction in one.of]
            if rates:
                title = f"{words.sizes(item.frame_size)} B {words.ARROWS[direction]}"
                title += f", {item.measure}, {words.mix(item.mix)}" if several else ""
                _add(figure, label(title), rates, direction, index, place)
    return figure


def _add(
    figure: go.Figure, title: str, rates: Sequence[SweptRate], direction: DirectionName, index: int, place: Any
) -> None:
    """The line goes through the medians of the sweeps; error bars are from P1 to P99, where there are several."""
    losses = [one.of[direction] for one in rates]
    figure.add_scatter(
        x=[place(one.points[0]) for one in rates],
        y=[one.median for one in losses],
        error_y=between_percentiles(losses) if any(one.n > 1 for one in losses) else None,
        name=title,
        mode="lines+markers",
        line={"color": COLOURS[index % len(COLOURS)], "width": 2, "dash": _DASH[direction]},
        marker={"symbol": MARKERS[index % len(MARKERS)] + ("" if direction == "forward" else "-open"), "size": 8},
        customdata=[[one.rate_fps, len(one.points)] for one in rates],
        hovertemplate="%{customdata[0]:,.0f} frames/s: <b>%{y:.4~f} %</b> loss (N = %{customdata[1]})<extra></extra>",
    )
