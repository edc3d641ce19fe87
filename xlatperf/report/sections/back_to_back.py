"""Back-to-back frames (RFC 9004 §6, §7): the longest burst without loss, and the buffer time that it implies."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from xlatperf.procedures.back_to_back import BURST, OFFERED, STEP, BackToBack
from xlatperf.procedures.quantity import Derived
from xlatperf.report import headline, words
from xlatperf.report.bounds import IN_WORDS, SIGNS
from xlatperf.report.columns import (
    Columns,
    always,
    average,
    repetitions,
    throughput,
)
from xlatperf.report.evidence import Evidence
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, bullets, element
from xlatperf.report.numerals import NONE, count, percent, rate, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.scale import best, milli
from xlatperf.report.selection import Selection
from xlatperf.report.sentence import of_times, over
from xlatperf.report.table import Column, facts
from xlatperf.report.values import find, parameter
from xlatperf.results.results import Measurement

IMPLIED, CORRECTED = "implied buffer time", "corrected buffer time"


def derived(item: Measurement, name: str) -> Derived | None:
    """A value in s that follows from the average; None if there is none."""
    return next((one for one in item.derived if one.quantity == name and one.value is not None), None)


def _rate_of_bursts(line: Line) -> Content:
    """As it was offered; as it was asked for where nothing was."""
    offered = line.median(OFFERED)
    return rate(line.item.rate_fps if offered is None else offered)


def _buffer_time(title: str, name: str) -> Columns:
    def columns(of: Selection) -> Iterable[Column[Line]]:
        def cell(line: Line) -> Content:
            found = derived(line.item, name)
            return NONE if found is None else [SIGNS[found.bound], of.scale.shown(found.value, "s")]

        return [Column(title, cell, of.scale.unit, "Buffer time")]

    return columns


def _slower_than_media(of: Selection) -> Content:
    """RFC 9004 §6.4 calculates with the theoretical maximum; a software Tester may not reach it."""
    said = []
    for item in of.measurements:
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
    return bullets(dict.fromkeys(said))


def _parameters(of: Selection) -> Content:
    """RFC 9004 §6.2, §7: parameters of the search must be reported."""
    said: dict[str, None] = {}
    for item in of.measurements:
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
            element("strong", NONE if found is None or found.mean is None else count(found.mean, "frames")),
            f" frames per direction at {whole(item.rate_fps)} frames per second without loss "
            f"({over(item, 'average', 'search', 'searches')}"
            f"{', limited by the Tester' if at_least else ''})",
            f"; corrected buffer time {IN_WORDS[corrected.bound]}{best(corrected.value, 's')}"
            if corrected is not None
            else "",
        ]

    return of_times(item, said, rates=False)


REPORT = OfProcedure(
    procedure=BackToBack,
    about=(
        "The longest burst at the highest rate from which the device loses no frame, found by N complete searches. "
        "What it holds beyond what it forwards meanwhile waits in its buffers.",
    ),
    scale=milli,
    identity={"rates": False},
    given=(always(Column("Rate of bursts", _rate_of_bursts, "frames/s")), throughput("frames/s")),
    values=(
        repetitions(),
        average("Back-to-back frames per direction", BURST),
        _buffer_time("Implied", IMPLIED),
        _buffer_time("Corrected", CORRECTED),
        always(Column("Step size", lambda line: whole(line.median(STEP)), "frames")),
    ),
    note=(
        "Implied buffer time: average / rate of bursts. Corrected: implied x (1 - throughput / rate of bursts), "
        "without what the device forwards while the burst arrives (RFC 9004 §6.4). Step size: median of the "
        "distances to the shortest burst with loss. ≥: in at least one search the Tester could not send a longer "
        "burst, so that these are lower bounds. Of a throughput that is a lower bound (≥) the corrected time is an "
        "upper one (≤); if both are bounds, nothing is known of it.",
    ),
    parts=(_slower_than_media, _parameters),
    sentence=_sentence,
    cards=partial(headline.worst, quantity=BURST, unit="back-to-back frames"),
)
