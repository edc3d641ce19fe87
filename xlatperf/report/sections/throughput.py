"""Throughput (RFC 2544 §26.1, RFC 8219 §7.1): the table and the plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xlatperf.keys.in_words import plural
from xlatperf.procedures.theoretical import PREAMBLE_AND_GAP
from xlatperf.procedures.throughput import Throughput
from xlatperf.report import words
from xlatperf.report.bounds import SIGNS, of_ratio
from xlatperf.report.columns import (
    always,
    dispersion,
    limit,
    repetitions,
    spread_of_rate,
)
from xlatperf.report.evidence import Evidence
from xlatperf.report.headline import of_rate
from xlatperf.report.identity import identity
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, Markup, element, paragraph
from xlatperf.report.numerals import NONE, megabits, percent, rate, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import rate as rate_plot
from xlatperf.report.sections.goals import goals
from xlatperf.report.selection import Selection
from xlatperf.report.sentence import not_the_devices
from xlatperf.report.series import bound_of, performance, place, point
from xlatperf.report.table import Column, table, text
from xlatperf.report.values import directions
from xlatperf.results.results import Measurement

_CARDS = 3


def _of_one_size(measurements: Sequence[Measurement]) -> bool:
    """Of a stateful device, or a series, with one size: the plots over connections, subscribers and cores say more."""
    several = _stateful(measurements) or len({point(item) for item in measurements}) > 1
    return several and len({item.size for item in measurements}) == 1


def _by_what(measurements: Sequence[Measurement]) -> str:
    kinds = {item.one_line for item in measurements}
    shared = "both sides' frames together, as one port's line carries both directions"
    return " or ".join([*(["the larger frame"] if False in kinds else []), *([shared] if True in kinds else [])])


def _explanation(measurements: Sequence[Measurement]) -> str:
    timed = [item for item in measurements if item.frame_timeout_ms is not None]
    classic = [item for item in measurements if item.frame_timeout_ms is None]
    tolerances = " / ".join(dict.fromkeys(words.tolerance(item) for item in measurements))
    media = sorted({item.media_mbps for item in measurements if item.media_mbps is not None})
    said = f"The fastest rate at which frames come back {tolerances}, found by N complete {_searches(measurements)}."
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
            + f" Mbit/s, by {_by_what(measurements)}."
        )
    return said


def _searches(measurements: Sequence[Measurement]) -> str:
    """How the next rate was chosen (RFC 2544 §26.1 leaves it open)."""
    ways = {
        "guided": "searches, led by the rate at which frames still came through where some were lost",
        "binary": "binary searches",
        "mlrsearch": "searches for several loss ratios at once (MLRsearch, RFC 9971)",
    }
    found = {str(item.parameters.get("search", "binary")) for item in measurements}
    return ", or ".join(text for way, text in ways.items() if way in found)


def _stateful(measurements: Sequence[Measurement]) -> bool:
    return any(item.connections is not None for item in measurements)


def same_but_timeout(item: Measurement) -> tuple[object, ...]:
    """Equal for measurements that differ in their frame timeout only."""
    return item.series, item.frame_size, item.mix, item.direction, point(item)


def _of_classic(of: Selection) -> Iterable[Column[Line]]:
    if not any(item.frame_timeout_ms is not None for item in of.measurements):
        return []
    return [Column("of classic", lambda line: _share_of_classic(line.item, of.measurements), "%")]


def _share_of_classic(item: Measurement, measurements: Sequence[Measurement]) -> Content:
    """Median in percent of the one without a frame timeout."""
    found = performance(item)
    if item.frame_timeout_ms is None or found is None:
        return NONE
    for other in measurements:
        same = same_but_timeout(other) == same_but_timeout(item) and other.frame_timeout_ms is None
        classic = performance(other) if same else None
        if classic is not None and classic.median:
            ratio = of_ratio(bound_of(item, found.median), bound_of(other, classic.median))
            return NONE if ratio is None else [SIGNS[ratio], percent(100 * found.median / classic.median, 1)]
    return NONE


class _Context(NamedTuple):
    """A throughput beside what the media carry."""

    line: Line
    families: dict[str, str]
    median_fps: float

    @property
    def of_maximum(self) -> Content:
        """Percent."""
        maximum = self.line.item.theoretical_maximum_fps
        return [self.sign, percent(100 * self.median_fps / maximum)] if maximum else NONE

    @property
    def sign(self) -> str:
        """What follows from a bound is one."""
        return SIGNS[bound_of(self.line.item, self.median_fps)]

    def bits(self, side: int, extra_bytes: int = 0) -> Content:
        """Mbit/s on one side, left 0 and right 1."""
        size = mean_sizes(self.line.item, self.families)[side]
        return [self.sign, megabits(self.median_fps * 8 * (size + extra_bytes))]


def _plot(of: Selection) -> Content:
    if _of_one_size(of.measurements) or all(
        performance(item) is None or item.frame_size.mixed for item in of.measurements
    ):
        return None
    return [
        element("h3", "Rate against frame size"),
        rate_plot.plot(of.measurements),
        paragraph(
            "Markers are medians, bars go from the minimum to the maximum; a triangle: at least.", class_="muted"
        ),
    ]


def _context(of: Selection) -> Content:
    families = of.evidence.families
    columns: list[Column[_Context]] = [
        *[column.through(lambda one: one.line) for column in identity(of.measurements, families, rates=False)],
        Column("Median", lambda one: [one.sign, rate(one.median_fps)], "frames/s"),
        Column("Total", lambda one: [one.sign, rate(one.median_fps * len(directions(one.line.item)))], "frames/s"),
        Column("Theoretical maximum", lambda one: whole(one.line.item.theoretical_maximum_fps), "frames/s"),
        Column("Median is", lambda one: one.of_maximum, "% of it"),
        Column("left", lambda one: one.bits(0), "Mbit/s", "L2 bit rate per direction"),
        Column("right", lambda one: one.bits(1), "Mbit/s", "L2 bit rate per direction"),
        Column("left", lambda one: one.bits(0, PREAMBLE_AND_GAP), "Mbit/s", "L1 bit rate per direction"),
        Column("right", lambda one: one.bits(1, PREAMBLE_AND_GAP), "Mbit/s", "L1 bit rate per direction"),
    ]
    lines = [
        _Context(Line(item), families, found.median)
        for item in of.measurements
        if (found := performance(item)) is not None
    ]
    if not lines:
        return None
    return [
        element("h3", "Against the media, and in bits"),
        table(columns, lines),
        paragraph(
            "Derived from the median. Total is the sum of both directions. L2 counts the frame with its FCS; L1 "
            "also preamble and inter-frame gap (20 bytes). Background frames have the IPv6 size on both sides.",
            class_="muted",
        ),
    ]


def mean_sizes(item: Measurement, families: dict[str, str]) -> tuple[float, float]:
    """Mean frame size on each side, background included (it has the IPv6 size on both)."""
    left, right = item.frame_size.exact("left"), item.frame_size.exact("right")
    six = [size for side, size in (("left", left), ("right", right)) if families[side] == "IPv6"]
    background = six[0] if six else max(left, right)
    share = item.mix.take / item.mix.of
    return share * left + (1 - share) * background, share * right + (1 - share) * background


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
        of_class = words.limiting_class(item)
        return (
            f"{evidence.device} did not pass even the lowest rate of {whole(item.minimum_fps)} frames per second per "
            f"direction {where} {allowed}, {words.DIRECTIONS[item.direction]} (N = {found.n})"
            f"{'.' if of_class is None else f': {of_class}.'}"
        )
    said: list[Content] = [
        f"{evidence.device} {words.verb(evidence.results.technology, item.mix)} up to ",
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
    of_class = words.limiting_class(item)
    if of_class is not None:
        said.append(f" Above it: {of_class}.")
    if item.failures:
        said.append(f" {plural(len(item.failures), 'repetition')} gave no result.")
    return said


def _cards(measurements: Sequence[Measurement]) -> list[Markup]:
    measured = [item for item in measurements if performance(item) is not None]
    classic = [item for item in measured if item.frame_timeout_ms is None]
    cards: list[Markup] = []
    for item in (classic or measured)[:_CARDS]:
        mix = "" if words.standard_mix(item) else f", {words.mix(item.mix)}"
        where = f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[item.direction]}{mix}{place(item)}"
        cards += of_rate(item, where, "frames/s per direction")
    return cards


REPORT = OfProcedure(
    procedure=Throughput,
    about=(_explanation,),
    values=(
        repetitions(),
        spread_of_rate("Throughput per direction, frames/s"),
        dispersion(),
        always(text("Limited by", lambda line: limit(line.item))),
        _of_classic,
    ),
    note=(
        "Frames per second per direction over N complete searches. Dispersion is (P99 - P1) / median. With N below "
        "100, P1 is the minimum and P99 the maximum (RFC 2330 §11.3). Limited by: what keeps the result from being "
        "higher; where it isn't the DUT, the result is a lower bound (≥).",
    ),
    parts=(goals, _plot, _context),
    sentence=_sentence,
    cards=_cards,
)
