"""Throughput (RFC 2544 §26.1, RFC 8219 §7.1): the table and the plot."""

from __future__ import annotations

from xlatperf.keys.in_words import plural
from xlatperf.procedures.theoretical import PREAMBLE_AND_GAP
from xlatperf.procedures.throughput import Throughput
from xlatperf.report import words
from xlatperf.report.card import card
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, bullets, element, paragraph, render
from xlatperf.report.measured import all_small, axis_cells, axis_columns, size_cells, size_columns, spread_columns
from xlatperf.report.numerals import NONE, megabits, percent, rate, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import rate as rate_plot
from xlatperf.report.section import Section
from xlatperf.report.sentence import not_the_devices
from xlatperf.report.series import axes_of, performance, place, point
from xlatperf.report.table import Column, Row, table, text
from xlatperf.results.results import Measurement

_CARDS = 3
_TONES = {"DUT": "plain", "Tester": "warn", "highest rate asked": "warn", "lowest rate failed": "bad"}


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    parts: list[Content] = [
        paragraph(_explanation(measurements), class_="lead"),
        _results(measurements, evidence.families),
        paragraph(
            "Frames per second per direction over N complete searches. Dispersion is (P99 - P1) / median. With N "
            "below 100, "
            "P1 is the minimum and P99 the maximum (RFC 2330 §11.3). Limited by: what keeps the result from being "
            "higher.",
            class_="muted",
        ),
    ]
    if any(performance(item) is not None for item in measurements):
        if not _of_one_size(measurements):
            parts += [
                element("h3", "Rate against frame size"),
                rate_plot.plot(measurements),
                paragraph("Markers are medians, bars go from the minimum to the maximum.", class_="muted"),
            ]
        parts += [
            element("h3", "Against the media, and in bits"),
            _context(measurements, evidence.families),
        ]
    parts.append(
        bullets(
            f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[item.direction]}{place(item)}: {failure}"
            for item in measurements
            for failure in (*(one.in_words() for one in item.failures), *item.remarks)
        )
    )
    return Section("throughput", "Throughput", render(parts))


def _of_one_size(measurements: list[Measurement]) -> bool:
    """Of a stateful device, or a series, with one size: the plots over connections, subscribers and cores say more."""
    several = _stateful(measurements) or len({point(item) for item in measurements}) > 1
    return several and len({item.frame_size_named for item in measurements}) == 1


def _explanation(measurements: list[Measurement]) -> str:
    timed = [item for item in measurements if item.frame_timeout_ms is not None]
    classic = [item for item in measurements if item.frame_timeout_ms is None]
    standards = "; ".join(dict.fromkeys(item.standard for item in classic or measurements))
    tolerances = " / ".join(dict.fromkeys(words.tolerance(item) for item in measurements))
    media = sorted({item.media_mbps for item in measurements if item.media_mbps is not None})
    said = f"{standards}. The fastest rate at which frames come back {tolerances}, found by N complete binary searches."
    if timed and classic:
        timeouts = " or ".join(dict.fromkeys(words.frame_timeout(item) for item in timed))
        said += (
            " RFC 2544 lets a frame take as long as it likes. Rows with a frame timeout are beside that, by searches "
            f"of their own: a frame that took longer than {timeouts} counts as lost."
        )
    if media:
        said += (
            " Theoretical maximum of Ethernet at "
            + ", ".join(f"{value:,.0f}" for value in media)
            + " Mbit/s, by the larger frame."
        )
    return said


def _identity(measurements: list[Measurement], families: dict[str, str]) -> list[Column]:
    return [
        *([text("Measure")] if _named(measurements) else []),
        *size_columns(families, _stateful(measurements)),
        *([text("Mix")] if _mixed(measurements) else []),
        text("Direction"),
        *axis_columns(axes_of(measurements)),
        *([text("Frame timeout")] if _timed(measurements) else []),
    ]


def _identify(item: Measurement, measurements: list[Measurement]) -> list[Content]:
    """Cells of `_identity`."""
    return [
        *([item.series] if _named(measurements) else []),
        *size_cells(item, _stateful(measurements)),
        *([words.mix(item.mix)] if _mixed(measurements) else []),
        words.ARROWS[item.direction],
        *axis_cells(item, axes_of(measurements)),
        *([words.frame_timeout(item)] if _timed(measurements) else []),
    ]


def _named(measurements: list[Measurement]) -> bool:
    return len({item.series for item in measurements}) > 1


def _stateful(measurements: list[Measurement]) -> bool:
    return any(item.connections is not None for item in measurements)


def _mixed(measurements: list[Measurement]) -> bool:
    """Of a stateful device only where there is something to tell: the tables are wide."""
    return not _stateful(measurements) or not all(words.standard_mix(item) for item in measurements)


def _few(measurements: list[Measurement]) -> bool:
    """True if P1 and P99 may stand for minimum and maximum; the same holds of the room."""
    return _stateful(measurements) and all_small(measurements)


def same_but_timeout(item: Measurement) -> tuple[object, ...]:
    """Equal for measurements that differ in their frame timeout only."""
    return item.series, item.frame_size, item.mix, item.direction, point(item)


def _timed(measurements: list[Measurement]) -> bool:
    return any(item.frame_timeout_ms is not None for item in measurements)


def _of_classic(item: Measurement, measurements: list[Measurement]) -> Content:
    """Median in percent of the one without a frame timeout."""
    found = performance(item)
    if item.frame_timeout_ms is None or found is None:
        return NONE
    for other in measurements:
        same = same_but_timeout(other) == same_but_timeout(item) and other.frame_timeout_ms is None
        classic = performance(other) if same else None
        if classic is not None and classic.median:
            return percent(100 * found.median / classic.median, 1)
    return NONE


