"""Connection tear-down rate (RFC 9693 §4.8): as the RFC has it, and less what deleting an empty table takes."""

from __future__ import annotations

from functools import partial

from xlatperf.procedures.teardown import DELETING, DELETING_EMPTY, Teardown
from xlatperf.report import words
from xlatperf.report.bounds import IN_WORDS
from xlatperf.report.columns import (
    all_small,
    median,
    repetitions,
    spread_of_rates,
)
from xlatperf.report.every_repetition import every_repetition
from xlatperf.report.evidence import Evidence
from xlatperf.report.headline import rate_card
from xlatperf.report.identity import identity
from xlatperf.report.line import Line, whole_measurements
from xlatperf.report.markup import Content, Markup, element, paragraph, render
from xlatperf.report.numerals import rate, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.remarks import remarks
from xlatperf.report.scale import best, milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import of_connections, spread
from xlatperf.report.series import bound_of, connections_of, performance, with_the_call
from xlatperf.report.table import Column, table
from xlatperf.report.values import all_values, median_of
from xlatperf.results.results import Measurement


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    columns = identity(measurements, evidence.families, rates=False, directed=False)
    scale = milli(all_values(measurements, lambda one: one.unit == "s"), "s")
    small = all_small(measurements)
    parts: list[Content] = [
        paragraph(
            f"{words.standards(measurements)}. "
            "N connections are opened, then the "
            "whole table is deleted at once by the device's driver. What the same call takes for an empty table "
            "is measured before and subtracted: rate = N / (median of deleting the full table - median of deleting the "
            "empty one). Deleting the whole table may be faster than deleting connections one by one. ≥: too few "
            "connections to tell, so only a lower bound, N / time of the call.",
            class_="lead",
        ),
        table(
            [*columns, Column("Phase 1", lambda line: whole(line.item.establish_fps), "connections/s")],
            whole_measurements(measurements),
            [
                repetitions("N", "deletions"),
                median("full", DELETING, partial(scale.shown, unit="s"), scale.unit, "Deleting, median"),
                median("empty", DELETING_EMPTY, partial(scale.shown, unit="s"), scale.unit, "Deleting, median"),
                *spread_of_rates("Connections per second", "connections per second", small=small),
                Column("With the call", lambda line: rate(with_the_call(line.item)), "", "Connections per second"),
            ],
            why_not=Line.why_not,
        ),
        remarks(measurements),
        every_repetition(measurements, columns, Teardown.quantities, scale),
    ]
    return Section("teardown", "Connection tear-down rate", render(parts))


def _sentence(evidence: Evidence, item: Measurement) -> Content:
    def said() -> Content:
        found = performance(item)
        if found is None:
            return None
        gross = with_the_call(item)
        call = f"; {whole(gross)} with what an empty table takes" if gross is not None else ""
        bound = IN_WORDS[bound_of(item, found.median)]
        return [
            f"{evidence.device} deletes {connections_of(item) or 0:,} connections in "
            f"{best(median_of(item, DELETING, None), 's')}: ",
            element("strong", bound, rate(found.median)),
            f" connections per second{call} ({spread(found, 'deletion', 'deletions')}).",
        ]

    return of_connections(item, said)


def _cards(measurements: list[Measurement]) -> list[Markup]:
    return rate_card(measurements, "connections deleted/s")


REPORT = OfProcedure(Teardown, _tables, _sentence, _cards)
