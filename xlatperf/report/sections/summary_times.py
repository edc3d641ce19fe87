"""The summary's sentences and cards on times: latency, delay variation, back-to-back, recovery, reset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xlatperf.keys.in_words import plural
from xlatperf.procedures.back_to_back import BURST
from xlatperf.procedures.ipdv import MAXIMUM, MEDIAN, MINIMUM
from xlatperf.procedures.latency import FRAMES_LOST, TAGS_LOST, TAGS_SENT, TL, WCL
from xlatperf.procedures.pdv import PDV
from xlatperf.procedures.quantity import Quantity
from xlatperf.procedures.registry import BY_NAME
from xlatperf.procedures.reset import BY_LOSS, BY_TIME_STAMPS
from xlatperf.procedures.system_recovery import RECOVERY
from xlatperf.report import words
from xlatperf.report.card import card
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, element
from xlatperf.report.measured import short
from xlatperf.report.numerals import whole
from xlatperf.report.scale import best
from xlatperf.report.sections.back_to_back import CORRECTED, derived
from xlatperf.report.series import place
from xlatperf.report.values import alone, classes, directions, find, known, median_of, sent, total
from xlatperf.results.results import DirectionName, Measurement, ValueSeries


def sentences(evidence: Evidence) -> list[tuple[str, list[Content]]]:
    """By procedure: its name, and a sentence for each measurement."""
    said: dict[str, Callable[[Evidence, Measurement], Content]] = {
        "latency": _latency,
        "pdv": _pdv,
        "ipdv": _ipdv,
        "back_to_back": _back_to_back,
        "system_recovery": _recovery,
        "reset": _reset,
    }
    return [
        (f"results of {BY_NAME[procedure].title.lower()}", [_sentence(evidence, item, say) for item in found])
        for procedure, say in said.items()
        if (found := evidence.measurements(procedure))
    ]


def _sentence(evidence: Evidence, item: Measurement, say: Callable[[Evidence, Measurement], Content]) -> Content:
    where = f"{BY_NAME[item.procedure].title} at {words.sizes(item.frame_size)} bytes{words.with_mix(item)}"
    where += f"{place(item)}{_at(item)}: "
    if any(one.role == "result" and one.summary is not None for one in item.values):
        return [where, say(evidence, item), "."]
    if item.no_result is not None:
        return f"{where}{item.no_result}."
    if item.failures:
        return f"{where}no result ({plural(len(item.failures), 'repetition')}): {short(item.failures[0])}."
    return f"{where}no result: {_first_remark(item) or 'no repetition has ended yet'}."


def _first_remark(item: Measurement) -> str:
    return next((value.remark for one in item.values for value in one.values if value.remark), "")


def _at(item: Measurement) -> str:
    if item.rate_fps is None or item.procedure == "back_to_back":
        return ""
    share = f", {100 * item.share:g} % of the throughput" if item.share is not None else ""
    return f" at {item.rate_fps:,.0f} frames per second{share}"


def _each(item: Measurement, say: Callable[[DirectionName], Content]) -> Content:
    """The same for each direction."""
    parts: list[Content] = []
    for name in directions(item):
        said = say(name)
        if said is not None:
            parts += ["; " if parts else "", said, f" {words.DIRECTIONS[name]}"]
    return parts


def _of_classes(item: Measurement, quantities: Sequence[Quantity], name: DirectionName) -> str:
    """` (foreground 1 µs, background 2 µs)`; nothing without background."""
    said = [
        f"{of} {' and '.join(best(median_of(item, one, name, of)) for one in quantities)}"
        for of in classes(item)
        if of is not None
    ]
    return f" ({', '.join(said)})" if said else ""


def _strong(value: float | None, unit: str = "ns") -> Content:
    return element("strong", best(value, unit), title=None if value is None else f"{value!r} {unit}")


def _of(item: Measurement) -> str:
    count = len(item.repetitions)
    return f"median of {count} trials" if count > 1 else "a single trial, N = 1"


def _average_of(item: Measurement, what: str = "trial", many: str = "trials") -> str:
    count = len(item.repetitions)
    return f"average of {count} {many}" if count > 1 else f"a single {what}, N = 1"


def _lost(evidence: Evidence, item: Measurement) -> str:
    """Lost frames of all directions and repetitions."""
    lost = [total(item, FRAMES_LOST, name) for name in directions(item)]
    of = [sent(item, evidence.trials, name) for name in directions(item)]
    said = f"{sum(value or 0 for value in lost):,.0f}"
    return f"{said} of {sum(value or 0 for value in of):,.0f} frames lost" if all(of) else f"{said} frames lost"


def _latency(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    def each(name: DirectionName) -> Content:
        typical = median_of(item, TL, name)
        if typical is None:
            return None
        worst = _strong(median_of(item, WCL, name))
        return ["typical ", _strong(typical), ", worst-case ", worst, _of_classes(item, (TL, WCL), name)]

    tagged = sum(total(item, TAGS_SENT, name) or 0 for name in directions(item))
    lost = sum(total(item, TAGS_LOST, name) or 0 for name in directions(item))
    own = [one for name in directions(item) if (one := alone(item, name)) is not None]
    most = [
        best(max(value or 0 for value in values))
        for values in zip(*((one.tl_ns, one.wcl_ns) for one in own), strict=True)
    ]
    tester = f"; the Tester alone takes {' and '.join(most)}" if most else ""
    return [_each(item, each), f" ({_of(item)}, {lost:,.0f} of {tagged:,.0f} tagged frames lost{tester})"]


def _pdv(evidence: Evidence, item: Measurement) -> Content:
    def each(name: DirectionName) -> Content:
        value = median_of(item, PDV, name)
        return None if value is None else [_strong(value), _of_classes(item, (PDV,), name)]

    own = [one.pdv_ns for name in directions(item) if (one := alone(item, name)) is not None and one.pdv_ns is not None]
    tester = f"; the Tester alone has {best(max(own))}" if own else ""
    return [_each(item, each), f" ({_of(item)}, {_lost(evidence, item)}{tester})"]


def _ipdv(evidence: Evidence, item: Measurement) -> Content:
    def each(name: DirectionName) -> Content:
        low, middle, high = (median_of(item, one, name) for one in (MINIMUM, MEDIAN, MAXIMUM))
        if middle is None:
            return None
        return ["from ", _strong(low), " to ", _strong(high), f", median {best(middle)},"]

    return [_each(item, each), f" ({_of(item)}, {_lost(evidence, item)})"]


def _back_to_back(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    found = find(item, BURST, None)
    mean = None if found is None else found.mean
    corrected = derived(item, CORRECTED)
    at_least = words.limited_elsewhere(item)
    bound = "at least " if at_least else ""
    return [
        "bursts of ",
        bound or "up to ",
        element("strong", whole(mean)),
        f" frames per direction at {whole(item.rate_fps)} frames per second without loss "
        f"({_average_of(item, 'search', 'searches')}"
        f"{', limited by the Tester' if at_least else ''})",
        f"; corrected buffer time {bound}{best(corrected, 's')}" if corrected is not None else "",
    ]


def _recovery(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    if not any(
        known(find(item, RECOVERY, name)) and sum(known(find(item, RECOVERY, name))) for name in directions(item)
    ):
        return f"no frame was lost after the rate was reduced ({_average_of(item)})"
    return [
        "the last lost frame was due ",
        _each(item, partial(_mean_of, item, RECOVERY)),
        f" after the rate was reduced ({_average_of(item)})",
    ]


def _reset(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    parts: list[Content] = []
    for quantity, name in ((BY_LOSS, "by frame loss"), (BY_TIME_STAMPS, "by time stamps")):
        if quantity is BY_LOSS and total_loss(item) == 0:
            parts.append("no frame was lost; longest gap between arrivals ")
        elif any(_has(item, quantity, direction) for direction in directions(item)):
            means = _each(item, partial(_mean_of, item, quantity))
            before = "no forwarding for " if not parts else "" if total_loss(item) == 0 else "; "
            parts.append([before, means, f" {name}"])
    return [parts, f" ({_average_of(item)})"]


def total_loss(item: Measurement) -> float:
    """Frames lost in all directions and repetitions."""
    return sum(total(item, FRAMES_LOST, name) or 0 for name in directions(item))


def _has(item: Measurement, quantity: Quantity, direction: DirectionName) -> bool:
    found = find(item, quantity, direction)
    return found is not None and found.mean is not None


def _mean_of(item: Measurement, quantity: Quantity, direction: DirectionName) -> Content:
    found = find(item, quantity, direction)
    return None if found is None or found.mean is None else _strong(found.mean, found.unit)


def cards(evidence: Evidence) -> list[Markup]:
    """One for each procedure that has a result: at the throughput if there is one, and of the worse direction."""
    made: list[Markup] = []
    for procedure, quantity, unit in (
        ("latency", TL, "typical latency (TL)"),
        ("pdv", PDV, "packet delay variation"),
        ("back_to_back", BURST, "back-to-back frames"),
        ("system_recovery", RECOVERY, "system recovery"),
        ("reset", BY_LOSS, "reset, by frame loss"),
    ):
        found = _first(evidence.measurements(procedure), quantity)
        if found is not None:
            made.append(_card(*found, unit))
    return made


def _headline(one: ValueSeries) -> float:
    value = one.mean if one.headline == "mean" else None if one.summary is None else one.summary.median
    return 0.0 if value is None else value


def _is(one: ValueSeries, quantity: Quantity) -> bool:
    return one.quantity == quantity.name and one.traffic_class is None


def _first(measurements: Sequence[Measurement], quantity: Quantity) -> tuple[Measurement, ValueSeries] | None:
    having = [
        (item, max(found, key=_headline))
        for item in measurements
        if (found := [one for one in item.values if _is(one, quantity) and one.summary is not None])
    ]
    return min(having, key=lambda pair: -(1.0 if pair[0].share is None else pair[0].share), default=None)


def _card(item: Measurement, found: ValueSeries, unit: str) -> Markup:
    value = _headline(found)
    mix = "" if words.standard_mix(item) else f", {words.mix(item.mix)}"
    where = f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[found.direction or item.direction]}{mix}{place(item)}"
    caption: list[Content] = [
        element("b", where),
        element("br"),
    ]
    if item.share is not None:
        caption.append(f"at {100 * item.share:g} % of the throughput, ")
    caption.append(f"N = {len(item.repetitions)}")
    if found.quantity == TL.name:
        caption += [element("br"), f"worst-case (WCL): {best(median_of(item, WCL, found.direction))}"]
    if found.direction is not None and (own := alone(item, found.direction)) is not None:
        tester = own.tl_ns if found.quantity == TL.name else own.pdv_ns if found.quantity == PDV.name else None
        if tester is not None:
            caption += [element("br"), element("em", f"Tester alone: {best(tester)}")]
    shown = whole(value) if found.unit == "frames" else best(value, found.unit)
    at_least = item.procedure == "back_to_back" and words.limited_elsewhere(item)
    return card(["≥ " if at_least else "", shown], unit, caption)
