"""What the summary's sentences have in common: where, how many, and why there is no result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xlatperf.engine.message import DirectionName
from xlatperf.keys.in_words import plural
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.quantity import Quantity
from xlatperf.procedures.registry import BY_NAME
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.figure import figure, in_words
from xlatperf.report.markup import Content, element
from xlatperf.report.own_delays import own_delays
from xlatperf.report.scale import best
from xlatperf.report.series import place
from xlatperf.report.values import classes, directions, find, has_result, median_of, rates, repetitions, sent, total
from xlatperf.report.why_not import short
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary


def of_times(item: Measurement, said: Callable[[], Content], *, rates: bool = True) -> Content:
    """`Latency at 84/64 bytes at 1,000 frames per second: ...`; in place of what would be said, why there is nothing.

    `rates`: whether the trials' rate belongs to where it is.
    """
    where = f"{BY_NAME[item.procedure].facts.title} at {words.sizes(item.frame_size)} bytes{words.with_mix(item)}"
    where += f"{place(item)}{_at(item) if rates else ''}: "
    if has_result(item):
        own = "; ".join(own_delays(item))
        return [where, said(), ".", element("em", f" {own[:1].upper()}{own[1:]}.") if own else None]
    return without(item, where, short(item.failures[0]) if item.failures else "", "no result: ")


def of_connections(item: Measurement, said: Callable[[], Content]) -> Content:
    """What is said; in its place why there is nothing."""
    if has_result(item):
        return said()
    where = f"{BY_NAME[item.procedure].facts.title}{with_size(item)}: "
    return without(item, where, short(item.failures[0], 200) if item.failures else "", "")


def without(item: Measurement, where: str, failure: str, before: str) -> str:
    """Why a measurement has no result. `before`: stands before what its values say."""
    if item.no_result is not None:
        return f"{where}{item.no_result.in_words()}."
    if item.failures:
        return f"{where}no result ({plural(len(item.failures), 'repetition')}): {failure}."
    why = next((value.remark for one in item.values for value in one.values if value.remark), None)
    if why is None:
        return f"{where}no result: no repetition has ended yet."
    return f"{where}{before}{why}."


def with_size(item: Measurement) -> str:
    """` with 1,000 connections, 64 bytes`."""
    return f"{place(item)}, {words.sizes(item.frame_size)} bytes"


def _at(item: Measurement) -> str:
    if item.rate_fps is None:
        return ""
    share = f", {words.share(item)}" if item.share is not None else ""
    return f" at {item.rate_fps:,.0f} frames per second{share}"


def of_results(evidence: Evidence, item: Measurement) -> Content:
    """What a procedure found, if nothing else is said of it."""
    facts = BY_NAME[item.procedure].facts

    def each(name: DirectionName | None) -> Content:
        found = [
            f"{quantity.name} {in_words(figure(item, series, series.headline))}"
            for quantity in facts.results
            if (series := find(item, quantity, name)) is not None and series.summary is not None
        ]
        return element("strong", ", ".join(found)) if found else None

    def said() -> Content:
        at = [one for one in rates(item) if one is not None]
        if at:
            return (
                f"measured at {plural(len(at), 'rate')} of up to {max(at):,.0f} frames per second; the table has them"
            )
        how = "average" if facts.results[0].headline == "mean" else "median"
        beside = and_lost(evidence, item) if FRAMES_LOST in facts.quantities else ""
        return [each(None) or each_direction(item, each), f" ({over(item, how)}{beside})"]

    return of_times(item, said)


def by_direction(
    each: Callable[[Measurement, DirectionName], Content],
    *beside: Callable[[Evidence, Measurement], str],
) -> Callable[[Evidence, Measurement], Content]:
    """A sentence with what `each` says of each direction, and in brackets of how many trials that is, and `beside`."""

    def sentence(evidence: Evidence, item: Measurement) -> Content:
        def said() -> Content:
            more = "".join(one(evidence, item) for one in beside)
            return [each_direction(item, partial(each, item)), f" ({over(item, 'median')}{more})"]

        return of_times(item, said)

    return sentence


def each_direction(item: Measurement, say: Callable[[DirectionName], Content]) -> Content:
    """The same for each direction."""
    parts: list[Content] = []
    for name in directions(item):
        said = say(name)
        if said is not None:
            parts += ["; " if parts else "", said, f" {words.DIRECTIONS[name]}"]
    return parts


def of_classes(item: Measurement, quantities: Sequence[Quantity], name: DirectionName) -> str:
    """` (foreground 1 µs, background 2 µs)`; nothing without background."""
    said = [
        f"{of} {' and '.join(best(median_of(item, one, name, of)) for one in quantities)}"
        for of in classes(item)
        if of is not None
    ]
    return f" ({', '.join(said)})" if said else ""


def strong(value: float | None, unit: str = "ns") -> Content:
    """A time, exact under the pointer."""
    return element("strong", best(value, unit), title=None if value is None else f"{value!r} {unit}")


def strong_mean(item: Measurement, quantity: Quantity, direction: DirectionName) -> Content:
    """The average of a time in a direction; None if there is none."""
    found = find(item, quantity, direction)
    return None if found is None or found.mean is None else strong(found.mean, found.unit)


def over(item: Measurement, how: str, what: str = "trial", many: str = "trials") -> str:
    """`median of 20 trials`."""
    count = repetitions(item)
    return f"{how} of {count} {many}" if count > 1 else f"a single {what}, N = 1"


def spread(found: Summary, what: str, many: str) -> str:
    """`median of 10 searches, from 1,000 to 1,100`."""
    if found.n == 1:
        return f"a single {what}, N = 1"
    return f"median of {found.n} {many}, from {found.minimum:,.0f} to {found.maximum:,.0f}"


def and_lost(evidence: Evidence, item: Measurement) -> str:
    """`, ` and `lost`."""
    return f", {lost(evidence, item)}"


def lost(evidence: Evidence, item: Measurement) -> str:
    """Lost frames of all directions and repetitions."""
    frames = [total(item, FRAMES_LOST, name) for name in directions(item)]
    of = [sent(item, evidence.trials, name) for name in directions(item)]
    said = f"{sum(value or 0 for value in frames):,.0f}"
    return f"{said} of {sum(value or 0 for value in of):,.0f} frames lost" if all(of) else f"{said} frames lost"


def not_the_devices(item: Measurement) -> Content:
    """Of a search whose result the device doesn't limit; None: it does, at least sometimes."""
    if words.only_limit(item, "tester"):
        return element("em", " The Tester could not do more: the device's limit is this or higher.")
    if words.only_limit(item, "maximum"):
        return element("em", " That was the highest rate asked for: the device's limit is this or higher.")
    if any(one.limited_by == "buffers" for one in item.repetitions):
        said = " Phase 1 took less than 1 s, which the device's buffers may bear: it's no rate that the device is known"
        return element("em", f"{said} to bear. Use more connections.")
    return None
