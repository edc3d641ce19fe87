"""Latency (RFC 8219 §7.2): typical and worst-case latency of tagged frames, beside those of the Tester alone."""

from __future__ import annotations

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.latency import FRAMES_LOST as LOST
from xlatperf.procedures.latency import TAGS_LOST, TAGS_RECEIVED, TAGS_SENT, TL, WCL, Latency
from xlatperf.report import headline, sentence, words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, element, paragraph, render
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
from xlatperf.report.numerals import NONE, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import distribution
from xlatperf.report.scale import Scale, best, micro_or_milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import each_direction, of_times, over, strong
from xlatperf.report.table import Column, Row, table
from xlatperf.report.values import all_values, alone, directions, find, median_of, parameters, sent, total
from xlatperf.results.results import Measurement


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    small = all_small(measurements)
    scale = micro_or_milli(all_values(measurements, lambda one: one.role == "result"))
    identity = Identity(measurements, evidence.families)
    definitions = dict.fromkeys(item.definition for item in measurements if item.definition)
    standards = "; ".join(dict.fromkeys(item.standard for item in measurements))
    parts: list[Content] = [
        paragraph(
            f"{standards}. {_streams(measurements)} TL, typical latency: the median delay of a trial's tagged frames. "
            "WCL, worst-case latency: their 99.9th percentile. A frame that was lost has no delay: read each row with "
            "its losses.",
            class_="lead",
        ),
        table(
            [
                *identity.columns(),
                Column("Media", "Mbit/s"),
                Column("N"),
                *spread_columns(f"TL, {scale.unit}", "", small=small),
                *spread_columns(f"WCL, {scale.unit}", "", small=small),
                *[Column(name, "", f"Tester alone, {scale.unit}", class_="alone") for name in ("TL", "WCL")],
                *[Column(name, "", "Tagged frames, all trials") for name in ("Sent", "Received", "Lost")],
                Column("Frames lost"),
            ],
            [_row(item, frames, identity, scale, small, evidence) for item, frames in delay_rows(measurements)],
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
        every_repetition(measurements, identity, Latency.quantities, scale),
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


def _row(item: Measurement, frames: Frames, identity: Identity, scale: Scale, small: bool, evidence: Evidence) -> Row:
    why = without_result(item)
    cells = [
        *identity.cells(item, *(frames if why is None else (None,))),
        NONE if item.media_mbps is None else f"{item.media_mbps:,.0f}",
    ]
    if why is not None:
        return Row(cells, rest=why)
    tester = alone(item, *frames)
    return Row(
        [
            *cells,
            repetitions(item),
            *spread_cells(find(item, TL, *frames), scale, small=small),
            *spread_cells(find(item, WCL, *frames), scale, small=small),
            scale.shown(tester.tl_ns if tester is not None else None),
            scale.shown(tester.wcl_ns if tester is not None else None),
            whole(total(item, TAGS_SENT, *frames)),
            whole(total(item, TAGS_RECEIVED, *frames)),
            lost_share(total(item, TAGS_LOST, *frames), total(item, TAGS_SENT, *frames)),
            lost_share(total(item, LOST, *frames), sent(item, evidence.trials, *frames)),
        ]
    )


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
