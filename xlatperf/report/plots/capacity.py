"""The way of the search for the capacity: each number of connections with its rate, safe or too many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2

import plotly.graph_objects as go

from xlatperf.procedures.capacity_step import CapacityStep
from xlatperf.report.markup import Markup
from xlatperf.report.plots.look import COLOURS, REFERENCE, axis, draw

_FAR = 3
_APART = 0.1
"""In powers of two."""


def plot(steps: Sequence[CapacityStep], name: str) -> Markup:
    """Of one search."""
    figure = go.Figure()
    tried = [step for step in steps if step.stage != "recovery"]
    number = {id(step): place for place, step in enumerate(steps, 1)}
    safe = [step for step in tried if step.passed]
    failed = [step for step in tried if not step.passed]
    for members, title, colour, symbol in (
        (safe, "safe: the rate found (R)", COLOURS[0], "circle"),
        (failed, "too many: the rate that failed last", COLOURS[1], "x"),
    ):
        if not members:
            continue
        figure.add_scatter(
            x=[step.connections for step in members],
            y=[_rate(step) for step in members],
            mode="markers+text",
            text=_apart(members, number),
            customdata=[number[id(step)] for step in members],
            textposition="top center",
            textfont={"size": 10, "color": colour},
            name=title,
            marker={"symbol": symbol, "size": 9, "color": colour},
            hovertemplate="step %{customdata}: <b>%{x:,}</b> connections<br>%{y:,.0f} connections/s<extra></extra>",
        )
    if safe and failed:
        low, high = max(step.connections for step in safe), min(step.connections for step in failed)
        if low < high:
            figure.add_vrect(x0=low, x1=high, fillcolor=REFERENCE, opacity=0.18, line_width=0)
    counts = [step.connections for step in tried]
    far = bool(counts) and max(counts) > _FAR * min(counts)
    title = "connections (C)"
    figure.update_xaxes(
        axis(f"{title}, logarithmic", type="log", dtick="D2", tickformat="~s") if far else axis(title, tickformat="~s")
    )
    figure.update_yaxes(axis("connections per second", rangemode="tozero", tickformat="~s"))
    return draw(
        figure,
        name,
        "Numbers of connections that were tried, with their rates; the table below has them.",
        340,
    )


def _apart(steps: Sequence[CapacityStep], number: Mapping[int, int]) -> list[str]:
    """Numbers of those steps whose labels don't run into each other."""
    shown: list[int] = []
    said = []
    for step in steps:
        free = all(abs(log2(step.connections / other)) > _APART for other in shown)
        said.append(str(number[id(step)]) if free else "")
        shown += [step.connections] if free else []
    return said


def _rate(step: CapacityStep) -> float:
    """What was found; or where it failed."""
    if step.rate_fps is not None:
        return step.rate_fps
    return step.tests[-1].rate_fps if step.tests else step.floor_fps
