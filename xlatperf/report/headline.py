"""Cards of several procedures: of times, and of rates of connections."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xlatperf.procedures.quantity import Quantity
from xlatperf.report import words
from xlatperf.report.bounds import SIGNS
from xlatperf.report.card import card
from xlatperf.report.figure import figure, shown
from xlatperf.report.markup import Content, Markup, element
from xlatperf.report.own_delays import own_delays
from xlatperf.report.scale import NANOSECONDS, best
from xlatperf.report.sentence import with_size
from xlatperf.report.series import alpha_of, connections_of, performance, place, rate_found
from xlatperf.report.values import alone, repetitions
from xlatperf.results.results import Measurement
from xlatperf.results.value_records import TesterAloneDelay, ValueSeries


def worst(
    measurements: Sequence[Measurement],
    quantity: Quantity,
    unit: str,
    *,
    beside: Callable[[Measurement, ValueSeries], Content] = lambda *_: None,
    tester: Callable[[TesterAloneDelay], float | None] = lambda _: None,
) -> list[Markup]:
    """Of a quantity with a value in each direction: at the throughput if there is one, of the direction with
    the larger one.

    `beside`: a line below; `tester`: what the Tester takes alone, in ns.
    """
    having = [
        (item, max(values, key=lambda one: figure(item, one, one.headline).value or 0.0))
        for item in measurements
        if (values := [one for one in item.values if _is(one, quantity) and one.summary is not None])
    ]
    first = min(having, key=lambda pair: -(1.0 if pair[0].share is None else pair[0].share), default=None)
    if first is None:
        return []
    item, found = first
    mix = "" if words.standard_mix(item) else f", {words.mix(item.mix)}"
    where = f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[found.direction or item.direction]}{mix}{place(item)}"
    caption: list[Content] = [element("b", where), element("br")]
    if item.share is not None:
        caption.append(f"at {words.share(item)}, ")
    caption.append(f"N = {repetitions(item)}")
    more = beside(item, found)
    if more is not None:
        caption += [element("br"), more]
    own = alone(item, found.direction) if found.direction is not None else None
    own_ns = tester(own) if own is not None else None
    if own_ns is not None:
        caption += [element("br"), element("em", f"Tester alone: {best(own_ns)}")]
    if own_delays(item):
        caption += [element("br"), element("em", "partly the Tester's own: see below")]
    said = figure(item, found, found.headline)
    large = [SIGNS[said.bound], best(said.value, said.unit)] if said.unit in NANOSECONDS else shown(said)
    return [card(large, unit, caption)]


def _is(one: ValueSeries, quantity: Quantity) -> bool:
    return one.quantity == quantity.name and one.traffic_class is None and one.rate_fps is None


def rate_card(measurements: Sequence[Measurement], unit: str) -> list[Markup]:
    """With the most connections, without validation if there is a choice."""
    having = [item for item in measurements if performance(item) is not None]
    if not having:
        return []
    item = max(having, key=lambda one: (alpha_of(one) is None, connections_of(one) or 0))
    alpha = alpha_of(item)
    validated = None if alpha is None else f"validated, alpha = {alpha:g}"
    return of_rate(item, with_size(item).removeprefix(", ").strip(), unit, validated)


def of_rate(item: Measurement, where: str, unit: str, beside: Content = None) -> list[Markup]:
    """Of the rate that a procedure finds, with what limits it if it isn't the device; none without a rate."""
    found, median = performance(item), rate_found(item, "median")
    if found is None or median is None:
        return []
    span = f"{found.minimum:,.0f} to {found.maximum:,.0f}" if found.n > 1 else "one only"
    caption: list[Content] = [element("b", where), element("br"), f"N = {found.n}: {span}"]
    if beside is not None:
        caption += [element("br"), beside]
    if median.bound:
        caption += [element("br"), element("em", f"limited by: {words.limited_by(item)}")]
    return [card(shown(median), unit, caption, "" if found.maximum else "bad")]
