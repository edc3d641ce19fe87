"""Rates of the campaigns beside each other as bars, with minimum and maximum."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from xlatperf.procedures.quantity import Bound
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.kind import Kind
from xlatperf.report.comparison.rows import Row
from xlatperf.report.markup import Content, element
from xlatperf.report.plots.look import COLOURS, axis, draw, from_minimum_to_maximum, label

_UNITS = ("frames/s per direction", "connections/s")
_MOST = 16
_SHAPES: dict[Bound, str] = {"": "", ">=": "/", "<=": "/", "~": "x"}
"""Rows of one plot; more can't be read."""


def plots(campaigns: Sequence[Campaign], lines: Sequence[Row]) -> Content:
    """One for each unit of rates; a rate that only one campaign has is in the table."""
    drawn = []
    for unit in _UNITS:
        wanted = [line for line in lines if line.kind.unit == unit and line.shared][:_MOST]
        if wanted:
            drawn.append(_plot(campaigns, wanted, unit))
    return element("div", drawn, class_="pair") if len(drawn) > 1 else drawn


def _plot(campaigns: Sequence[Campaign], lines: Sequence[Row], unit: str) -> Content:
    figure = go.Figure()
    places = [label(_place(line.kind, lines)) for line in lines]
    for index, campaign in enumerate(campaigns):
        having = [
            (place, one.summary, one.bound)
            for place, line in zip(places, lines, strict=True)
            if (one := line.found[index]) is not None and one.summary is not None
        ]
        if not having:
            continue
        figure.add_bar(
            x=[place for place, _, _ in having],
            y=[one.median for _, one, _ in having],
            name=campaign.letter,
            marker={
                "color": COLOURS[index % len(COLOURS)],
                "pattern": {"shape": [_SHAPES[bound] for _, _, bound in having], "solidity": 0.2},
            },
            error_y=from_minimum_to_maximum([one for _, one, _ in having], 4),
            customdata=[[one.n, one.minimum, one.maximum] for _, one, _ in having],
            hovertemplate="median <b>%{y:,.0f}</b> (N = %{customdata[0]})"
            f"<br>%{{customdata[1]:,.0f}} to %{{customdata[2]:,.0f}}<extra>{label(campaign.name)}</extra>",
        )
    figure.update_layout(barmode="group", bargap=0.35)
    figure.update_xaxes(axis("", categoryorder="array", categoryarray=places))
    figure.update_yaxes(axis(unit, rangemode="tozero", tickformat="~s"))
    name = f"plot-{unit.partition('/')[0]}"
    return draw(figure, name, f"{unit} of the campaigns; the numbers are in the table below.", 340)


def _place(kind: Kind, lines: Sequence[Row]) -> str:
    """What tells the row from the others; plain HTML breaks the line."""
    several = len({line.kind.procedure for line in lines}) > 1
    words = [*([kind.procedure.replace("_", " ")] if several else []), kind.size_in_words, kind.conditions]
    if len({line.kind.direction for line in lines}) > 1:
        words.append(kind.direction)
    return ", ".join(word for word in words if word)
