"""The table of results: a row for each kind, a group of columns for each campaign."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xlatperf.procedures.quantity import Unit
from xlatperf.report import words
from xlatperf.report.bounds import SIGNS
from xlatperf.report.comparison import plot
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.found import overlap
from xlatperf.report.comparison.rows import Row
from xlatperf.report.markup import Content, badge, bullets, element, paragraph, render
from xlatperf.report.numerals import NONE, percent, rate, whole
from xlatperf.report.scale import best
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text

TIMES: tuple[Unit, ...] = ("ns", "s")


def section(campaigns: Sequence[Campaign], lines: Sequence[Row]) -> Section:
    """Always there, if only to say that nothing was measured."""
    if not lines:
        return Section("results", "Results", paragraph("None of the campaigns has measured anything yet."))
    stateless = any(one is not None and one.stateless for line in lines for one in line.found)
    parts: list[Content] = [
        paragraph(
            "Rows belong together by the IPv4 frame with the same data: where a side has IPv6, its frame is 20 bytes "
            "longer (RFC 7915), so 64 bytes stand for 64/64, 84/64, 64/84 and 84/84 (left/right). A dash: this "
            "campaign has not measured that.",
            class_="lead",
        ),
        plot.plots(campaigns, lines),
        _table(campaigns, lines),
        bullets(_without_result(campaigns, lines)),
        paragraph(
            "Large: the median over N repetitions, or the average where the standard wants that. Below: N, and the "
            "dispersion (P99 - P1) / median (RFC 8219 §12; for N below 100 P1 is the minimum and P99 the maximum). "
            f"Ratio: to {campaigns[0].letter}'s; “overlap”: the ranges from minimum to maximum have values in common, "
            "so no difference can be told; none where a load follows from a throughput that is a lower bound: it isn't "
            "that of the row. Limited by: what keeps the result from being higher; only “DUT” is the "
            "device's own limit, all else stands as “≥” and hatched, or, of a phase 1 below 1 s, as “~”. Below it: how "
            "many cores' worth of processor time each part of the device used.",
            class_="muted",
        ),
    ]
    if stateless:
        parts.append(
            paragraph(
                "“no connections”: that device is stateless, so one result stands beside those of others through any "
                "number of connections.",
                class_="muted",
            )
        )
    return Section("results", "Results", render(parts))


def _table(campaigns: Sequence[Campaign], lines: Sequence[Row]) -> Content:
    columns: list[Column[Row]] = [text("Measured", partial(_measured, campaigns), class_="wrap")]
    for index, campaign in enumerate(campaigns):
        columns.append(Column("Result", partial(_result, index), "", campaign.title))
        if index:
            columns.append(Column(f"Ratio to {campaigns[0].letter}", partial(_ratio, index), "", campaign.title))
        columns.append(text("Limited by, CPU use", partial(_limit, index), campaign.title))
    return table(columns, lines)


def _without_result(campaigns: Sequence[Campaign], lines: Sequence[Row]) -> list[str]:
    return [
        f"{campaign.letter} has no result for {line.kind.text}: {one.why_not}"
        for line in lines
        for campaign, one in zip(campaigns, line.found, strict=True)
        if one is not None and one.value is None
    ]


def _measured(campaigns: Sequence[Campaign], line: Row) -> Content:
    kind = line.kind
    return [
        element("strong", kind.name),
        _below(f"{kind.size_in_words}, {words.ARROWS[kind.direction]}"),
        _below(kind.conditions),
        _below(_sizes(campaigns, line)),
        _below("" if kind.unit in TIMES else kind.unit),
    ]


def _below(said: str) -> Content:
    return element("span", said, class_="below") if said else None


def _sizes(campaigns: Sequence[Campaign], line: Row) -> str:
    """Left/right of each campaign, if they aren't all the same."""
    sizes = {
        campaign.letter: words.sizes(one.measurement.frame_size)
        for campaign, one in zip(campaigns, line.found, strict=True)
        if one is not None
    }
    if len(set(sizes.values())) == 1:
        (size,) = set(sizes.values())
        return "" if "/" not in size else f"left/right: {size}"
    return "left/right: " + ", ".join(f"{letter} {size}" for letter, size in sizes.items())


def shown(value: float, unit: str) -> Content:
    """A rate, a number or a time, as people read it."""
    return best(value, unit) if unit in TIMES else rate(value)


def _result(index: int, line: Row) -> Content:
    one = line.found[index]
    if one is None:
        return NONE
    if one.summary is None or one.value is None:
        return badge("no result", "warn")
    notes = [f"N = {one.summary.n}"]
    if one.summary.n > 1 and one.summary.dispersion is not None:
        notes.append(f"dispersion {percent(100 * one.summary.dispersion, 1)} %")
    if one.stateless:
        notes.append("no connections")
    if one.of_share:
        notes.append(f"at {whole(one.measurement.rate_fps)} frames/s, {words.share(one.measurement)}")
    if not one.measurement.complete:
        notes.append("incomplete")
    return [
        element("strong", SIGNS[one.bound], shown(one.value, line.kind.unit)),
        [_below(note) for note in notes],
    ]


def _ratio(index: int, line: Row) -> Content:
    found, first, one = line.ratio(index), line.found[0], line.found[index]
    if found is None or first is None or one is None:
        return NONE
    single = any(side.summary is not None and side.summary.n < 2 for side in (first, one))
    note = "N = 1" if single else "overlap" if overlap(first, one) else ""
    bound = line.ratio_bound(index) or ""
    return [element("strong", SIGNS[bound], f"{found:.3g}"), _below(note)]


def _limit(index: int, line: Row) -> Content:
    """With the processor time of the device's parts, in cores."""
    one = line.found[index]
    if one is None or one.value is None:
        return NONE
    limits = one.limited_by.split(", ")
    shown_limits = [limit if limit in ("DUT", NONE) else badge(limit, "warn") for limit in limits]
    parts = [_below(f"{name} {used:.2f}") for name, used in one.measurement.device_cpu.items()]
    return [[[limit, element("br")] for limit in shown_limits[:-1]], shown_limits[-1], parts]
