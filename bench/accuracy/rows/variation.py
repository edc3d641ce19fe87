"""Known variation: delays alternate between D1 and D2, so IPDV alternates between both differences."""

from __future__ import annotations

from bench.accuracy.attempts import Attempts
from bench.accuracy.order import Order, undisturbed
from bench.accuracy.row import Bound, Row, within
from bench.accuracy.workbench import Workbench
from xlatperf.engine.delays import DelayVariation

GROUP = "5 IPDV"
RATE_FPS = 20_000.0
D1_US, D2_US = 200.0, 700.0
LONGEST_US = 100.0
MARGIN_US = 5.0


def _measure(attempts: Attempts, duration_s: float, delays: list[dict[str, float]]) -> DelayVariation | None:
    impair = {"delay_us": D1_US, "delays": delays}
    order = Order(RATE_FPS, duration_s, impair, delay_variation=True, calm=undisturbed(LONGEST_US))
    taken = attempts.accepted(order)
    return None if taken is None else taken.frames.delay_variation


def rows(bench: Workbench) -> list[Row]:
    """The floor first: all frames with D1. Its extremes, of a longer time, are the bound."""
    extent, made = bench.extent, []
    attempts = bench.attempts(short=True)
    low: float | None = None
    high: float | None = None
    for _ in range(extent.variation_floors):
        floor = _measure(attempts, extent.variation_s, [])
        if floor is None or floor.min_ns is None or floor.max_ns is None:
            break
        low, high = min(low or 0.0, floor.min_ns / 1e3), max(high or 0.0, floor.max_ns / 1e3)
    remark = f"in trials in which nobody was held up for {LONGEST_US:g} µs"
    for what, value in (("the floor, D1 only: minimum", low), ("the floor, D1 only: maximum", high)):
        made.append(Row(GROUP, what, "µs", None, value, None, attempts.trials, attempts.refusals, remark))

    attempts = bench.attempts(short=True)
    seen = _measure(attempts, extent.variation_s, [{"delay_us": D2_US, "every": 2}])
    bound: Bound | None = None
    if low is not None and high is not None:
        bound = within(max(-low, high) + MARGIN_US, f"the floor's extremes and {MARGIN_US:g} µs")
    apart = D2_US - D1_US
    for what, known, value_ns in (
        ("minimum, -(D2 - D1)", -apart, None if seen is None else seen.min_ns),
        ("maximum, D2 - D1", apart, None if seen is None else seen.max_ns),
    ):
        value = None if value_ns is None else value_ns / 1e3
        made.append(Row(GROUP, what, "µs", known, value, bound, attempts.trials, attempts.refusals, remark))
    return made
