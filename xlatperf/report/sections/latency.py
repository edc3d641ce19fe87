"""Latency (RFC 8219 §7.2): typical and worst-case latency of tagged frames, beside those of the Tester alone."""

from __future__ import annotations

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.latency import TAGS_LOST, TAGS_RECEIVED, TAGS_SENT, TL, WCL, Latency
from xlatperf.report import headline, sentence, words
from xlatperf.report.columns import (
    all_small,
    frames_lost,
    lost_share,
    repetitions,
    spread_of_times,
    tester_alone,
    total_frames,
)
from xlatperf.report.every_repetition import every_repetition
from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import identity
from xlatperf.report.line import Line, of_classes
from xlatperf.report.markup import Content, Markup, element, paragraph, render
from xlatperf.report.numerals import NONE
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import distribution
from xlatperf.report.remarks import class_note, remarks
from xlatperf.report.scale import best, micro_or_milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import each_direction, of_times, over, strong
from xlatperf.report.table import Column, table
from xlatperf.report.values import all_values, alone, directions, median_of, parameters, total
from xlatperf.results.results import Measurement


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    small = all_small(measurements)
    scale = micro_or_milli(all_values(measurements, lambda one: one.role == "result"))
    columns = identity(measurements, evidence.families)
    definitions = dict.fromkeys(item.definition for item in measurements if item.definition)
    parts: list[Content] = [
        paragraph(
            f"{words.standards(measurements)}. "
            f"{_streams(measurements)} TL, typical latency: the median delay of a trial's tagged frames. "
            "WCL, worst-case latency: their 99.9th percentile. A frame that was lost has no delay: read each row with "
            "its losses.",
            class_="lead",
        ),
        table(
            [*columns, Column("Media", _media, "Mbit/s")],
            of_classes(measurements),
            [
                repetitions(),
                *spread_of_times(f"TL, {scale.unit}", TL, scale, small=small),
                *spread_of_times(f"WCL, {scale.unit}", WCL, scale, small=small),
                tester_alone("TL", lambda own: own.tl_ns, scale),
                tester_alone("WCL", lambda own: own.wcl_ns, scale),
                total_frames("Sent", TAGS_SENT, "Tagged frames, all trials"),
                total_frames("Received", TAGS_RECEIVED, "Tagged frames, all trials"),
                Column("Lost", _tags_lost, "", "Tagged frames, all trials"),
                frames_lost(evidence.trials),
            ],
            why_not=Line.why_not,
        ),
        paragraph(
            "Medians over the N trials, with ",
            "P1 and P99, which are minimum and maximum for N below 100" if small else "P1, P99, minimum and maximum",
            " (RFC 2330 §11.3). Exact values show under the pointer. Tester alone: the same frames at the same rate "
            f"{words.where_alone(measurements)}. The DUT's columns have this in them.",
            class_="muted",
        ),
        class_note(measurements, " As many frames of each class are tagged as of all."),
        remarks(measurements),
        *[paragraph(element("strong", "Definition of latency used: "), text, class_="note") for text in definitions],
        every_repetition(measurements, columns, Latency.quantities, scale),
        distribution.figures(evidence, measurements),
    ]
    return Section("latency", "Latency", render(parts))


def _streams(measurements: list[Measurement]) -> str:
    """How long the streams are, and what is tagged."""
    said = []
    for item in measurements:
        found = parameters(item, "duration_s", "tags", "tags_from_s")
        if found is not None:
            said.append(
                f"Streams of {found['duration_s']} s; {found['tags']} frames per direction are tagged, after "
                f"{found['tags_from_s']} s."
            )
    return " ".join(dict.fromkeys(said))


def _media(line: Line) -> Content:
    return NONE if line.item.media_mbps is None else f"{line.item.media_mbps:,.0f}"


def _tags_lost(line: Line) -> Content:
    return lost_share(line.total(TAGS_LOST), line.total(TAGS_SENT))


def _sentence(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    def each(name: DirectionName) -> Content:
        typical = median_of(item, TL, name)
        if typical is None:
            return None
        worst = strong(median_of(item, WCL, name))
        return ["typical ", strong(typical), ", worst-case ", worst, sentence.of_classes(item, (TL, WCL), name)]

    def said() -> Content:
        tagged = sum(total(item, TAGS_SENT, name) or 0 for name in directions(item))
        lost = sum(total(item, TAGS_LOST, name) or 0 for name in directions(item))
        own = [one for name in directions(item) if (one := alone(item, name)) is not None]
        most = [
            best(max(value or 0 for value in values))
            for values in zip(*((one.tl_ns, one.wcl_ns) for one in own), strict=True)
        ]
        tester = f"; the Tester alone takes {' and '.join(most)}" if most else ""
        of = f" ({over(item, 'median')}, {lost:,.0f} of {tagged:,.0f} tagged frames lost{tester})"
        return [each_direction(item, each), of]

    return of_times(item, said)


def _cards(measurements: list[Measurement]) -> list[Markup]:
    return headline.worst(
        measurements,
        TL,
        "typical latency (TL)",
        beside=lambda item, found: f"worst-case (WCL): {best(median_of(item, WCL, found.direction))}",
        tester=lambda own: own.tl_ns,
    )


REPORT = OfProcedure(Latency, _tables, _sentence, _cards)
