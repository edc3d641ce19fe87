"""The Tester's own delay: what leaves on one port in memory arrives on the other, without any device."""

from __future__ import annotations

from bench.accuracy.order import Order, mostly_undisturbed
from bench.accuracy.row import Row
from bench.accuracy.workbench import Floor, Workbench

GROUP = "3 delay"
RATE_FPS = 10_000.0


def rows(bench: Workbench) -> tuple[list[Row], Floor]:
    """Median and tail, for comparison."""
    attempts = bench.attempts()
    taken = attempts.accepted(Order(RATE_FPS, bench.extent.delay_s, tag_from_s=0.0, calm=mostly_undisturbed(0.01)))
    tagged = None if taken is None else taken.frames.tagged
    median = None if tagged is None or tagged.median_ns is None else tagged.median_ns / 1e3
    tail = None if tagged is None or tagged.p999_ns is None else tagged.p999_ns / 1e3
    made = [
        Row(
            GROUP, "Tester's loopback over memory: median", "µs", None, median, None, attempts.trials, attempts.refusals
        ),
        Row(GROUP, "Tester's loopback over memory: P99.9", "µs", None, tail, None, attempts.trials, attempts.refusals),
    ]
    return made, Floor(median)
