"""Columns that several tables on measurements have: repetitions, spreads, averages, medians, what was lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.quantity import Quantity
from xlatperf.procedures.trial import Trial
from xlatperf.report import words
from xlatperf.report.bounds import SIGNS, of_series
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, badge, element
from xlatperf.report.numerals import NONE, percent, rate, whole
from xlatperf.report.scale import Scale
from xlatperf.report.series import bound_of, performance
from xlatperf.report.table import Column
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary
from xlatperf.results.value_records import TesterAloneDelay, ValueSeries

_Found = TypeVar("_Found")


def repetitions(title: str = "N", unit: str = "") -> Column[Line]:
    """N, and whether there will be more."""
    return Column(title, lambda line: _repetitions(line.item), unit)


def _repetitions(item: Measurement) -> str:
    counts = [one.summary.n for one in item.values if one.role == "result" and one.summary is not None]
    ran = max(counts, default=0)
    return str(ran) if item.complete else f"{ran} so far"


def all_small(measurements: Sequence[Measurement]) -> bool:
    """True if P1 is the minimum and P99 the maximum everywhere (RFC 2330 §11.3: N below 100)."""
    return all(one.summary is None or one.summary.n < 100 for item in measurements for one in item.values)


def spread_of_times(group: str, quantity: Quantity, scale: Scale, *, small: bool) -> list[Column[Line]]:
    """Median, P1, P99 of a time; minimum and maximum where they are not the same."""

    def shown(_: Line, value: float) -> Content:
        return scale.shown(value, quantity.unit)

    return _spread(group, lambda line: _summary(line.find(quantity)), shown, small=small)


def spread_of_rates(group: str, unit: str, *, small: bool) -> list[Column[Line]]:
    """The same of the rate that a procedure finds, in `unit`; where it's a bound, as one."""

    def shown(line: Line, value: float) -> Content:
        return bounded_rate(line.item, value, unit)

    return _spread(group, lambda line: performance(line.item), shown, small=small)


def bounded_rate(item: Measurement, value: float, unit: str) -> Content:
    """A statistic of the rate that a procedure finds, with its sign."""
    return [SIGNS[bound_of(item, value)], rate(value, unit)]


def _spread(
    group: str,
    summary: Callable[[Line], Summary | None],
    shown: Callable[[Line, float], Content],
    *,
    small: bool,
) -> list[Column[Line]]:
    ends = (" =\N{NO-BREAK SPACE}min", " =\N{NO-BREAK SPACE}max") if small else ("", "")
    columns = [
        _column("Median", group, summary, lambda line, one: element("strong", shown(line, one.median))),
        _column(f"P1{ends[0]}", group, summary, lambda line, one: shown(line, one.p1)),
        _column(f"P99{ends[1]}", group, summary, lambda line, one: shown(line, one.p99)),
    ]
    if not small:
        columns.append(_column("Min", group, summary, lambda line, one: shown(line, one.minimum)))
        columns.append(_column("Max", group, summary, lambda line, one: shown(line, one.maximum)))
    return columns


def _column(
    title: str,
    group: str,
    find: Callable[[Line], _Found | None],
    shown: Callable[[Line, _Found], Content],
) -> Column[Line]:
    """A dash where nothing is found."""

    def cell(line: Line) -> Content:
        found = find(line)
        return NONE if found is None else shown(line, found)

    return Column(title, cell, "", group)


def dispersion() -> Column[Line]:
    """(P99 - P1) / median of the rate that a procedure finds."""

    def cell(line: Line) -> Content:
        found = performance(line.item)
        if found is None or found.dispersion is None or found.n == 1:
            return NONE
        return percent(100 * found.dispersion)

    return Column("Dispersion", cell, "%")


_TONES = {
    "DUT": "plain",
    "Tester": "warn",
    "highest rate asked": "warn",
    "lowest rate failed": "bad",
    "phase 1 below 1 s": "warn",
}


def limit(item: Measurement) -> Content:
    """What keeps the rate from being higher, coloured where it isn't the DUT."""
    limited_by = words.limited_by(item)
    if limited_by == NONE:
        return NONE
    shown = badge(limited_by, _TONES.get(limited_by, "plain"))
    of_class = words.limiting_class(item)
    return shown if of_class is None else [shown, f" {of_class}"]


def average(
    group: str,
    quantity: Quantity,
    shown: Callable[[float | None], Content],
) -> list[Column[Line]]:
    """Average, minimum, maximum, standard deviation: where the standard wants the average."""

    def known(line: Line) -> ValueSeries | None:
        found = line.find(quantity)
        return found if _summary(found) is not None else None

    def end(line: Line, series: ValueSeries, value: Callable[[Summary], float]) -> Content:
        if series.summary is None:
            return NONE
        found = value(series.summary)
        return [SIGNS[of_series(line.item, series, found)], shown(found)]

    return [
        _column(
            "Average",
            group,
            known,
            lambda line, one: element("strong", SIGNS[of_series(line.item, one)], shown(one.mean)),
        ),
        _column("Min", group, known, lambda line, one: end(line, one, lambda found: found.minimum)),
        _column("Max", group, known, lambda line, one: end(line, one, lambda found: found.maximum)),
        _column("Std. dev.", group, known, lambda _, one: shown(one.standard_deviation)),
    ]


def throughput(unit: str, group: str = "") -> Column[Line]:
    """That the rates follow from."""

    def cell(line: Line) -> Content:
        return [SIGNS[">="] if line.item.throughput_more_possible else "", rate(line.item.throughput_fps)]

    return Column("Throughput", cell, unit, group)


def median(
    title: str,
    quantity: Quantity,
    shown: Callable[[float | None], Content],
    unit: str = "",
    group: str = "",
) -> Column[Line]:
    """Over the repetitions."""
    return Column(title, lambda line: shown(line.median(quantity)), unit, group)


def total_frames(title: str, quantity: Quantity, group: str = "") -> Column[Line]:
    """Of all repetitions together."""
    return Column(title, lambda line: whole(line.total(quantity)), "", group)


def tester_alone(title: str, value: Callable[[TesterAloneDelay], float | None], scale: Scale) -> Column[Line]:
    """What the Tester takes by itself at the same rate."""

    def cell(line: Line) -> Content:
        own = line.alone
        return scale.shown(None if own is None else value(own))

    return Column(title, cell, "", f"Tester alone, {scale.unit}", class_="alone")


def frames_lost(trials: Mapping[int, Trial]) -> Column[Line]:
    """Beside percentiles, which don't contain them."""
    return Column("Frames lost", lambda line: lost_share(line.total(FRAMES_LOST), line.sent(trials)))


def _summary(found: ValueSeries | None) -> Summary | None:
    return None if found is None else found.summary


def lost_share(lost: float | None, sent: float | None) -> Content:
    """`12 (0.03 %)`: a loss beside percentiles that don't contain it."""
    if lost is None:
        return NONE
    if not lost or not sent:
        return whole(lost)
    return f"{whole(lost)} ({percent(100 * lost / sent)} %)"
