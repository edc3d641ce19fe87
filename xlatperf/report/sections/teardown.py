"""Connection tear-down rate (RFC 9693 §4.8): as the RFC has it, and less what deleting an empty table takes."""

from __future__ import annotations

from xlatperf.procedures.teardown import DELETING, DELETING_EMPTY, GROSS_RATE, Teardown
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, paragraph, render
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
from xlatperf.report.scale import Scale, milli
from xlatperf.report.section import Section
from xlatperf.report.series import performance
from xlatperf.report.table import Column, Row, table
from xlatperf.report.values import all_values, median_of
from xlatperf.results.results import Measurement


def section(evidence: Evidence) -> Section | None:
    """None if it was not measured."""
    measurements = evidence.measurements("teardown")
    if not measurements:
        return None
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
