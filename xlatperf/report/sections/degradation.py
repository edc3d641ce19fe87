"""Degradation with the number of network flows (RFC 8219 §10.2.1), of what the tables of scalability don't have."""

from __future__ import annotations

from xlatperf.report.degradation import Degraded, degraded
from xlatperf.report.evidence import Evidence
from xlatperf.report.figure import Figure, shown
from xlatperf.report.identity import identity
from xlatperf.report.markup import Content, paragraph, render
from xlatperf.report.numerals import NONE, percent
from xlatperf.report.scale import NANOSECONDS, micro_or_milli
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text
from xlatperf.report.words import DIRECTIONS

_LEAD = (
    "RFC 8219 §10.2.1: Xpd = (Xn - X1) / X1 of what is better if lower, (X1 - Xn) / X1 of what is better if higher; "
    "positive: n flows are worse than one. X1 and Xn are medians, each at its own rate: the throughput of so many "
    "flows, unless the bench file gives one. Of rates it's in the tables above."
)


def section(evidence: Evidence) -> Section | None:
    """None if nothing was measured with one flow and with more."""
    found = degraded(evidence.results.measurements)
    if not found:
        return None
    items = list(dict.fromkeys(one.line.item.measure for one in found))
    measurements = [item for item in evidence.results.measurements if item.measure in items]
    known = identity(measurements, evidence.families, directed=False)
    timed = [one for one in found if one.unit in NANOSECONDS]
    scale = micro_or_milli(value * NANOSECONDS[one.unit] for one in timed for value in (one.one, one.many))

    def of(one: Degraded, value: float) -> Content:
        return shown(Figure(value, one.unit), scale)

    def named(one: Degraded) -> str:
        return f"{one.quantity}, {scale.unit if one.unit in NANOSECONDS else one.unit}"

    body = [
        paragraph(_LEAD, class_="lead"),
        table(
            [
                *(column.through(lambda one: one.line) for column in known),
                text("Result", named),
                text("Direction", lambda one: "" if one.line.direction is None else DIRECTIONS[one.line.direction]),
                Column("X1", lambda one: of(one, one.one)),
                Column("Xn", lambda one: of(one, one.many)),
                Column("Xpd", lambda one: NONE if one.percent is None else percent(one.percent), "%"),
            ],
            found,
        ),
    ]
    return Section("degradation", "Degradation with the number of flows", render(body))
