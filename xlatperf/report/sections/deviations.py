"""Where the campaign does something else than the standards say."""

from __future__ import annotations

from xlatperf.procedures.deviation import Deviation
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import element, paragraph, render
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text


def section(evidence: Evidence) -> Section:
    """Always there."""
    deviations = evidence.results.deviations
    if not deviations:
        body = render(paragraph("None is declared.", class_="muted"))
    else:
        columns: list[Column[Deviation]] = [
            text("Section", lambda one: element("strong", one.section, class_="nowrap")),
            text("The standard", lambda one: one.standard, class_="wide"),
            text("Here", lambda one: one.here, class_="wide"),
        ]
        body = table(columns, deviations)
    return Section("deviations", "Deviations from the standards", body)
