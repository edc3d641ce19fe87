"""Throughput (RFC 2544 §26.1, RFC 8219 §7.1): the table and the plot."""

from __future__ import annotations

from xlatperf.campaign.results import Measurement
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, badge, bullets, element, paragraph, render
from xlatperf.report.numerals import NONE, megabits, percent, rate, whole
from xlatperf.report.plots import rate as rate_plot
from xlatperf.report.section import Section
from xlatperf.report.table import Column, Row, table, text

_TONES = {"DUT": "plain", "Tester": "warn", "highest rate asked": "warn", "lowest rate failed": "bad"}


def section(evidence: Evidence) -> Section | None:
    """None if no throughput was measured."""
    measurements = evidence.measurements("throughput")
    if not measurements:
        return None
    named = len({item.name for item in measurements}) > 1
    families = evidence.families
    columns = [
        *([text("Measure")] if named else []),
        Column(f"left {families['left']}", "B", "Frame size"),
        Column(f"right {families['right']}", "B", "Frame size"),
        text("Mix"),
        text("Direction"),
        Column("N"),
        Column("Median", "frames/s", "Throughput per direction"),
        Column("P1", "frames/s", "Throughput per direction"),
        Column("P99", "frames/s", "Throughput per direction"),
        Column("Minimum", "frames/s", "Throughput per direction"),
        Column("Maximum", "frames/s", "Throughput per direction"),
        Column("Dispersion", "%", "Throughput per direction"),
        Column("Total", "frames/s"),
        Column("Theoretical", "frames/s", "Maximum of the media"),
        Column("Median is", "% of it", "Maximum of the media"),
        text("Limited by"),
    ]
    rows = [Row([*([item.name] if named else []), *_cells(item)]) for item in measurements]
    parts: list[Content] = [
        paragraph(_explanation(measurements), class_="lead"),
        table(columns, rows),
        paragraph(
            "Dispersion is (P99 - P1) / median. With N below 100, P1 is the minimum and P99 the maximum (RFC 2330 "
            "§11.3). "
            "Total is the sum of both directions. Limited by: what keeps the result from being higher.",
            class_="muted",
        ),
    ]
    if any(item.summary is not None for item in measurements):
        parts += [
            element("h3", "Rate against frame size"),
            rate_plot.plot(measurements),
            paragraph("Markers are medians, bars go from the minimum to the maximum.", class_="muted"),
            element("h3", "Bit rate"),
            _bit_rates(measurements, families),
        ]
    parts.append(
        bullets(
            f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[item.direction]}: {failure}"
            for item in measurements
            for failure in item.failures
        )
    )
    return Section("throughput", "Throughput", render(parts))


def _explanation(measurements: list[Measurement]) -> str:
    standards = "; ".join(dict.fromkeys(item.standard for item in measurements))
    tolerances = " / ".join(dict.fromkeys(words.tolerance(item) for item in measurements))
    media = sorted({item.media_mbps for item in measurements if item.media_mbps is not None})
    said = f"{standards}. The fastest rate at which frames come back {tolerances}, found by N complete binary searches."
    if media:
        said += (
            " Theoretical maximum of Ethernet at "
            + ", ".join(f"{value:,.0f}" for value in media)
            + " Mbit/s, by the larger frame."
        )
    return said


def _cells(item: Measurement) -> list[Content]:
    found = item.summary
    directions = 2 if item.direction == "bidirectional" else 1
    maximum = item.theoretical_maximum_fps
    share = NONE if found is None or not maximum else percent(100 * found.median / maximum)
    values: list[Content] = [NONE] * 6
    if found is not None:
        dispersion = NONE if found.dispersion is None or found.n == 1 else percent(100 * found.dispersion)
        values = [
            element("strong", rate(found.median)),
            rate(found.p1),
            rate(found.p99),
            rate(found.minimum),
            rate(found.maximum),
            dispersion,
        ]
    limit = words.limited_by(item)
    return [
        whole(item.frame_size.left),
        whole(item.frame_size.right),
        words.mix(item.mix),
        words.ARROWS[item.direction],
        "0" if found is None else str(found.n) if item.complete else f"{found.n} so far",
        *values,
        NONE if found is None else rate(found.median * directions),
        rate(maximum),
        share,
        badge(limit, _TONES.get(limit, "plain")) if limit != NONE else NONE,
    ]


def _bit_rates(measurements: list[Measurement], families: dict[str, str]) -> Content:
    columns = [
        Column("left", "B", "Frame size"),
        Column("right", "B", "Frame size"),
        text("Mix"),
        text("Direction"),
        Column("Median", "frames/s"),
        Column(f"left {families['left']}", "Mbit/s", "Bit rate per direction, L2"),
        Column(f"right {families['right']}", "Mbit/s", "Bit rate per direction, L2"),
        Column("left", "Mbit/s", "with preamble and gap, L1"),
        Column("right", "Mbit/s", "with preamble and gap, L1"),
    ]
    rows = []
    for item in measurements:
        if item.summary is None:
            continue
        frames = item.summary.median
        left, right = mean_sizes(item, families)
        bits = [megabits(frames * 8 * (size + extra)) for extra in (0, 20) for size in (left, right)]
        rows.append(
            Row(
                [
                    whole(item.frame_size.left),
                    whole(item.frame_size.right),
                    words.mix(item.mix),
                    words.ARROWS[item.direction],
                    rate(frames),
                    *bits,
                ]
            )
        )
    return [
        table(columns, rows),
        paragraph(
            "Derived from the median. L2 counts the frame with its FCS; L1 also preamble and inter-frame gap (20 "
            "bytes). "
            "Background frames have the IPv6 size on both sides.",
            class_="muted",
        ),
    ]


def mean_sizes(item: Measurement, families: dict[str, str]) -> tuple[float, float]:
    """Mean frame size on each side, background included (it has the IPv6 size on both)."""
    six = [
        size
        for side, size in (("left", item.frame_size.left), ("right", item.frame_size.right))
        if families[side] == "IPv6"
    ]
    background = six[0] if six else max(item.frame_size.left, item.frame_size.right)
    share = item.mix.take / item.mix.of
    return (
        share * item.frame_size.left + (1 - share) * background,
        share * item.frame_size.right + (1 - share) * background,
    )
