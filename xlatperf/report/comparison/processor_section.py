"""How much processor time the parts of the devices used in the trials that determined the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.rows import Row
from xlatperf.report.markup import paragraph, render
from xlatperf.report.numerals import NONE, rate
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text


class _Use(NamedTuple):
    """Of one part of a campaign's device."""

    line: Row
    campaign: Campaign
    frames_per_s: float | None
    part: str
    cores: float


def section(campaigns: Sequence[Campaign], lines: Sequence[Row]) -> Section | None:
    """None if no driver could tell."""
    uses = [
        _Use(line, campaign, one.frames_per_s, part, used)
        for line in lines
        for campaign, one in zip(campaigns, line.found, strict=True)
        if one is not None and one.value is not None
        for part, used in one.measurement.device_cpu.items()
    ]
    if not uses:
        return None
    columns: list[Column[_Use]] = [
        text("Measured", lambda one: one.line.kind.text, class_="wrap"),
        text("Campaign", lambda one: one.campaign.title),
        Column("frames/s", lambda one: rate(one.frames_per_s), "both directions"),
        text("Part", lambda one: one.part),
        Column("CPU use", lambda one: f"{one.cores:.2f}", "cores"),
        Column("for a frame", _for_a_frame, "µs"),
    ]
    explained = paragraph(
        "Median over the trials that determined the results, while frames were sent: processor time of each part, with "
        "what the kernel did in it, divided by time and by frames. 1 is a core that was busy all the time. What the "
        "kernel does before a frame reaches a process is not in it.",
        class_="muted",
    )
    return Section("processor", "Processor time of the devices", render([table(columns, uses), explained]))


def _for_a_frame(one: _Use) -> str:
    return NONE if not one.frames_per_s else f"{1e6 * one.cores / one.frames_per_s:.2f}"
