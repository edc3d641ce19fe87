"""Offered rate: that which was asked for (RFC 2285 §3.5.2), in short bursts and phases too, by the device's clock.

What a sender says of its own rate, it may believe. So the reference device measures from the first frame to the last.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.accuracy.order import OVERRUN, Calm, Order
from bench.accuracy.row import Bound, Row, within
from bench.accuracy.workbench import Workbench

GROUP = "9 offered rate"
RATES_AND_FRAMES = ((100_000, 400), (1_000_000, 1_000), (1_000_000, 10_000), (100_000, 50_000))
PHASES = ((200_000, 1_000), (500_000, 10_000))
BURST, ONE_CALL_S = 32, 200e-6
"""Sending may take longer by what a burst takes, at most so long (docs/deviations.md)."""
WAIT_SHARE, WAIT_US = 0.01, (50.0, 500.0)
"""First and last frame may lie in the device's port for this share of the burst, but not less or more than that."""
TIMEOUT_S = 0.02


def rows(bench: Workbench) -> list[Row]:
    """Bursts, as back-to-back and frame loss have them."""
    return [row for rate, frames in RATES_AND_FRAMES for row in _at(bench, rate, frames, connections=False)]


def phases(bench: Workbench) -> list[Row]:
    """Phase 1 of RFC 9693."""
    return [row for rate, count in PHASES for row in _at(bench, rate, count, connections=True)]


def longest_wait_us(duration_s: float) -> float:
    """That a frame may have waited until the device looked: a device that looked later makes the trial be refused."""
    least, most = WAIT_US
    return min(most, max(least, WAIT_SHARE * duration_s * 1e6))


def lowest(order: Order) -> Bound:
    """An accepted trial may have taken so much longer; it can't have been faster, but for a rounded number."""
    longer = max(OVERRUN * order.duration_s, min(BURST / order.rate_fps, ONE_CALL_S))
    low = order.rate_fps * (order.duration_s / (order.duration_s + longer) - 1)
    return Bound(low, order.rate_fps * 1e-6, f"{OVERRUN:.1%} or a burst of {BURST} longer")


def _at(bench: Workbench, rate_fps: int, frames: int, *, connections: bool) -> Sequence[Row]:
    attempts, duration_s = bench.attempts(short=True), frames / rate_fps
    wait_us = longest_wait_us(duration_s)
    calm = Calm(late_us=10_000, late_share=0.01, device_us=wait_us)
    order = Order(rate_fps, duration_s, calm=calm, timeout_s=TIMEOUT_S, connections=connections)
    taken = attempts.accepted(order)
    what = f"{'phase 1' if order.connections else 'burst'} of {order.frames:,} at {order.rate_fps:,} fps"
    offered = seen = None
    bound: Bound | None = None
    if taken is not None:
        offered = taken.forward.offered_fps
        took_us = float(taken.device["forward"]["arrived_over_us"])
        seen = (order.frames - 1) / took_us * 1e6
        bound = within(seen * wait_us / took_us, f"the device looked after {wait_us:g} µs at most")
    return (
        Row(GROUP, what, "fps", order.rate_fps, offered, lowest(order), attempts.trials, attempts.refusals),
        Row(GROUP, f"{what}, device's clock", "fps", offered, seen, bound, attempts.trials, attempts.refusals),
    )
