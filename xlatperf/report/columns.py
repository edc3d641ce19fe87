"""Columns of a procedure's table, as data: which statistic of which quantity, under which heading.

Each is asked for its columns with what the section is about (`Selection`): that knows units, places and signs. What
stands in the cells are the figures of summary.csv.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.quantity import Quantity, Unit
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
    return _spread(group, lambda line, statistic: line.figure(quantity, statistic), quantity.unit)


def spread_of_rate(group: str) -> Columns:
    """The same of the rate that a procedure finds."""
    return _spread(group, lambda line, statistic: line.rate(statistic), None)


_Find = Callable[[Line, Statistic], Figure | None]


def _spread(group: str, find: _Find, unit: Unit | None) -> Columns:
    """`unit` None: of the rate that a procedure finds, which the group says."""

    def columns(of: Selection) -> Iterable[Column[Line]]:
        middle = "Of medians" if unit is None and of.procedure.facts.of_medians else "Median"
        ends = (" =\N{NO-BREAK SPACE}min", " =\N{NO-BREAK SPACE}max") if of.all_small else ("", "")
        each: list[tuple[str, Statistic]] = [(middle, "median"), (f"P1{ends[0]}", "p1"), (f"P99{ends[1]}", "p99")]
        if not of.all_small:
            each += [("Min", "minimum"), ("Max", "maximum")]
        return [_statistic(of, title, find, one, _with_unit(of, group, unit)) for title, one in each]

    return columns


def average(group: str, quantity: Quantity) -> Columns:
    """Average, minimum, maximum, standard deviation: where the standard wants the average."""
    each: tuple[tuple[str, Statistic], ...] = (
        ("Average", "mean"),
        ("Min", "minimum"),
        ("Max", "maximum"),
        ("Std. dev.", "standard_deviation"),
    )
    return lambda of: [
        _statistic(
            of, title, lambda line, which: line.figure(quantity, which), one, _with_unit(of, group, quantity.unit)
        )
        for title, one in each
    ]


def _with_unit(of: Selection, group: str, unit: Unit | None) -> str:
    shown = of.unit(unit) if unit else ""
    return f"{group}, {shown}" if shown else group


def _statistic(
    of: Selection, title: str, find: _Find, which: Statistic, group: str, unit: str = "", *, strong: bool | None = None
) -> Column[Line]:
    """`strong` None: what the standard asks for stands out."""

    def cell(line: Line) -> Content:
        shown = of.shown(find(line, which))
        stands_out = which in ("median", "mean") if strong is None else strong
        return element("strong", shown) if stands_out and shown != NONE else shown

    return Column(title, cell, unit, group)


def median(title: str, quantity: Quantity, group: str = "") -> Columns:
    """Over the repetitions."""
    return single(title, quantity, "median", group)


def single(title: str, quantity: Quantity, which: Statistic, group: str = "", *, strong: bool = False) -> Columns:
    """One statistic. In a `group` the heading of that says the unit."""

    def columns(of: Selection) -> Iterable[Column[Line]]:
        unit = "" if group else of.unit(quantity.unit)
        return [_statistic(of, title, lambda line, one: line.figure(quantity, one), which, group, unit, strong=strong)]

    return columns


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
