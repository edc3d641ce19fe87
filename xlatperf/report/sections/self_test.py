"""The Tester alone: its own limits and delays beside those with the DUT."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple, get_args

from xlatperf.engine.delays import Delay
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.quantity import Bound
from xlatperf.report import words
from xlatperf.report.bounds import SIGNS, of_ratio
from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import sizes
from xlatperf.report.markup import Content, bullets, element, paragraph
from xlatperf.report.numerals import NONE, percent, rate
from xlatperf.report.sections.delays import DELAYS, DelayFigures
from xlatperf.report.series import alpha_of, bound_of, performance
from xlatperf.report.table import Column, table, text
from xlatperf.report.values import passed
from xlatperf.results.results import Measurement
from xlatperf.results.selftest_records import SelfTestEntry


def self_test(evidence: Evidence) -> list[Content]:
    """Limits, then delays; also when there is no self-test."""
    return [_limits(evidence), _delays(evidence)]


def _beside(evidence: Evidence, entry: SelfTestEntry) -> Measurement | None:
    """The throughput at the same size and direction, preferably without background; of several series the fastest.

    Beside the Tester's phase 1 the connection establishment rate, without validation.
    """
    if entry.phase == "establish":
        rates = [
            item
            for item in evidence.measurements("establishment")
            if item.size == entry.size and alpha_of(item) is None and performance(item)
        ]
        return max(rates, key=_median, default=None)
    same = [
        item
        for item in evidence.measurements("throughput")
        if (item.size, item.direction) == (entry.size, entry.direction)
        and performance(item) is not None
        and item.frame_timeout_ms is None
    ]
    if entry.phase is not None:
        return max(same, key=_median, default=None)
    return next((item for item in same if words.standard_mix(item)), same[0] if same else None)


def _median(item: Measurement) -> float:
    found = performance(item)
    return found.median if found is not None else 0.0


class _Limit(NamedTuple):
    """What the Tester alone can do, and what the DUT did at the same size and direction."""

    entry: SelfTestEntry
    dut: Measurement | None

    @property
    def fps(self) -> float | None:
        """The DUT's median."""
        return None if self.dut is None else _median(self.dut)

    @property
    def bound(self) -> Bound:
        """Of that."""
        return "" if self.dut is None else bound_of(self.dut, _median(self.dut))

    @property
    def share(self) -> Content:
        """The DUT's, in percent: at most so much of a limit that is known from below, and of two bounds nothing."""
        bound = of_ratio(self.bound, ">=" if self.entry.is_bound else "")
        if self.fps is None or not self.entry.limit_fps or bound is None:
            return NONE
        return [SIGNS[bound], percent(100 * self.fps / self.entry.limit_fps, 1)]


def _limit(one: _Limit) -> Content:
    return ["≥ " if one.entry.is_bound else "", rate(one.entry.limit_fps)]


def _why_not_more(one: _Limit) -> str:
    if one.entry.ceiling_fps is None:
        return one.entry.reason or NONE
    return "no more was tried: the line's rate, or far more than the campaign asks for"


def _phase(one: _Limit) -> str:
    """What the Tester alone did."""
    if one.entry.phase == "establish":
        return "phase 1: new connections"
    return f"phase 2: {one.entry.connections or 0:,} connections" if one.entry.phase == "steady" else NONE


def _statistic(one: _Limit, name: str) -> Content:
    """Of all runs."""
    found = one.entry.summary()
    if found is None:
        return NONE
    value = getattr(found, name)
    return [SIGNS[one.entry.bound_of(value)], rate(value)]


def _dispersion(one: _Limit) -> Content:
    found = one.entry.dispersion
    return NONE if found is None else percent(100 * found, 1)


_STATISTICS: tuple[Column[_Limit], ...] = (
    Column("N", lambda one: str(len(one.entry.runs) or 1)),
    *(
        Column(head, partial(_statistic, name=name), "frames/s")
        for head, name in (("Median", "median"), ("P1", "p1"), ("P99", "p99"))
    ),
    Column("Dispersion", _dispersion, "%"),
)
"""Of several runs (RFC 8219 §12)."""


