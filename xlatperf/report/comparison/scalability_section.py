"""Series of the campaigns in the same plots and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.joined import Joined
from xlatperf.report.markup import Content, paragraph, render
from xlatperf.report.plots import scale_up
from xlatperf.report.scalability import as_html
from xlatperf.report.scalability.groups import Group
from xlatperf.report.scalability.table import ScalabilityTable
from xlatperf.report.section import Section


def section(
    campaigns: Sequence[Campaign], series: Sequence[Joined], tables: Sequence[ScalabilityTable]
) -> Section | None:
    """None if no campaign has a series that another has something of. `tables`: of the series."""
    if not series:
        return None
    parts: list[Content] = [
        paragraph(
            "Rates over connections, subscribers, networks, CPU cores, alpha or columns, of all campaigns that have "
            f"measured them by the same rules. Ratios are to {campaigns[0].letter}'s medians, in percent. A rate of a "
            "device without connections stands beside those through any number of them.",
            class_="lead",
        )
    ]
    for number, (one, table) in enumerate(zip(series, tables, strict=True)):
        parts += [as_html.shown(table), _plot(campaigns, one, f"plot-joined-{number}")]
    parts.append(paragraph("The tables are also in a CSV file beside this page, and in one for LaTeX.", class_="muted"))
    return Section("scalability", "Scalability", render(parts))


def _plot(campaigns: Sequence[Campaign], found: Joined, name: str) -> Content:
    if found.over.axis is None:
        return None
    lines = [
        replace(curve, name=f"{campaigns[index].letter}: {curve.name}")
        for line in found.lines
        for index, curve in line.curves.items()
    ]
    return scale_up.plot([Group(found.where, found.over, found.fixed, tuple(lines))], name)
