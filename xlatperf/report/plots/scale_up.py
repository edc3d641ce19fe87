"""Rates over the number of connections, subscribers or CPU cores, and over the validation's rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from xlatperf.procedures.quantity import Bound
from xlatperf.report.bounds import SIGNS
from xlatperf.report.markup import Markup
from xlatperf.report.plots.look import COLOURS, axis, draw, from_minimum_to_maximum, label, symbols
from xlatperf.report.scalability.groups import Group, on
from xlatperf.report.series import bound_of, performance
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary

_FAR = 4
"""From this ratio of the highest to the lowest rate on, the rate's axis is logarithmic."""


def plot(groups: Sequence[Group], name: str) -> Markup | None:
    """All lines of groups over the same, of the same frames; None if nothing was found."""
    figure = go.Figure()
    over = groups[0].over
    several = len({group.fixed for group in groups}) > 1
    number = 0
    for group in groups:
        for line in group.lines:
            found = line.totals()
            if not found:
                continue
            title = f"{line.name}{on(group.fixed)}" if several else line.name
            bounds = line.bounds()
            points = [(float(spot.value or 0), one, bounds.get(spot, "")) for spot, one in found.items()]
            _add(figure, label(title), points, line.unit, number)
            at = {place: one for place, one, _ in points}
            if over.proportional and 1 in at and len(at) > 1:
                _linear(figure, at, number)
            number += 1
    if not number:
        return None
    places = sorted({int(spot.value or 0) for group in groups for line in group.lines for spot in line.summaries()})
    text = [_short(place) for place in places]
    if over.proportional:
        figure.update_xaxes(axis(over.counted, tickvals=places, range=[0, max(places) * 1.06]))
        figure.update_yaxes(_from_zero())
    else:
        figure.update_xaxes(axis(f"{over.counted} (logarithmic)", type="log", tickvals=places, ticktext=text))
        figure.update_yaxes(_rate_axis(figure))
    return draw(figure, name, f"Rates over the number of {over.counted}; the numbers are in the table below.", 380)


def plot_alpha(
    rates: Mapping[str, Mapping[float, Measurement]], without: Mapping[str, Measurement], name: str
) -> Markup:
    """Validated establishment rate over alpha; the rate without validation as a dotted line of the same colour."""
    figure = go.Figure()
    for number, (title, items) in enumerate(rates.items()):
        found = {alpha: summary for alpha, item in items.items() if (summary := performance(item)) is not None}
        points = [(alpha, summary, bound_of(items[alpha], summary.median)) for alpha, summary in found.items()]
        _add(figure, label(title), points, "connections/s", number)
        plain = performance(without[title]) if title in without else None
        if plain is not None:
            figure.add_scatter(
                x=[0, max(found) * 1.06],
                y=[plain.median, plain.median],
                name=label(f"{title}, without validation"),
                mode="lines",
                line={"color": COLOURS[number % len(COLOURS)], "width": 1.5, "dash": "dot"},
                hovertemplate="without validation: <b>%{y:,.0f}</b><extra></extra>",
            )
    alphas = sorted({alpha for found in rates.values() for alpha in found})
    figure.update_xaxes(axis("alpha: rate of the validation / rate of phase 1", tickvals=alphas, rangemode="tozero"))
    figure.update_yaxes(axis("connections per second", rangemode="tozero", tickformat="~s"))
    return draw(figure, name, "Validated establishment rate over alpha; the numbers are in the table above.", 340)


def _add(
    figure: go.Figure,
    title: str,
    points: Sequence[tuple[float, Summary, Bound]],
    unit: str,
    n: int,
) -> None:
    """Medians with minimum and maximum. `points`: where, what, and whether the median is a bound."""
    of_each = [bound for _, _, bound in points]
    signs = [SIGNS[bound] for bound in of_each]
    summaries = [one for _, one, _ in points]
    figure.add_scatter(
        x=[place for place, _, _ in points],
        y=[one.median for one in summaries],
        name=title,
        mode="lines+markers",
        line={"color": COLOURS[n % len(COLOURS)], "width": 2},
        marker={"symbol": symbols(of_each, n), "size": 9},
        error_y=from_minimum_to_maximum(summaries),
        customdata=[[one.n, one.minimum, one.maximum, sign] for one, sign in zip(summaries, signs, strict=True)],
        hovertemplate="%{x:,}: median <b>%{customdata[3]}%{y:,.0f}</b> " + unit + " (N = %{customdata[0]})"
        "<br>%{customdata[1]:,.0f} to %{customdata[2]:,.0f}<extra>" + title + "</extra>",
    )


def _linear(figure: go.Figure, found: Mapping[float, Summary], number: int) -> None:
    """n P(1): what relative scale-up compares with."""
    figure.add_scatter(
        x=list(found),
        y=[place * found[1].median for place in found],
        name="linear scale-up",
        legendgroup="linear",
        showlegend=number == 0,
        mode="lines",
        line={"color": COLOURS[number % len(COLOURS)], "width": 1.2, "dash": "dot"},
        hoverinfo="skip",
    )


def _rate_axis(figure: go.Figure) -> dict[str, object]:
    values = [value for trace in figure.data for value in trace.y]
    if min(values) > 0 and max(values) / min(values) > _FAR:
        return axis(
            "connections or frames per second (logarithmic)",
            type="log",
            dtick=1 if max(values) / min(values) > 1000 else "D2",
            tickformat="~s",
            minor={"ticks": "outside", "showgrid": False},
        )
    return _from_zero()


def _from_zero() -> dict[str, object]:
    return axis("connections or frames per second", rangemode="tozero", tickformat="~s")


def _short(count: int) -> str:
    """`10 k`, `1 M`."""
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if count >= unit:
            return f"{count / unit:.4g} {name}"
    return str(count)
