"""Known delay: every frame leaves D after it arrived at the device.

What the Tester adds is its own way to and from memory and the device's turn of the loop.
"""

from __future__ import annotations

from bench.accuracy.order import Order, mostly_undisturbed
from bench.accuracy.row import Bound, Row, within
from bench.accuracy.workbench import Floor, Workbench
from xlatperf.engine.delays import Tagged

GROUP = "3 delay"
RATE_FPS = 10_000.0
ALLOWED_US = 5.0
HISTOGRAM_ERROR = 0.001
CALM = mostly_undisturbed(0.01)
"""A hundredth of the frames doesn't move the median."""
CLOCKS_PPM = 2.0
"""The device's clock is certain to about 1 ppm, the Tester's to less."""


def added(floor: Floor, known_us: float) -> Bound | None:
    """What may come on top of a known delay: never less than nothing."""
    if floor.median_us is None:
        return None
    return Bound(
        -known_us * CLOCKS_PPM / 1e6,
        floor.median_us + ALLOWED_US,
        f"the loopback's median {floor.median_us:.1f} µs and {ALLOWED_US:g} µs",
    )


def rows(bench: Workbench, floor: Floor) -> list[Row]:
    """The device without a delay, then each known one."""
    made = _at(bench, floor, None)
    for delay_us in bench.extent.delays_us:
        made += _at(bench, floor, delay_us)
    return made


def _at(bench: Workbench, floor: Floor, delay_us: float | None) -> list[Row]:
    attempts = bench.attempts()
    impair = {} if delay_us is None else {"delay_us": delay_us}
    taken = attempts.accepted(Order(RATE_FPS, bench.extent.delay_s, impair, tag_from_s=0.0, calm=CALM))
    tagged = Tagged(sent=0, received=0) if taken is None or taken.frames.tagged is None else taken.frames.tagged
    name = "device without a delay" if delay_us is None else f"D = {delay_us:,.0f} µs"

    def row(what: str, value_ns: float | None, bound: Bound | None, known: float | None = delay_us) -> Row:
        value = None if value_ns is None else value_ns / 1e3
        return Row(GROUP, f"{name}: {what}", "µs", known, value, bound, attempts.trials, attempts.refusals)

    made = [
        row("median", tagged.median_ns, None if delay_us is None else added(floor, delay_us)),
        row("minimum", tagged.min_ns, None),
        row("P99.9", tagged.p999_ns, None),
    ]
    if delay_us is not None and taken is not None and tagged.median_ns is not None:
        exact_us = tagged.median_ns / 1e3
        bound = within(exact_us * HISTOGRAM_ERROR, f"{HISTOGRAM_ERROR:.1%}, as docs/protocol.md says")
        made.append(
            row("median from the histogram against the exact one", taken.frames.delay.median_ns, bound, exact_us)
        )
    return made
