"""Inter packet delay variation (RFC 8219 §7.3.2): minimum, median and maximum of D(i) - D(i - 1), in ms."""

from __future__ import annotations

from xlatperf.engine.delays import DelayVariation
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.ipdv import MAXIMUM, MEAN, MEDIAN, MINIMUM, PAIRS, Ipdv
from xlatperf.procedures.quantity import Quantity
from xlatperf.report.columns import Columns, always, frames_lost, repetitions, tester_alone, total
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, element
from xlatperf.report.numerals import NONE
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import distribution
from xlatperf.report.scale import best, milli
from xlatperf.report.selection import Selection
from xlatperf.report.sentence import and_lost, by_direction, strong
from xlatperf.report.table import Column
from xlatperf.report.values import median_of
from xlatperf.results.results import Measurement
from xlatperf.results.value_records import TesterAloneDelay


def _variation(own: TesterAloneDelay) -> DelayVariation:
    return own.delay_variation or DelayVariation(pairs=0)


def _figure(title: str, quantity: Quantity) -> Columns:
    """The median, and below it how far the trials are apart."""

    def column(of: Selection) -> Column[Line]:
        def cell(line: Line) -> Content:
            found, n = line.figure(quantity, "median"), line.figure(quantity, "n")
            if found is None or n is None:
                return NONE
            ends = [line.figure(quantity, "p1"), line.figure(quantity, "p99")]
            apart = " to ".join(of.scale.text(one.value) for one in ends if one is not None and one.value is not None)
            below = element("span", apart, class_="below") if (n.value or 0) > 1 else None
            return [element("strong", of.shown(found)), below]

        return Column(title, cell, "", f"IPDV, {of.scale.unit}: median of N, P1 to P99")

    return lambda of: [column(of)]


def _mean(line: Line) -> str:
    value_ns = line.median(MEAN)
    return NONE if value_ns is None else f"{value_ns:,.1f}".replace("-", "\N{MINUS SIGN}")


def _each(item: Measurement, name: DirectionName) -> Content:
    low, middle, high = (median_of(item, one, name) for one in (MINIMUM, MEDIAN, MAXIMUM))
    return None if middle is None else ["from ", strong(low), " to ", strong(high), f", median {best(middle)},"]


REPORT = OfProcedure(
    procedure=Ipdv,
    about=(
        "IPDV is the delay of a frame less that of the one sent before it; it has a sign, and none where either was "
        "lost (RFC 5481 §4.1).",
    ),
    scale=milli,
    values=(
        repetitions(),
        _figure("Minimum", MINIMUM),
        _figure("Median", MEDIAN),
        _figure("Maximum", MAXIMUM),
        tester_alone("Minimum", lambda own: _variation(own).min_ns),
        tester_alone("Median", lambda own: _variation(own).median_ns),
        tester_alone("Maximum", lambda own: _variation(own).max_ns),
        always(Column("Mean", _mean, "ns")),
        total("Pairs", PAIRS),
        frames_lost(),
    ),
    note=(
        "Medians over the N trials. P1 and P99 are minimum and maximum for N below 100. Mean: the median of the "
        "trials' means, a check; if it is not near 0, the clocks of sender and receiver drift apart (RFC 5481 §4.1).",
    ),
    classes=" Of all, a frame's neighbour is the one sent right before it, of whichever class; of a class, the one of "
    "that class.",
    plots=(distribution.figures,),
    sentence=by_direction(_each, and_lost),
    cards=lambda _: [],
)
