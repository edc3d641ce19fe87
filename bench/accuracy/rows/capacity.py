"""Known capacity: the device serves one frame every 1/R and has room for a few that wait.

What is found must be R. A trial of T seconds passes up to R (1 + BUFFER_S / T): so many frames more fit in.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.accuracy.order import Calm, Order
from bench.accuracy.row import Row, within
from bench.accuracy.taken import Taken
from bench.accuracy.workbench import Workbench
from xlatperf.search.bisection import StopWidth, bisect

GROUP = "1 capacity"
BUFFER_S = 0.01
"""So long the device's frames wait at most: a machine that holds it up for less causes no loss."""
SHARE = 0.005
LOWEST, HIGHEST = 0.5, 1.5
"""Bounds of the search, times R."""


class CannotTellError(Exception):
    """All attempts at a rate were refused."""


def rows(bench: Workbench) -> list[Row]:
    """One for each capacity."""
    return [_row(bench, rate) for rate in bench.extent.capacities_fps]


def _row(bench: Workbench, capacity_fps: int) -> Row:
    extent, attempts = bench.extent, bench.attempts()
    # Held up for as long as half the buffer lasts, a sender that catches up at twice the rate can't fill it.
    most_us = BUFFER_S / 2 * 1e6
    buffer = round(BUFFER_S * capacity_fps)
    calm = Calm(late_us=10_000, late_share=0.01)
    impair = {"capacity": {"rate_fps": capacity_fps, "buffer": buffer}}

    def held_up(taken: Taken) -> Sequence[str]:
        """Loss from a burst after somebody was held up isn't due to the capacity; no loss has nothing to excuse."""
        return taken.held_up(most_us) if taken.frames.expected < taken.frames.sent else []

    def passes(rate_fps: float) -> bool:
        bench.say(f"    {rate_fps:,.0f} fps")
        taken = attempts.accepted(Order(rate_fps, extent.capacity_trial_s, impair, calm=calm), held_up)
        if taken is None:
            raise CannotTellError
        return taken.frames.expected == taken.frames.sent

    found: float | None = None
    remark = (
        f"{extent.capacity_trial_s:g} s each, frames wait for {BUFFER_S * 1e3:g} ms at most; those with loss "
        f"not held up for {most_us:,.0f} µs"
    )
    try:
        bounds = bisect(passes, capacity_fps * LOWEST, capacity_fps * HIGHEST, StopWidth(relative=extent.capacity_stop))
        found = bounds.lower or 0.0
    except CannotTellError:
        pass
    why = f"{SHARE:.1%} of R; the search stops at {extent.capacity_stop:.1%}"
    bound = within(capacity_fps * max(SHARE, extent.capacity_stop + BUFFER_S / extent.capacity_trial_s), why)
    what = f"throughput, R = {capacity_fps:,} fps"
    return Row(GROUP, what, "fps", capacity_fps, found, bound, attempts.trials, attempts.refusals, remark)