def _limits(evidence: Evidence) -> Content:
    if not evidence.results.selftest:
        return paragraph(
            element("strong", "No self-test. "),
            "The Tester's own limit and delay are not known: a result may be the "
            "Tester's rather than the device's. `xlatperf selftest` measures them.",
            class_="note warn",
        )
    phases = any(entry.phase is not None for entry in evidence.results.selftest)
    several = any(entry.runs for entry in evidence.results.selftest)
    columns: list[Column[_Limit]] = [
        text("Over", lambda one: _over(one.entry)),
        *[column.through(lambda one: one.entry.frame_size) for column in sizes()],
        text("Direction", lambda one: words.ARROWS[one.entry.direction]),
        *([text("Phase", _phase)] if phases else []),
        Column("Tester's limit" + (", best" if several else ""), _limit, "frames/s"),
        *(_STATISTICS if several else ()),
        text("What failed above it", _why_not_more, class_="wide"),
        Column("DUT's median", lambda one: [SIGNS[one.bound], rate(one.fps)], "frames/s"),
        Column("DUT is", lambda one: one.share, "% of limit"),
    ]
    limits = [_Limit(entry, _beside(evidence, entry)) for entry in evidence.results.selftest]
    return [
        paragraph(
            "The same engine, cores and frames without the device: the highest rate that was sent, received and "
            "verified without fault. A search goes above it only where that passes. ",
            "Over the ports in use, joined to each other, and beside that in memory, without any driver."
            if any(entry.over == "ports" for entry in evidence.results.selftest)
            else "In memory only, without NIC and driver.",
            class_="lead",
        ),
        table(columns, limits),
        paragraph(
            "N runs of the search, each to 1 %; P1, P99 and the dispersion (P99 - P1) / median are those of RFC 8219 "
            "§12, for N below 100 the minimum and the maximum. The best is the limit that others are compared with: "
            "what slowed the Tester down once doesn't limit it.",
            class_="muted",
        )
        if several
        else None,
        _cabled(evidence),
        _ports_unknown(evidence),
    ]


def _over(entry: SelfTestEntry) -> str:
    return f"{entry.driver}, the ports in use" if entry.over == "ports" else "memory"


def _cabled(evidence: Evidence) -> Content:
    """Where the ports' limit is from, if it wasn't measured by this campaign."""
    cabled = evidence.results.cabled
    if cabled is None:
        return None
    first, *others = cabled.in_words()
    return [
        paragraph(f"{first[0].upper()}{first[1:]}.", class_="note warn" if cabled.why_not else "note"),
        bullets(others),
    ]


def _ports_unknown(evidence: Evidence) -> Content:
    """Where the ports could not be joined: what they are known to carry."""
    if any(entry.over == "ports" for entry in evidence.results.selftest):
        return None
    carried = [
        trial.request.rate_fps
        for trial in evidence.results.trials
        if trial.valid and (trial.forward is not None or trial.reverse is not None)
    ]
    known = (
        f" In this campaign they took up to {max(carried):,.0f} frames/s per direction in time, so it is not lower."
        if carried
        else ""
    )
    return paragraph(
        element("strong", "The limit of the ports in use is not known: "),
        f"they were not joined to each other without the device.{known}",
        class_="note warn",
    )


class _Delays(NamedTuple):
    """Of one direction. `tone`: colours those with the DUT."""

    entry: SelfTestEntry
    what: str
    rate_fps: float
    direction: DirectionName
    figures: DelayFigures
    tone: str = ""


def _delays(evidence: Evidence) -> Content:
    columns: list[Column[_Delays]] = [
        *[column.through(lambda one: one.entry.frame_size) for column in sizes()],
        text("What", lambda one: one.what),
        Column("Rate", lambda one: rate(one.rate_fps), "frames/s"),
        text("Direction", lambda one: words.ARROWS[one.direction]),
        *[column.through(lambda one: one.figures) for column in DELAYS],
    ]
    lines = [
        line for entry in evidence.results.selftest for line in (*_own_delays(entry), *_dut_delays(evidence, entry))
    ]
    if not lines:
        return None
    return [
        element("h4", "Delays: the Tester's own beside those with the DUT"),
        table(columns, lines, tone=lambda one: one.tone),
        paragraph(
            "Of all frames. RFC 8219 calls the median of the tagged frames TL, their P99.9 WCL (§7.2), and "
            "P99.9 - minimum of all frames PDV (§7.3.1).",
            class_="muted",
        ),
    ]


def _own_delays(entry: SelfTestEntry) -> Iterator[_Delays]:
    for delays in entry.delays:
        of = "its limit" if entry.ceiling_fps is None else "the highest rate tried"
        what = f"Tester alone over {entry.driver}, {delays.percent_of_limit:g} % of {of}"
        for name in get_args(DirectionName):
            delay: Delay | None = getattr(delays, name)
            if delay is not None and delay.count:
                yield _Delays(entry, what, delays.rate_fps, name, DelayFigures.of(delay))


def _dut_delays(evidence: Evidence, entry: SelfTestEntry) -> Iterator[_Delays]:
    """Per direction the median over the searches of each figure, of all frames; beside the ports where they were."""
    nearest = entry.over == "ports" or all(other.over == "memory" for other in evidence.results.selftest)
    found = _beside(evidence, entry) if entry.delays and nearest and entry.phase != "establish" else None
    summary = performance(found) if found is not None else None
    if found is None or summary is None:
        return
    trials = [trial for _, trial in passed(found, evidence.trials)]
    for name in get_args(DirectionName):
        delays = [one.all_frames.delay for trial in trials if (one := trial.directions.get(name)) is not None]
        if any(delay.count for delay in delays):
            count = "one search" if len(delays) == 1 else f"median of {len(delays)} searches"
            figures = DelayFigures.medians([DelayFigures.of(delay) for delay in delays])
            yield _Delays(entry, f"with the DUT, {count}", summary.median, name, figures, tone="dut")
