"""The delays that were seen at the rates found. Side information: RFC 8219 latency is another procedure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xlatperf.engine.delays import Delay
from xlatperf.procedures.trial import Trial
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import places, sizes
from xlatperf.report.line import Line
from xlatperf.report.markup import element, paragraph, render
from xlatperf.report.numerals import micro, rate, whole
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text
from xlatperf.report.values import passed
from xlatperf.results.results import Repetition
from xlatperf.results.statistics import median


class DelayFigures(NamedTuple):
    """In ns; None: not known."""

    minimum_ns: float | None
    median_ns: float | None
    p99_ns: float | None
    p999_ns: float | None
    maximum_ns: float | None
    variation_ns: float | None
    """P99.9 less minimum, which is PDV (RFC 8219 §7.3.1)."""

    @classmethod
    def of(cls, delay: Delay) -> DelayFigures:
        """Of the frames of one trial."""
        variation = None if delay.p999_ns is None or delay.min_ns is None else delay.p999_ns - delay.min_ns
        return cls(delay.min_ns, delay.median_ns, delay.p99_ns, delay.p999_ns, delay.max_ns, variation)

    @classmethod
    def medians(cls, several: Sequence[DelayFigures]) -> DelayFigures:
        """Each figure's own median over those that know it."""
        known = ([value for value in values if value is not None] for values in zip(*several, strict=True))
        return cls(*(median(values) if values else None for values in known))


DELAYS: Sequence[Column[DelayFigures]] = (
    Column("Minimum", lambda one: micro(one.minimum_ns), "µs", "Delay"),
    Column("Median", lambda one: micro(one.median_ns), "µs", "Delay"),
    Column("P99", lambda one: micro(one.p99_ns), "µs", "Delay"),
    Column("P99.9", lambda one: micro(one.p999_ns), "µs", "Delay"),
    Column("Maximum", lambda one: micro(one.maximum_ns), "µs", "Delay"),
    Column("P99.9 - min", lambda one: micro(one.variation_ns), "µs", "Delay"),
)
"""Of any table that shows delays in full."""


class _Seen(NamedTuple):
    """Delays of a trial that determined a throughput."""

    line: Line
    repetition: Repetition
    trial: Trial
    frames: str
    delay: Delay


def _seen(evidence: Evidence) -> Iterator[_Seen]:
    for item in evidence.measurements("throughput"):
        if item.frame_timeout_ms is not None:
            continue
        for repetition, trial in passed(item, evidence.trials):
            for name, direction in trial.directions.items():
                for kind, counters in direction.classes.items():
                    if counters.delay.count:
                        yield _Seen(Line(item, name), repetition, trial, kind, counters.delay)


def section(evidence: Evidence) -> Section | None:
    """None if no trial determined a throughput."""
    seen = list(_seen(evidence))
    if not seen:
        return None
    columns: list[Column[_Seen]] = [
        *[column.through(lambda one: one.line.item.frame_size) for column in sizes()],
        text("Mix", lambda one: words.mix(one.line.item.mix)),
        *[column.through(lambda one: one.line) for column in places(evidence.measurements("throughput"))],
        Column("Search", lambda one: str(one.repetition.number)),
        Column("Trial", lambda one: str(one.trial.number)),
        Column("Rate", lambda one: rate(one.trial.request.rate_fps), "frames/s"),
        text("Direction", lambda one: words.ARROWS[one.line.direction or one.line.item.direction]),
        text("Class", lambda one: one.frames),
        Column("Frames", lambda one: whole(one.delay.count)),
        *[column.through(lambda one: DelayFigures.of(one.delay)) for column in DELAYS],
    ]
    return Section(
        "delays",
        "Delays seen",
        render(
            [
                paragraph(
                    element("strong", "Side information, not the latency of RFC 8219 §7.2. "),
                    "In the trial that determined each throughput, the time from the Tester's time stamp before "
                    "sending to its time stamp after receiving, for every frame that came back as expected. Stamps are "
                    "taken in software, the trials are shorter than 120 s, and at the highest rate without loss a "
                    "device's queues are fuller than at any other.",
                    class_="note",
                ),
                table(columns, seen),
                paragraph(
                    "Percentiles are of frames (RFC 2330 §11.3), with a relative error of at most 0.1 %; minimum "
                    "and maximum are exact. The Tester's own delay is under “How far the Tester can be trusted”.",
                    class_="muted",
                ),
            ]
        ),
    )