def _results(measurements: list[Measurement], families: dict[str, str]) -> Markup:
    group = "Throughput per direction, frames/s"
    timed = _timed(measurements)
    columns = [
        *_identity(measurements, families),
        Column("N"),
        *(
            spread_columns(group, "", small=True)
            if _few(measurements)
            else [Column(name, "", group) for name in ("Median", "P1", "P99", "Minimum", "Maximum")]
        ),
        Column("Dispersion", "%"),
        text("Limited by"),
        *([Column("of classic", "%")] if timed else []),
    ]
    rows = [
        Row(
            [
                *_identify(item, measurements),
                *_summarised(item, _few(measurements)),
                *([_of_classic(item, measurements)] if timed else []),
            ]
        )
        for item in measurements
    ]
    return table(columns, rows)


def _summarised(item: Measurement, few: bool) -> list[Content]:
    found = performance(item)
    if found is None:
        return ["0", *[NONE] * (4 if few else 6), NONE]
    limit = words.limited_by(item)
    return [
        str(found.n) if item.complete else f"{found.n} so far",
        element("strong", rate(found.median)),
        *[rate(value) for value in (found.p1, found.p99)],
        *([] if few else [rate(value) for value in (found.minimum, found.maximum)]),
        NONE if found.dispersion is None or found.n == 1 else percent(100 * found.dispersion),
        badge(limit, _TONES.get(limit, "plain")) if limit != NONE else NONE,
    ]


def _context(measurements: list[Measurement], families: dict[str, str]) -> Content:
    columns = [
        *_identity(measurements, families),
        Column("Median", "frames/s"),
        Column("Total", "frames/s"),
        Column("Theoretical maximum", "frames/s"),
        Column("Median is", "% of it"),
        *[Column(side, "Mbit/s", "L2 bit rate per direction") for side in ("left", "right")],
        *[Column(side, "Mbit/s", "L1 bit rate per direction") for side in ("left", "right")],
    ]
    rows = []
    for item in measurements:
        found = performance(item)
        if found is None:
            continue
        frames, maximum = found.median, item.theoretical_maximum_fps
        sizes = mean_sizes(item, families)
        bits: list[Content] = [
            megabits(frames * 8 * (size + extra)) for extra in (0, PREAMBLE_AND_GAP) for size in sizes
        ]
        cells: list[Content] = [
            rate(frames),
            rate(frames * (2 if item.direction == "bidirectional" else 1)),
            whole(maximum),
            NONE if not maximum else percent(100 * frames / maximum),
        ]
        rows.append(Row([*_identify(item, measurements), *cells, *bits]))
    return [
        table(columns, rows),
        paragraph(
            "Derived from the median. Total is the sum of both directions. L2 counts the frame with its FCS; L1 "
            "also preamble "
            "and inter-frame gap (20 bytes). Background frames have the IPv6 size on both sides.",
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


def _sentence(evidence: Evidence, item: Measurement) -> Content:
    where = f"at {words.sizes(item.frame_size)} bytes{words.with_mix(item)}{place(item)}"
    allowed = f"{words.tolerance(item)}{words.timely(item)}"
    found = performance(item)
    if found is None:
        why = f": {item.failures[0].why}" if item.failures else ""
        return f"No throughput {where}{words.timely(item)}, {words.DIRECTIONS[item.direction]}{why}."
    if found.n == 1:
        spread = "a single search, N = 1: nothing is known about the spread"
    else:
        spread = f"median of {found.n} searches, from {found.minimum:,.0f} to {found.maximum:,.0f}"
    if found.maximum == 0:
        return (
            f"{evidence.device} did not pass even the lowest rate of {whole(item.minimum_fps)} frames per second per "
            f"direction {where} {allowed}, {words.DIRECTIONS[item.direction]} (N = {found.n})."
        )
    said: list[Content] = [
        f"{evidence.device} {words.verb(evidence.results.technology)} up to ",
        element("strong", rate(found.median)),
        f" frames per second per direction {where}, {words.DIRECTIONS[item.direction]}, {allowed} ({spread}).",
    ]
    elsewhere = not_the_devices(item)
    if elsewhere is not None:
        said.append(elsewhere)
    elif by_tester := sum(repetition.limited_by == "tester" for repetition in item.repetitions):
        said.append(
            element("em", f" In {by_tester} of {len(item.repetitions)} the Tester was the limit, not the device.")
        )
    if item.failures:
        said.append(f" {plural(len(item.failures), 'repetition')} gave no result.")
    return said


def _cards(measurements: list[Measurement]) -> list[Markup]:
    cards: list[Markup] = []
    measured = [(item, found) for item in measurements if (found := performance(item))]
    classic = [(item, found) for item, found in measured if item.frame_timeout_ms is None]
    for item, found in (classic or measured)[:_CARDS]:
        span = f"{found.minimum:,.0f} to {found.maximum:,.0f}" if found.n > 1 else "one search only"
        mix = "" if words.standard_mix(item) else f", {words.mix(item.mix)}"
        at_least = words.at_least(item)
        caption = [
            element("b", f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[item.direction]}{mix}{place(item)}"),
            element("br"),
            f"N = {found.n}: {span}",
        ]
        if at_least:
            caption += [element("br"), element("em", f"limited by: {words.limited_by(item)}")]
        shown = ["≥ " if at_least else "", rate(found.median)]
        cards.append(card(shown, "frames/s per direction", caption, "" if found.maximum else "bad"))
    return cards


REPORT = OfProcedure(Throughput, _tables, _sentence, _cards)
