"""Where the campaign does something else than the standards say."""

from __future__ import annotations

from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import element, paragraph, render
from xlatperf.report.section import Section
from xlatperf.report.table import Row, table, text


def section(evidence: Evidence) -> Section:
    """Always there."""
    deviations = evidence.results.deviations
    if not deviations:
        body = render(paragraph("None is declared.", class_="muted"))
    else:
        body = table(
            [text("Section"), text("The standard", class_="wide"), text("Here", class_="wide")],
            [Row([element("strong", item.section, class_="nowrap"), item.standard, item.here]) for item in deviations],
        )
    return Section("deviations", "Deviations from the standards", body)
