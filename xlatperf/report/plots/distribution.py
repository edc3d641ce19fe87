"""Distribution of delays with the DUT and of the Tester alone, from the histograms of one repetition.

Left F(x), the share of frames that took at most so long; right its complement on a logarithmic axis: the tail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from xlatperf.keys.in_words import plural
from xlatperf.report import words
from xlatperf.report.bounds import SIGNS, of_share
from xlatperf.report.evidence import Evidence
from xlatperf.report.histogram import Delays
from xlatperf.report.markup import Content, element, folded, paragraph
from xlatperf.report.plots.look import COLOURS, REFERENCE, axis, draw, label
from xlatperf.report.selection import Selection
from xlatperf.report.series import place
from xlatperf.report.values import classes, directions
from xlatperf.results.results import Measurement

_SHOWN = 2
"""So many figures are open, the others are folded."""
_POINTS = 200
_TITLE = "delay (logarithmic)"


@dataclass(frozen=True)
class Distribution:
    """One distribution. `pair`: lines of the same pair have the same colour."""

    title: str
    pair: int
    tester_alone: bool
    delays: Delays


def figures(of: Selection) -> Content:
    """One figure for each frame size and mix; nothing without histograms."""
    groups: dict[tuple[str, str, str, str], list[Measurement]] = {}
    for item in of.measurements:
        key = (item.series, words.sizes(item.frame_size), words.mix(item.mix), place(item))
        groups.setdefault(key, []).append(item)
    drawn: list[Content] = []
    for (name, sizes, mix, where), members in groups.items():
        found = _lines(of.evidence, members)
        if not all(line.tester_alone for line in found):
            title = f"{sizes} bytes{where}" + ("" if words.standard_mix(members[0]) else f", {mix}")
            title += f", {name}" if len({key[0] for key in groups}) > 1 else ""
            rates = " and ".join(dict.fromkeys(f"{item.rate_fps:,.0f}" for item in members if item.rate_fps))
            drawn.append(
                [
                    element("h4", title, element("span", f" at {rates} frames/s per direction", class_="muted")),
                    draw(
                        _figure(found),
                        f"plot-{members[0].procedure}-{len(drawn)}",
                        f"Distribution of the delays at {title}; figures are in the table above.",
                        360,
                    ),
                    paragraph(_counts(found), class_="muted"),
                ]
            )
    if not drawn:
        return None
    more = len(drawn) - _SHOWN
    return [
        element("h3", "Distribution of the delays"),
        paragraph(
            "Of all frames of the first repetition that came back, tagged or not. Left: share of frames that took at "
            "most so long. Right: share that took longer, so that the slowest frames show; at 0.1 % a line is at the "
            "99.9th percentile. Dotted in the same colour: the Tester alone at the same rate.",
            class_="muted",
        ),
        *drawn[:_SHOWN],
        folded(plural(more, "more frame size", "more frame sizes and mixes"), *drawn[_SHOWN:]) if more > 0 else None,
    ]


def _lines(evidence: Evidence, members: Sequence[Measurement]) -> list[Distribution]:
    found: list[Distribution] = []
    pair = 0
    for item in members:
        for direction in directions(item):
            title = words.ARROWS[direction]
            if len(members) > 1 and item.share is not None:
                title += f" at {SIGNS[of_share(item)]}{100 * item.share:g} %"
            for of in classes(item):
                for file in item.histograms:
                    if file.tester_alone and of is not None:
                        continue
                    delays = evidence.delays(file.file, direction, of)
                    if delays is not None:
                        found.append(Distribution(f"{title}, {of}" if of else title, pair, file.tester_alone, delays))
                pair += 1
    return found


def _counts(lines: Sequence[Distribution]) -> str:
    """How many frames each line is of."""
    said = [
        f"{line.title}{', Tester alone' if line.tester_alone else ''}: {int(line.delays.count.sum()):,}"
        for line in lines
    ]
    return f"Frames with a delay: {'; '.join(said)}."


def _figure(lines: Sequence[Distribution]) -> go.Figure:
    figure = make_subplots(rows=1, cols=2, horizontal_spacing=0.1)
    for line in lines:
        seconds, at_most, longer = thinned(line.delays)
        title = f"{line.title}, {'Tester alone' if line.tester_alone else 'with the DUT'}"
        for column, share in ((1, at_most), (2, longer)):
            figure.add_scatter(
                x=seconds,
                y=share,
                row=1,
                col=column,
                name=label(title),
                legendgroup=title,
                showlegend=column == 1,
                mode="lines",
                line={
                    "shape": "hv",
                    "color": COLOURS[line.pair % len(COLOURS)],
                    "width": 1.6 if line.tester_alone else 2.2,
                    "dash": "dot" if line.tester_alone else "solid",
                },
                hovertemplate=(
                    "<b>%{y:.3%}</b> " + ("within" if column == 1 else "longer than") + " %{x:.4s}s<extra>"
                    f"{label(title)}</extra>"
                ),
            )
    figure.update_xaxes(
        axis(
            _TITLE, type="log", dtick=1, tickformat="~s", ticksuffix="s", minor={"ticks": "outside", "showgrid": False}
        )
    )
    figure.update_yaxes(axis("share of frames ≤ x", range=[0, 1.02], tickformat=".0%"), row=1, col=1)
    figure.update_yaxes(
        axis("share of frames > x (logarithmic)", type="log", dtick=1, tickformat="~%", exponentformat="power"),
        row=1,
        col=2,
    )
    figure.add_hline(y=0.001, row=1, col=2, line={"color": REFERENCE, "width": 1, "dash": "dash"})
    return figure


def thinned(delays: Delays) -> tuple[list[float], list[float], list[float]]:
    """Delays in s with F(x) and 1 - F(x), as steps; of many points those that are apart on the axes.

    The last step of 1 - F(x) ends at the longest delay: 0 has no place on a logarithmic axis.
    """
    kept = delays.count > 0
    seconds = np.maximum(delays.value_ns[kept], 0.5) / 1e9
    counts = delays.count[kept]
    total = int(counts.sum())
    so_far = np.cumsum(counts)
    at_most, longer = so_far / total, (total - so_far) / total
    longer[-1] = longer[-2] if len(longer) > 1 else 1.0
    if len(seconds) > 2 * _POINTS:
        places = {0, len(seconds) - 1}
        for values in (np.log(seconds), at_most, -np.log(longer)):
            wanted = np.linspace(values[0], values[-1], _POINTS)
            places.update(int(place) for place in np.minimum(np.searchsorted(values, wanted), len(seconds) - 1))
        chosen = np.array(sorted(places))
        seconds, at_most, longer = seconds[chosen], at_most[chosen], longer[chosen]
    return (
        _rounded([seconds[0], *seconds]),
        _rounded([0.0, *at_most]),
        _rounded([1.0, *longer]),
    )


def _rounded(values: Sequence[float]) -> list[float]:
    """Six digits are enough to draw, and keep the page small."""
    return [float(f"{value:.6g}") for value in values]
