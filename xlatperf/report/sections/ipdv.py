"""Inter packet delay variation (RFC 8219 §7.3.2): minimum, median and maximum of D(i) - D(i - 1), in ms."""

from __future__ import annotations

from xlatperf.engine.delays import DelayVariation
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.ipdv import MAXIMUM, MEAN, MEDIAN, MINIMUM, PAIRS, Ipdv
from xlatperf.procedures.quantity import Quantity
from xlatperf.report import sentence, words
from xlatperf.report.columns import (
    frames_lost,
    median,
    repetitions,
    tester_alone,
    total_frames,
)
from xlatperf.report.every_repetition import every_repetition
from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import identity
from xlatperf.report.line import Line, of_classes
from xlatperf.report.markup import Content, element, paragraph, render
from xlatperf.report.numerals import NONE
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import distribution
from xlatperf.report.remarks import class_note, remarks
from xlatperf.report.scale import Scale, best, milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import each_direction, of_times, over, strong
from xlatperf.report.table import Column, table
from xlatperf.report.values import all_values, median_of
from xlatperf.results.results import Measurement
from xlatperf.results.value_records import TesterAloneDelay

_FIGURES = (("Minimum", MINIMUM), ("Median", MEDIAN), ("Maximum", MAXIMUM))


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    scale = milli(all_values(measurements, lambda one: one.unit == "ns"))
    columns = identity(measurements, evidence.families)
    parts: list[Content] = [
        paragraph(
            f"{words.standards(measurements)}. "
            "IPDV is the delay of a frame less that of the one sent before it; it has a sign, and none "
            "where either was lost (RFC 5481 §4.1).",
            class_="lead",
        ),
        table(
            columns,
            of_classes(measurements),
            [
                repetitions(),
                *[_figure(title, quantity, scale) for title, quantity in _FIGURES],
                tester_alone("Minimum", lambda own: _variation(own).min_ns, scale),
                tester_alone("Median", lambda own: _variation(own).median_ns, scale),
                tester_alone("Maximum", lambda own: _variation(own).max_ns, scale),
                median("Mean", MEAN, _signed, "ns"),
                total_frames("Pairs", PAIRS),
                frames_lost(evidence.trials),
            ],
            why_not=Line.why_not,
        ),
        paragraph(
            "Medians over the N trials. P1 and P99 are minimum and maximum for N below 100. Mean: the median "
            "of the trials' means, a check; if it is not near 0, the clocks of sender and receiver drift apart "
            "(RFC 5481 §4.1).",
            class_="muted",
        ),
        class_note(
            measurements,
            " Of all, a frame's neighbour is the one sent right before it, of whichever class; of a class, the one of "
            "that class.",
        ),
        remarks(measurements),
        every_repetition(measurements, columns, Ipdv.quantities, scale),
        distribution.figures(evidence, measurements),
    ]
    return Section("ipdv", "Inter packet delay variation", render(parts))


def _variation(own: TesterAloneDelay) -> DelayVariation:
    return own.delay_variation or DelayVariation(pairs=0)


def _figure(title: str, quantity: Quantity, scale: Scale) -> Column[Line]:
    """The median, and below it how far the trials are apart."""

    def cell(line: Line) -> Content:
        found = line.find(quantity)
        if found is None or found.summary is None:
            return NONE
        low, high = scale.text(found.summary.p1), scale.text(found.summary.p99)
        apart = element("span", f"{low} to {high}", class_="below") if found.summary.n > 1 else None
        return [element("strong", scale.shown(found.summary.median)), apart]

    return Column(title, cell, "", f"IPDV, {scale.unit}: median of N, P1 to P99")


def _signed(value_ns: float | None) -> str:
    return NONE if value_ns is None else f"{value_ns:,.1f}".replace("-", "\N{MINUS SIGN}")


def _sentence(evidence: Evidence, item: Measurement) -> Content:
    def each(name: DirectionName) -> Content:
        low, middle, high = (median_of(item, one, name) for one in (MINIMUM, MEDIAN, MAXIMUM))
        if middle is None:
            return None
        return ["from ", strong(low), " to ", strong(high), f", median {best(middle)},"]

    def said() -> Content:
        return [each_direction(item, each), f" ({over(item, 'median')}, {sentence.lost(evidence, item)})"]

    return of_times(item, said)


REPORT = OfProcedure(Ipdv, _tables, _sentence)
