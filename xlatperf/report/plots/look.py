"""How all plots look: colours that colour-blind people can tell apart (Okabe and Ito), light, no decoration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go
import plotly.io

from xlatperf.procedures.quantity import Bound
from xlatperf.report.markup import Markup, element
from xlatperf.results.statistics import Summary

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#5B4B8A", "#000000")
MARKERS = ("circle", "square", "diamond", "hexagon", "x", "cross", "pentagon", "star")
_OF_BOUNDS: dict[Bound, str] = {">=": "triangle-up", "<=": "triangle-down", "~": "circle-open"}
REFERENCE = "#6b7684"
FONT = "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
_GRID = "#e6eaef"
_CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "responsive": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "topojsonURL": "",
}


def symbols(bounds: Iterable[Bound], series: int) -> list[str]:
    """Of the markers of a series; a bound has its own."""
    return [_OF_BOUNDS.get(bound, MARKERS[series % len(MARKERS)]) for bound in bounds]


def from_minimum_to_maximum(summaries: Sequence[Summary], width: int = 5) -> dict[str, Any]:
    """Error bars about medians."""
    return {
        "type": "data",
        "symmetric": False,
        "thickness": 1.5,
        "width": width,
        "array": [one.maximum - one.median for one in summaries],
        "arrayminus": [one.median - one.minimum for one in summaries],
    }


def between_percentiles(summaries: Sequence[Summary], width: int = 5) -> dict[str, Any]:
    """Error bars about medians, from P1 to P99 (RFC 8219 §12)."""
    return {
        **from_minimum_to_maximum(summaries, width),
        "array": [one.p99 - one.median for one in summaries],
        "arrayminus": [one.median - one.p1 for one in summaries],
    }


def label(text: str) -> str:
    """Text for a plot: Plotly understands some HTML, so it is escaped."""
    return escape(text, quote=False)


def axis(title: str, **more: Any) -> dict[str, Any]:
    """A plain axis."""
    return {
        "title": {"text": title, "standoff": 12},
        "gridcolor": _GRID,
        "zeroline": False,
        "linecolor": "#b6bec8",
        "ticks": "outside",
        "tickcolor": "#b6bec8",
        "ticklen": 4,
        "automargin": True,
        **more,
    }


def draw(figure: go.Figure, name: str, described: str, height: int = 400) -> Markup:
    """The figure as a block of the page; `described` is for those who can't see it."""
    figure.update_layout(
        template="none",
        height=height,
        font={"family": FONT, "size": 12, "color": "#1c2733"},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="#ffffff",
        hovermode="closest",
        margin={"l": 64, "r": 16, "t": 16, "b": 56},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0, "xanchor": "left"},
        hoverlabel={"font": {"family": FONT}},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": "#b6bec8", "activecolor": COLOURS[0]},
    )
    written = plotly.io.to_html(
        figure, full_html=False, include_plotlyjs=False, config=_CONFIG, div_id=name, default_height=f"{height}px"
    )
    return element("figure", Markup(written), role="img", aria_label=described)
