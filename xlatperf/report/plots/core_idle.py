"""Idle share of each core of the device over the time of a trial."""

from __future__ import annotations

import plotly.graph_objects as go

from xlatperf.procedures.trial import Trial
from xlatperf.report.markup import Markup
from xlatperf.report.plots.look import COLOURS, axis, draw, label
from xlatperf.report.steps import level


def plot(trial: Trial, name: str) -> Markup:
    """Level between two samples."""
    figure = go.Figure()
    for number, core in enumerate(dict.fromkeys(core for sample in trial.core_idle for core in sample.idle)):
        known = [(one.from_s, one.to_s, 100 * one.idle[core]) for one in trial.core_idle if core in one.idle]
        at_s, percent = level(known)
        figure.add_scatter(
            x=at_s,
            y=percent,
            name=label(core),
            mode="lines",
            line={"color": COLOURS[number % len(COLOURS)], "width": 2},
            hovertemplate="%{x:.1f} s: <b>%{y:.1f} %</b><extra>" + label(core) + "</extra>",
        )
    figure.update_xaxes(axis("time in s after the first frame", rangemode="tozero"))
    figure.update_yaxes(axis("idle, %", range=[0, 102]))
    return draw(figure, name, "Idle share of each core over time; the numbers are in results.json.", 260)
