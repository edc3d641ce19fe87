"""The summary's sentences and cards on connections: establishment, tear-down, capacity, what the device forgets."""

from __future__ import annotations

from collections.abc import Callable

from xlatperf.keys.in_words import plural
from xlatperf.procedures.capacity_result import CAPACITY, FAILED
from xlatperf.procedures.establishment import ERROR
from xlatperf.procedures.registry import BY_NAME
from xlatperf.procedures.teardown import DELETING, GROSS_RATE
from xlatperf.report import words
from xlatperf.report.card import card
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, element
from xlatperf.report.measured import short
from xlatperf.report.numerals import rate, whole
from xlatperf.report.scale import best
from xlatperf.report.series import alpha_of, connections_of, performance, place
from xlatperf.report.values import find, median_of, parameter
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary


def sentences(evidence: Evidence) -> list[tuple[str, list[Content]]]:
    """By procedure: its name, and a sentence for each measurement; first what the device forgets."""
    said: dict[str, Callable[[Evidence, Measurement], Content]] = {
        "establishment": _establishment,
        "teardown": _teardown,
        "capacity": _capacity,
    }
    forgotten: list[Content] = [
        element("strong", f"{check.text[:1].upper()}{check.text[1:]}.")
        for check in evidence.results.timeout_checks
        if check.verdict == "forgets"
    ]
    found = [
        (f"results of {BY_NAME[procedure].title.lower()}", [_sentence(evidence, item, say) for item in measurements])
        for procedure, say in said.items()
        if (measurements := evidence.measurements(procedure))
    ]
    return [("connections forgotten", list(forgotten)), *found] if forgotten else found


def _sentence(evidence: Evidence, item: Measurement, say: Callable[[Evidence, Measurement], Content]) -> Content:
    if any(one.role == "result" and one.summary is not None for one in item.values):
        return say(evidence, item)
    where = f"{BY_NAME[item.procedure].title}{_where(item)}: "
    if item.no_result is not None:
        return f"{where}{item.no_result}."
    if item.failures:
        return f"{where}no result ({plural(len(item.failures), 'repetition')}): {short(item.failures[0], 200)}."
    why = next((value.remark for one in item.values for value in one.values if value.remark), None)
    return f"{where}{why or 'no result: no repetition has ended yet'}."


def _where(item: Measurement) -> str:
    return f"{place(item)}, {words.sizes(item.frame_size)} bytes"


def _spread(found: Summary, what: str, many: str) -> str:
    if found.n == 1:
        return f"a single {what}, N = 1"
    return f"median of {found.n} {many}, from {found.minimum:,.0f} to {found.maximum:,.0f}"


def _establishment(evidence: Evidence, item: Measurement) -> Content:
    found, alpha, error = performance(item), alpha_of(item), find(item, ERROR, None)
    if found is None:
        return None
    width = f", error {error.summary.maximum:,.0f}" if error is not None and error.summary is not None else ""
    how = "" if alpha is None else f", all of them validated at alpha = {alpha:g}"
    said: list[Content] = [
        f"{evidence.device} establishes up to ",
        element("strong", rate(found.median)),
        f" connections per second{_where(item)}{how} ({_spread(found, 'search', 'searches')}{width}).",
    ]
    if words.only_limit(item, "tester"):
        said.append(element("em", " The Tester could not do more: the device's limit is this or higher."))
    elif words.only_limit(item, "maximum"):
        said.append(element("em", " That was the highest rate asked for: the device's limit is this or higher."))
    return said


def _teardown(evidence: Evidence, item: Measurement) -> Content:
    found = performance(item)
    if found is None:
        return None
    gross = median_of(item, GROSS_RATE, None)
    call = f"; {whole(gross)} with what an empty table takes" if gross is not None else ""
    bound = "at least " if words.limited_elsewhere(item) else ""
    return [
        f"{evidence.device} deletes {connections_of(item) or 0:,} connections in "
        f"{best(median_of(item, DELETING, None), 's')}: ",
        element("strong", f"{bound}{rate(found.median)}"),
        f" connections per second{call} ({_spread(found, 'deletion', 'deletions')}).",
    ]


def _capacity(evidence: Evidence, item: Measurement) -> Content:
    found = find(item, CAPACITY, None)
    if found is None or found.summary is None:
        return None
    error, failed = parameter(item, "tolerated_error"), median_of(item, FAILED, None)
    return [
        f"{evidence.device} holds ",
        element("strong", whole(found.summary.median)),
        f" connections{f' (E = {error})' if error else ''}, all established and validated"
        + (f"; {whole(failed)} were too many" if failed is not None else "")
        + f" ({_spread(found.summary, 'search', 'searches')}).",
    ]


def cards(evidence: Evidence) -> list[Markup]:
    """One for each procedure that has a result: with the most connections, without validation if there is a choice."""
    made: list[Markup] = []
    for procedure, unit in (("establishment", "new connections/s"), ("teardown", "connections deleted/s")):
        having = [item for item in evidence.measurements(procedure) if performance(item) is not None]
        best_known = max(having, key=lambda item: (alpha_of(item) is None, connections_of(item) or 0), default=None)
        if best_known is not None:
            made.append(_rate_card(best_known, unit))
    for item in evidence.measurements("capacity")[:1]:
        found = find(item, CAPACITY, None)
        if found is not None and found.summary is not None:
            error = parameter(item, "tolerated_error")
            caption: list[Content] = [element("b", "connection tracking table capacity"), element("br")]
            caption.append(f"E = {error}, N = {found.summary.n}" if error else f"N = {found.summary.n}")
            made.append(card(whole(found.summary.median), "connections", caption))
    return made


def _rate_card(item: Measurement, unit: str) -> Markup:
    found = performance(item)
    assert found is not None  # noqa: S101 - the caller has looked
    alpha = alpha_of(item)
    span = f"{found.minimum:,.0f} to {found.maximum:,.0f}" if found.n > 1 else "one only"
    at_least = words.only_limit(item, "tester") or words.only_limit(item, "maximum")
    if item.procedure == "teardown":
        at_least = words.limited_elsewhere(item)  # one lower bound makes the rate of the medians one
    caption: list[Content] = [
        element("b", f"{_where(item).removeprefix(', ').strip()}"),
        element("br"),
        f"N = {found.n}: {span}",
    ]
    if alpha is not None:
        caption += [element("br"), f"validated, alpha = {alpha:g}"]
    if at_least:
        caption += [element("br"), element("em", f"limited by: {words.limited_by(item)}")]
    return card(["≥ " if at_least else "", rate(found.median)], unit, caption, "" if found.maximum else "bad")
