"""Inter packet delay variation (RFC 8219 §7.3.2): minimum, median and maximum of D(i) - D(i - 1), in ms."""

from __future__ import annotations

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.ipdv import MAXIMUM, MEAN, MEDIAN, MINIMUM, PAIRS, Ipdv
from xlatperf.procedures.latency import FRAMES_LOST as LOST
from xlatperf.report import sentence
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, element, paragraph, render
from xlatperf.report.measured import (
    Frames,
    Identity,
    class_note,
    delay_rows,
    every_repetition,
    lost_share,
    remarks,
    repetitions,
    without_result,
)
from xlatperf.report.numerals import NONE, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import distribution
from xlatperf.report.scale import Scale, best, milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import each_direction, of_times, over, strong
from xlatperf.report.table import Column, Row, table
from xlatperf.report.values import all_values, alone, find, median_of, sent, total
from xlatperf.results.results import Measurement

_FIGURES = (("Minimum", MINIMUM), ("Median", MEDIAN), ("Maximum", MAXIMUM))


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    scale = milli(all_values(measurements, lambda one: one.unit == "ns"))
    identity = Identity(measurements, evidence.families)
    standards = "; ".join(dict.fromkeys(item.standard for item in measurements))
    parts: list[Content] = [
        paragraph(
            f"{standards}. IPDV is the delay of a frame less that of the one sent before it; it has a sign, and none "
            "where either was lost (RFC 5481 §4.1).",
            class_="lead",
        ),
        table(
            [
                *identity.columns(),
                Column("N"),
                *[Column(figure, "", "IPDV, ms: median of N, P1 to P99") for figure, _ in _FIGURES],
                *[Column(figure, "", "Tester alone, ms", class_="alone") for figure, _ in _FIGURES],
                Column("Mean", "ns"),
                Column("Pairs"),
                Column("Frames lost"),
            ],
            [_row(item, frames, identity, scale, evidence) for item, frames in delay_rows(measurements)],
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
        every_repetition(measurements, identity, Ipdv.quantities, scale),
        distribution.figures(evidence, measurements),
    ]
    return Section("ipdv", "Inter packet delay variation", render(parts))


def _row(item: Measurement, frames: Frames, identity: Identity, scale: Scale, evidence: Evidence) -> Row:
    why = without_result(item)
    if why is not None:
        return Row(identity.cells(item), rest=why)
    figures: list[Content] = []
    for _, quantity in _FIGURES:
        found = find(item, quantity, *frames)
        if found is None or found.summary is None:
            figures.append(NONE)
            continue
        low, high = scale.text(found.summary.p1), scale.text(found.summary.p99)
        spread = element("span", f"{low} to {high}", class_="below") if found.summary.n > 1 else None
        figures.append([element("strong", scale.shown(found.summary.median)), spread])
    tester, mean = alone(item, *frames), median_of(item, MEAN, *frames)
    own = tester.delay_variation if tester is not None else None
    own_figures = (own.min_ns, own.median_ns, own.max_ns) if own is not None else (None, None, None)
    return Row(
        [
            *identity.cells(item, *frames),
            repetitions(item),
            *figures,
            *[scale.shown(value) for value in own_figures],
            NONE if mean is None else f"{mean:,.1f}".replace("-", "\N{MINUS SIGN}"),
            whole(total(item, PAIRS, *frames)),
            lost_share(total(item, LOST, *frames), sent(item, evidence.trials, *frames)),
        ]
    )


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
