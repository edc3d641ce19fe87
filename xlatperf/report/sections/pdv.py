"""Packet delay variation (RFC 8219 §7.3.1): D99.9 - Dmin of all frames, in ms."""

from __future__ import annotations

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.pdv import D999, DELAYS, DMIN, ERROR, FROM_DUE, PDV, Pdv
from xlatperf.report import headline, sentence, words
from xlatperf.report.columns import (
    all_small,
    frames_lost,
    median,
    repetitions,
    spread_of_times,
    tester_alone,
    total_frames,
)
from xlatperf.report.every_repetition import every_repetition
from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import identity
from xlatperf.report.line import Line, of_classes
from xlatperf.report.markup import Content, Markup, paragraph, render
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import distribution
from xlatperf.report.remarks import class_note, remarks
from xlatperf.report.scale import best, milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import each_direction, of_times, over, strong
from xlatperf.report.table import Column, table
from xlatperf.report.values import all_values, alone, directions, known, median_of, parameter
from xlatperf.results.results import Measurement


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    small = all_small(measurements)
    scale = milli(all_values(measurements, lambda one: one.unit == "ns" and one.quantity != ERROR.name))
    columns = identity(measurements, evidence.families)
    durations = " and ".join(
        dict.fromkeys(f"{found} s" for item in measurements if (found := parameter(item, "duration_s")))
    )
    parts: list[Content] = [
        paragraph(
            f"{words.standards(measurements)}. "
            "PDV of a trial is D99.9 - Dmin: the 99.9th percentile of the delays of all its frames less "
            f"the shortest one.{f' Streams of {durations}.' if durations else ''} Lost frames have no delay and are no "
            "part of it: read each row with its losses.",
            class_="lead",
        ),
        table(
            columns,
            of_classes(measurements),
            [
                repetitions(),
                *spread_of_times("PDV, ms", PDV, scale, small=small),
                Column("at most off", lambda line: scale.shown(max(known(line.find(ERROR)), default=None))),
                tester_alone("PDV", lambda own: own.pdv_ns, scale),
                median("Dmin", DMIN, scale.shown, "", "Medians beside, ms"),
                median("D99.9", D999, scale.shown, "", "Medians beside, ms"),
                median("PDV from due", FROM_DUE, scale.shown, "", "Medians beside, ms"),
                total_frames("Frames with a delay", DELAYS),
                frames_lost(evidence.trials),
            ],
            why_not=Line.why_not,
        ),
        paragraph(
            "Medians over the N trials. A PDV may be off by what D99.9 is, at most 0.1 % of that; Dmin is exact. From "
            "due: with delays from when a frame was due instead of when it left; it is larger where the Tester was "
            "held up itself. Tester alone: "
            f"the same frames at the same rate {words.where_alone(measurements)}.",
            class_="muted",
        ),
        class_note(measurements),
        remarks(measurements),
        every_repetition(measurements, columns, Pdv.quantities, scale),
        distribution.figures(evidence, measurements),
    ]
    return Section("pdv", "Packet delay variation", render(parts))


def _sentence(evidence: Evidence, item: Measurement) -> Content:
    def each(name: DirectionName) -> Content:
        value = median_of(item, PDV, name)
        return None if value is None else [strong(value), sentence.of_classes(item, (PDV,), name)]

    def said() -> Content:
        each_own = [alone(item, name) for name in directions(item)]
        own = [one.pdv_ns for one in each_own if one is not None and one.pdv_ns is not None]
        tester = f"; the Tester alone has {best(max(own))}" if own else ""
        return [each_direction(item, each), f" ({over(item, 'median')}, {sentence.lost(evidence, item)}{tester})"]

    return of_times(item, said)


def _cards(measurements: list[Measurement]) -> list[Markup]:
    return headline.worst(measurements, PDV, "packet delay variation", tester=lambda own: own.pdv_ns)


REPORT = OfProcedure(Pdv, _tables, _sentence, _cards)
