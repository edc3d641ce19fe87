"""Packet delay variation (RFC 8219 §7.3.1): D99.9 - Dmin of all frames, in ms."""

from __future__ import annotations

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.latency import FRAMES_LOST as LOST
from xlatperf.procedures.pdv import D999, DELAYS, DMIN, ERROR, FROM_DUE, PDV, Pdv
from xlatperf.report import headline, sentence, words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, paragraph, render
from xlatperf.report.measured import (
    Frames,
    Identity,
    all_small,
    class_note,
    delay_rows,
    every_repetition,
    lost_share,
    remarks,
    repetitions,
    spread_cells,
    spread_columns,
    without_result,
)
from xlatperf.report.numerals import whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import distribution
from xlatperf.report.scale import Scale, best, milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import each_direction, of_times, over, strong
from xlatperf.report.table import Column, Row, table
from xlatperf.report.values import all_values, alone, directions, find, known, median_of, parameter, sent, total
from xlatperf.results.results import Measurement


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    small = all_small(measurements)
    scale = milli(all_values(measurements, lambda one: one.unit == "ns" and one.quantity != ERROR.name))
    identity = Identity(measurements, evidence.families)
    standards = "; ".join(dict.fromkeys(item.standard for item in measurements))
    durations = " and ".join(
        dict.fromkeys(f"{found} s" for item in measurements if (found := parameter(item, "duration_s")))
    )
    parts: list[Content] = [
        paragraph(
            f"{standards}. PDV of a trial is D99.9 - Dmin: the 99.9th percentile of the delays of all its frames less "
            f"the shortest one.{f' Streams of {durations}.' if durations else ''} Lost frames have no delay and are no "
            "part of it: read each row with its losses.",
            class_="lead",
        ),
        table(
            [
                *identity.columns(),
                Column("N"),
                *spread_columns("PDV, ms", "", small=small),
                Column("at most off"),
                Column("PDV", "ms", "Tester alone", class_="alone"),
                *[Column(name, "", "Medians beside, ms") for name in ("Dmin", "D99.9", "PDV from due")],
                Column("Frames with a delay"),
                Column("Frames lost"),
            ],
            [_row(item, frames, identity, scale, small, evidence) for item, frames in delay_rows(measurements)],
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
        every_repetition(measurements, identity, Pdv.quantities, scale),
        distribution.figures(evidence, measurements),
    ]
    return Section("pdv", "Packet delay variation", render(parts))


def _row(item: Measurement, frames: Frames, identity: Identity, scale: Scale, small: bool, evidence: Evidence) -> Row:
    why = without_result(item)
    if why is not None:
        return Row(identity.cells(item), rest=why)
    tester = alone(item, *frames)
    return Row(
        [
            *identity.cells(item, *frames),
            repetitions(item),
            *spread_cells(find(item, PDV, *frames), scale, small=small),
            scale.shown(max(known(find(item, ERROR, *frames)), default=None)),
            scale.shown(tester.pdv_ns if tester is not None else None),
            *[scale.shown(median_of(item, one, *frames)) for one in (DMIN, D999, FROM_DUE)],
            whole(total(item, DELAYS, *frames)),
            lost_share(total(item, LOST, *frames), sent(item, evidence.trials, *frames)),
        ]
    )


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
