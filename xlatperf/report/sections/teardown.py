"""Connection tear-down rate (RFC 9693 §4.8): as the RFC has it, and less what deleting an empty table takes."""

from __future__ import annotations

from xlatperf.procedures.teardown import DELETING, DELETING_EMPTY, GROSS_RATE, Teardown
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.headline import rate_card
from xlatperf.report.markup import Content, Markup, element, paragraph, render
from xlatperf.report.measured import (
    Identity,
    every_repetition,
    rate_spread_cells,
    remarks,
    repetitions,
    spread_columns,
    without_result,
)
from xlatperf.report.numerals import rate, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.scale import Scale, best, milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import of_connections, spread
from xlatperf.report.series import connections_of, performance
from xlatperf.report.table import Column, Row, table
from xlatperf.report.values import all_values, median_of
from xlatperf.results.results import Measurement


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    identity = Identity(measurements, evidence.families, rates=False, directed=False)
    scale = milli(all_values(measurements, lambda one: one.unit == "s"), "s")
    small = all(one.summary is None or one.summary.n < 100 for item in measurements for one in item.values)
    parts: list[Content] = [
        paragraph(
            f"{'; '.join(dict.fromkeys(item.standard for item in measurements))}. N connections are opened, then the "
            "whole table is deleted at once by the device's driver. What the same call takes for an empty table "
            "is measured before and subtracted: rate = N / (median of deleting the full table - median of deleting the "
            "empty one). Deleting the whole table may be faster than deleting connections one by one. ≥: too few "
            "connections to tell, so only a lower bound, N / time of the call.",
            class_="lead",
        ),
        table(
            [
                *identity.columns(),
                Column("Phase 1", "connections/s"),
                Column("N", "deletions"),
                *[Column(name, scale.unit, "Deleting, median") for name in ("full", "empty")],
                *spread_columns("Connections per second", "", small=small),
                Column("With the call", "", "Connections per second"),
            ],
            [_row(item, identity, scale, small=small) for item in measurements],
        ),
        remarks(measurements),
        every_repetition(measurements, identity, Teardown.quantities, scale),
    ]
    return Section("teardown", "Connection tear-down rate", render(parts))


def _row(item: Measurement, identity: Identity, scale: Scale, *, small: bool) -> Row:
    cells = [*identity.cells(item), whole(item.establish_fps)]
    why = without_result(item)
    if why is not None:
        return Row(cells, rest=why)
    found = performance(item)
    bound = words.limited_elsewhere(item)
    return Row(
        [
            *cells,
            repetitions(item),
            *[scale.shown(median_of(item, one, None), "s") for one in (DELETING, DELETING_EMPTY)],
            *rate_spread_cells(found, small=small, bound="≥ " if bound else ""),
            rate(median_of(item, GROSS_RATE, None)),
        ]
    )


def _sentence(evidence: Evidence, item: Measurement) -> Content:
    def said() -> Content:
        found = performance(item)
        if found is None:
            return None
        gross = median_of(item, GROSS_RATE, None)
        call = f"; {whole(gross)} with what an empty table takes" if gross is not None else ""
        bound = "at least " if words.limited_elsewhere(item) else ""
        return [
            f"{evidence.device} deletes {connections_of(item) or 0:,} connections in "
            f"{best(median_of(item, DELETING, None), 's')}: ",
            element("strong", f"{bound}{rate(found.median)}"),
            f" connections per second{call} ({spread(found, 'deletion', 'deletions')}).",
        ]

    return of_connections(item, said)


def _cards(measurements: list[Measurement]) -> list[Markup]:
    # One lower bound makes the rate of the medians one.
    return rate_card(measurements, "connections deleted/s", words.limited_elsewhere)


REPORT = OfProcedure(Teardown, _tables, _sentence, _cards)
