"""Columns of a procedure's table, as data: which statistic of which quantity, under which heading.

Each is asked for its columns with what the section is about (`Selection`): that knows units, places and signs. What
stands in the cells are the figures of summary.csv.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.quantity import Quantity
from xlatperf.report import words
from xlatperf.report.bounds import SIGNS
from xlatperf.report.figure import Figure, Statistic
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, badge, element
from xlatperf.report.numerals import NONE, percent, rate, whole
from xlatperf.report.selection import Selection
from xlatperf.report.series import performance
from xlatperf.report.table import Column
from xlatperf.report.values import repetitions as ran
from xlatperf.results.results import Measurement
from xlatperf.results.value_records import TesterAloneDelay

Columns = Callable[[Selection], Iterable[Column[Line]]]


def always(*columns: Column[Line]) -> Columns:
    """Those that need to know nothing."""
    return lambda _: columns


def by_itself(procedure: type[Procedure]) -> tuple[Columns, ...]:
    """Of a procedure that says nothing else: its results with their spread, what stands beside as medians."""
    facts = procedure.facts
    rates = (spread_of_rate(f"{facts.performance[0].name}, {facts.performance[0].unit}"),) if facts.performance else ()
    return (
        repetitions(),
        *rates,
        *(_usual(one) for one in facts.results if one not in facts.performance),
        *(_beside(one) for one in facts.quantities if one.role == "beside"),
    )


def _usual(quantity: Quantity) -> Columns:
    return (average if quantity.headline == "mean" else spread)(quantity.name, quantity)


def _beside(quantity: Quantity) -> Columns:
    if quantity is FRAMES_LOST:
        return frames_lost()
    return lambda of: [column.under("Beside, medians") for column in median(quantity.name, quantity)(of)]


def repetitions(title: str = "N", unit: str = "") -> Columns:
    """N, and whether there will be more."""
    return always(Column(title, lambda line: f"{ran(line.item)}{'' if line.item.complete else ' so far'}", unit))


def spread(group: str, quantity: Quantity) -> Columns:
    """Median, P1, P99; minimum and maximum where they are not the same."""
    return lambda of: _group(of, group, quantity.unit, _of(quantity), _spread(of, "Median"))


def spread_of_rate(group: str) -> Columns:
    """The same of the rate that a procedure finds, whose unit `group` says."""

    def columns(of: Selection) -> Iterable[Column[Line]]:
        middle = "Of medians" if of.procedure.facts.of_medians else "Median"
        return _group(of, group, "", lambda line, which: line.rate(which), _spread(of, middle))

    return columns


def average(group: str, quantity: Quantity) -> Columns:
    """Average, minimum, maximum, standard deviation: where the standard wants the average."""
    return lambda of: _group(of, group, quantity.unit, _of(quantity), _AVERAGE)


_Find = Callable[[Line, Statistic], Figure | None]
_Titles = Mapping[str, Statistic]
_AVERAGE: _Titles = {"Average": "mean", "Min": "minimum", "Max": "maximum", "Std. dev.": "standard_deviation"}


def _spread(of: Selection, middle: str) -> _Titles:
    if of.all_small:
        return {middle: "median", "P1 =\N{NO-BREAK SPACE}min": "p1", "P99 =\N{NO-BREAK SPACE}max": "p99"}
    return {middle: "median", "P1": "p1", "P99": "p99", "Min": "minimum", "Max": "maximum"}


def _of(quantity: Quantity) -> _Find:
    return lambda line, which: line.figure(quantity, which)


def _group(of: Selection, group: str, unit: str, find: _Find, titles: _Titles) -> list[Column[Line]]:
    """What the standard asks for stands out."""
    heading = ", ".join(filter(None, (group, of.unit(unit))))
    return [
        _statistic(of, title, find, which, heading, strong=which in ("median", "mean"))
        for title, which in titles.items()
    ]


def _statistic(
    of: Selection, title: str, find: _Find, which: Statistic, group: str, unit: str = "", *, strong: bool
) -> Column[Line]:
    def cell(line: Line) -> Content:
        shown = of.shown(find(line, which))
        return element("strong", shown) if strong and shown != NONE else shown

    return Column(title, cell, unit, group)


def median(title: str, quantity: Quantity, group: str = "") -> Columns:
    """Over the repetitions."""
    return single(title, quantity, "median", group)


def single(title: str, quantity: Quantity, which: Statistic, group: str = "", *, strong: bool = False) -> Columns:
    """One statistic. In a `group` the heading of that says the unit."""
    return lambda of: [
        _statistic(of, title, _of(quantity), which, group, "" if group else of.unit(quantity.unit), strong=strong)
    ]


def total(title: str, quantity: Quantity, group: str = "") -> Columns:
    """Of all repetitions together."""
    return always(Column(title, lambda line: whole(line.total(quantity)), "", group))


def tester_alone(title: str, value: Callable[[TesterAloneDelay], float | None]) -> Columns:
    """What the Tester takes by itself at the same rate."""

    def columns(of: Selection) -> Iterable[Column[Line]]:
        def cell(line: Line) -> Content:
            own = line.alone
            return of.scale.shown(None if own is None else value(own))

        return [Column(title, cell, "", f"Tester alone, {of.scale.unit}", class_="alone")]

    return columns


def frames_lost() -> Columns:
    """Beside percentiles, which don't contain them."""
    return lambda of: [
        Column("Frames lost", lambda line: lost_share(line.total(FRAMES_LOST), line.sent(of.evidence.trials)))
    ]


def lost_share(lost: float | None, sent: float | None) -> Content:
    """`12 (0.03 %)`: a loss beside percentiles that don't contain it."""
    if lost is None:
        return NONE
    if not lost or not sent:
        return whole(lost)
    return f"{whole(lost)} ({percent(100 * lost / sent)} %)"


def throughput(unit: str, group: str = "") -> Columns:
    """That the rates follow from."""

    def cell(line: Line) -> Content:
        return [SIGNS[">="] if line.item.throughput_more_possible else "", rate(line.item.throughput_fps)]

    return always(Column("Throughput", cell, unit, group))


def dispersion() -> Columns:
    """(P99 - P1) / median of the rate that a procedure finds."""

    def cell(line: Line) -> Content:
        found = performance(line.item)
        if found is None or found.dispersion is None or found.n == 1:
            return NONE
        return percent(100 * found.dispersion)

    return always(Column("Dispersion", cell, "%"))


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
