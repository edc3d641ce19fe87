"""Degradation with the number of flows (RFC 8219 §10.2.1, §10.2.2), of what the tables of scalability don't have."""

from __future__ import annotations

from xlatperf.report.degradation import Degraded, degraded
from xlatperf.report.evidence import Evidence
from xlatperf.report.figure import shown
from xlatperf.report.identity import identity
from xlatperf.report.markup import paragraph, render
from xlatperf.report.numerals import NONE, percent
from xlatperf.report.scale import NANOSECONDS, micro_or_milli
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text
from xlatperf.report.words import DIRECTIONS

_LEAD = (
    "RFC 8219 §10.2.1, and §10.2.2 where flows begin so long apart: Xpd = (Xn - X1) / X1 of what is better if lower, "
    "(X1 - Xn) / X1 of what is better if higher; "
    "positive: n flows are worse than one. X1 and Xn are medians, each at its own rate: the throughput of so many "
    "flows, unless the bench file gives one. Of rates it's in the tables above."
)


def section(evidence: Evidence) -> Section | None:
    """None if nothing was measured with one flow and with more."""
    found = degraded(evidence.results.measurements)
    if not found:
        return None
    items = dict.fromkeys(one.line.item.measure for one in found)
    measurements = [item for item in evidence.results.measurements if item.measure in items]
    known = identity(measurements, evidence.families, directed=False)
    figures = [figure for one in found for figure in (one.one, one.many) if figure.unit in NANOSECONDS]
    scale = micro_or_milli((figure.value or 0.0) * NANOSECONDS[figure.unit] for figure in figures)

    def named(one: Degraded) -> str:
        return f"{one.quantity}, {scale.unit if one.one.unit in NANOSECONDS else one.one.unit}"

    body = [
        paragraph(_LEAD, class_="lead"),
        table(
            [
                *(column.through(lambda one: one.line) for column in known),
                text("Result", named),
                text("Direction", lambda one: "" if one.line.direction is None else DIRECTIONS[one.line.direction]),
                Column("X1", lambda one: shown(one.one, scale)),
                Column("Xn", lambda one: shown(one.many, scale)),
                Column("Xpd", lambda one: NONE if one.percent is None else percent(one.percent), "%"),
            ],
            found,
        ),
    ]
    return Section("degradation", "Degradation with the number of flows", render(body))
