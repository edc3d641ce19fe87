"""Back-to-back frames (RFC 9004 §6, §7): the longest burst without loss, and the buffer time that it implies."""

from __future__ import annotations

from xlatperf.procedures.back_to_back import BURST, OFFERED, STEP, BackToBack
from xlatperf.procedures.quantity import Derived
from xlatperf.report import headline, words
from xlatperf.report.bounds import IN_WORDS, SIGNS
from xlatperf.report.columns import (
    average,
    median,
    repetitions,
    throughput,
)
from xlatperf.report.every_repetition import every_repetition
from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import identity
from xlatperf.report.line import Line, whole_measurements
from xlatperf.report.markup import Content, Markup, bullets, element, paragraph, render
from xlatperf.report.numerals import NONE, percent, rate, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.remarks import remarks
from xlatperf.report.scale import best, milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import of_times, over
from xlatperf.report.table import Column, facts, table
from xlatperf.report.values import find, parameter
from xlatperf.results.results import Measurement

IMPLIED, CORRECTED = "implied buffer time", "corrected buffer time"


def derived(item: Measurement, name: str) -> Derived | None:
    """A value in s that follows from the average; None if there is none."""
    return next((one for one in item.derived if one.quantity == name and one.value is not None), None)


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    parts: list[Content] = [
        paragraph(
            f"{words.standards(measurements)}. "
            "The longest burst at the highest rate from which the device loses no frame, found by N "
            "complete searches. What it holds beyond what it forwards meanwhile waits in its buffers.",
            class_="lead",
        ),
        table(
            [
                *identity(measurements, evidence.families, rates=False),
                Column("Rate of bursts", _rate_of_bursts, "frames/s"),
                throughput("frames/s"),
            ],
            whole_measurements(measurements),
            [
                repetitions(),
                *average("Back-to-back frames per direction", BURST, _frames),
                _buffer_time("Implied", IMPLIED),
                _buffer_time("Corrected", CORRECTED),
                median("Step size", STEP, whole, "frames"),
            ],
            why_not=Line.why_not,
        ),
        paragraph(
            "Implied buffer time: average / rate of bursts. Corrected: implied x (1 - throughput / rate of bursts), "
            "without what the device forwards while the burst arrives (RFC 9004 §6.4). Step size: median of the "
            "distances to the shortest burst with loss. ≥: in at least one search the Tester could not send a longer "
            "burst, so that these are lower bounds. Of a throughput that is a lower bound (≥) the corrected time is an "
            "upper one (≤); if both are bounds, nothing is known of it.",
            class_="muted",
        ),
        bullets(_slower_than_media(measurements)),
        remarks(measurements),
        _parameters(measurements),
        every_repetition(measurements, identity(measurements, evidence.families), BackToBack.quantities),
    ]
    return Section("back-to-back", "Back-to-back frames", render(parts))


def _rate_of_bursts(line: Line) -> Content:
    """As it was offered; as it was asked for where nothing was."""
    offered = line.median(OFFERED)
    return rate(line.item.rate_fps if offered is None else offered)


def _buffer_time(title: str, name: str) -> Column[Line]:
    def cell(line: Line) -> Content:
        scale = milli([one.value for one in line.item.derived], "s")
        found = derived(line.item, name)
        return NONE if found is None else [SIGNS[found.bound], scale.shown(found.value, "s")]

    return Column(title, cell, "ms", "Buffer time")


def _frames(value: float | None) -> Content:
    """An average: whole frames, one place below 1,000, exact under the pointer."""
    if value is None:
        return NONE
    shown = f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:,.1f}"
    return element("span", shown, title=f"{value!r} frames")


def _slower_than_media(measurements: list[Measurement]) -> list[Content]:
    """RFC 9004 §6.4 calculates with the theoretical maximum; a software Tester may not reach it."""
    said = []
    for item in measurements:
        burst, media = item.rate_fps, item.theoretical_maximum_fps
        if burst and media and burst < 0.999 * media:
            limit = item.tester_limit_fps
            why = (
                "the Tester's own limit"
                if limit is not None and burst >= int(limit)
                else "the bench file's maximum_fps"
            )
            said.append(
                f"{words.sizes(item.frame_size)} bytes: bursts go at {burst:,.0f} frames per second, "
                f"{percent(100 * burst / media)} % of the media's {media:,.0f}: {why}. Buffer times are calculated "
                "with the rate of the bursts."
            )
    return list(dict.fromkeys(said))


def _parameters(measurements: list[Measurement]) -> Content:
    """RFC 9004 §6.2, §7: parameters of the search must be reported."""
    said: dict[str, None] = {}
    for item in measurements:
        steps = [
            f"{found} frames" if (found := parameter(item, "step_frames")) else "",
            f"{found} % of the upper bound" if (found := parameter(item, "step_percent")) else "",
        ]
        repeats, up_to = parameter(item, "maximum_repeats"), parameter(item, "repeat_up_to_frames")
        longest, waits = parameter(item, "duration_s"), parameter(item, "timeout_s")
        parts = [
            parameter(item, "search"),
            f"repeats of a lossy trial, max(r): {repeats}" if repeats else "",
            f"but not if it lost more than {up_to} frames" if repeats and up_to else "",
            f"longest burst {longest} s" if longest else "",
            "step size " + ", ".join(filter(None, steps)) if any(steps) else "",
            f"waits {waits} s after the burst could have been received at the throughput" if waits else "",
        ]
        said["; ".join(filter(None, parts))] = None
    return facts(("Search", line) for line in said if line)


def _sentence(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    def said() -> Content:
        found, corrected = find(item, BURST, None), derived(item, CORRECTED)
        at_least = words.limited_elsewhere(item)
        return [
            "bursts of ",
            "at least " if at_least else "up to ",
            element("strong", whole(None if found is None else found.mean)),
            f" frames per direction at {whole(item.rate_fps)} frames per second without loss "
            f"({over(item, 'average', 'search', 'searches')}"
            f"{', limited by the Tester' if at_least else ''})",
            f"; corrected buffer time {IN_WORDS[corrected.bound]}{best(corrected.value, 's')}"
            if corrected is not None
            else "",
        ]

    return of_times(item, said, rates=False)


def _cards(measurements: list[Measurement]) -> list[Markup]:
    return headline.worst(measurements, BURST, "back-to-back frames")


REPORT = OfProcedure(BackToBack, _tables, _sentence, _cards)
