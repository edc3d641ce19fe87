"""How much processor time the parts of the devices used in the trials that determined the results."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.rows import Row as Line
from xlatperf.report.markup import Content, paragraph, render
from xlatperf.report.numerals import NONE, rate
from xlatperf.report.section import Section
from xlatperf.report.table import Column, Row, table, text


def section(campaigns: Sequence[Campaign], lines: Sequence[Line]) -> Section | None:
    """None if no driver could tell."""
    rows = [
        Row(cells)
        for line in lines
        for campaign, one in zip(campaigns, line.found, strict=True)
        if one is not None and one.value is not None
        for cells in _cells(campaign, line, one.measurement.device_cpu, one.frames_per_s)
    ]
    if not rows:
        return None
    columns = [
        text("Measured", class_="wrap"),
        text("Campaign"),
        Column("frames/s", "both directions"),
        text("Part"),
        Column("CPU use", "cores"),
        Column("for a frame", "µs"),
    ]
    explained = paragraph(
        "Median over the trials that determined the results, while frames were sent: processor time of each part, with "
        "what the kernel did in it, divided by time and by frames. 1 is a core that was busy all the time. What the "
        "kernel does before a frame reaches a process is not in it.",
        class_="muted",
    )
    return Section("processor", "Processor time of the devices", render([table(columns, rows), explained]))


def _cells(campaign: Campaign, line: Line, cpu: dict[str, float], frames_per_s: float | None) -> list[list[Content]]:
    return [
        [
            line.kind.text,
            f"{campaign.letter} · {campaign.name}",
            rate(frames_per_s),
            name,
            f"{used:.2f}",
            NONE if not frames_per_s else f"{1e6 * used / frames_per_s:.2f}",
        ]
        for name, used in cpu.items()
    ]
