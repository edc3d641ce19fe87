"""The delays that were seen at the rates found. Side information: RFC 8219 latency is another procedure."""

from __future__ import annotations

from xlatperf.engine.trial_answer import Delay
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, element, paragraph, render
from xlatperf.report.measured import axis_cells, axis_columns
from xlatperf.report.numerals import micro, rate, whole
from xlatperf.report.section import Section
from xlatperf.report.series import axes_of
from xlatperf.report.table import Column, Row, table, text
from xlatperf.report.values import passed


def delay_columns(group: str = "Delay") -> list[Column]:
    """Headings for `delay_cells`."""
    return [Column(name, "µs", group) for name in ("Minimum", "Median", "P99", "P99.9", "Maximum", "P99.9 - min")]


def delay_cells(delay: Delay) -> list[Content]:
    """Minimum, median, P99, P99.9, maximum in µs; and P99.9 less minimum, which is PDV (RFC 8219 §7.3.1)."""
    variation = None if delay.p999_ns is None or delay.min_ns is None else delay.p999_ns - delay.min_ns
    shown = (delay.min_ns, delay.median_ns, delay.p99_ns, delay.p999_ns, delay.max_ns, variation)
    return [micro(value) for value in shown]


def section(evidence: Evidence) -> Section | None:
    """None if no trial determined a throughput."""
    axes = axes_of(evidence.measurements("throughput"))
    columns = [
        Column("left", "B", "Frame size"),
        Column("right", "B", "Frame size"),
        text("Mix"),
        *axis_columns(axes),
        Column("Search"),
        Column("Trial"),
        Column("Rate", "frames/s"),
        text("Direction"),
        text("Class"),
        Column("Frames"),
        *delay_columns(),
    ]
    rows = []
    for item in evidence.measurements("throughput"):
        if item.frame_timeout_ms is not None:
            continue
        for repetition, trial in passed(item, evidence.trials):
            for name, direction in trial.directions():
                for kind, counters in direction.classes():
                    if not counters.delay.count:
                        continue
                    rows.append(
                        Row(
                            [
                                whole(item.frame_size.left),
                                whole(item.frame_size.right),
                                words.mix(item.mix),
                                *axis_cells(item, axes),
                                str(repetition.number),
                                str(trial.number),
                                rate(trial.request.rate_fps),
                                words.ARROWS[name],
                                kind,
                                whole(counters.delay.count),
                                *delay_cells(counters.delay),
                            ]
                        )
                    )
    if not rows:
        return None
    return Section(
        "delays",
        "Delays seen",
        render(
            [
                paragraph(
                    element("strong", "Side information, not the latency of RFC 8219 §7.2. "),
                    "In the trial that determined each throughput, the time from the Tester's time stamp before "
                    "sending to its time stamp "
                    "after receiving, for every frame that came back as expected. Stamps are taken in software, "
                    "the trials are shorter "
                    "than 120 s, and at the highest rate without loss a device's queues are fuller than at any other.",
                    class_="note",
                ),
                table(columns, rows),
                paragraph(
                    "Percentiles are of frames (RFC 2330 §11.3), with a relative error of at most 0.1 %; minimum "
                    "and maximum are "
                    "exact. The Tester's own delay is under “How far the Tester can be trusted”.",
                    class_="muted",
                ),
            ]
        ),
    )
