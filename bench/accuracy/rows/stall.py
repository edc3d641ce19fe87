"""Known stall: the device drops everything for a while.

Reset time (RFC 6201 §1.3) and recovery (RFC 2544 §26.5) must be that while.
"""

from __future__ import annotations

from bench.accuracy.order import Order, undisturbed
from bench.accuracy.row import Row, within
from bench.accuracy.workbench import Workbench

GROUP = "6 stall"
STALL_MS = 200.0
ALLOWED_MS = 5.0
LONGEST_US = 2_000.0
RATE_FPS = 10_000.0
BEFORE_S, AFTER_S = 0.5, 0.5
BOUND = within(ALLOWED_MS, f"{ALLOWED_MS:g} ms; frames are {1e3 / RATE_FPS:g} ms apart")


def rows(bench: Workbench) -> list[Row]:
    """Both methods of RFC 6201, then the recovery from an overload of twice the rate."""
    return [*_reset(bench), _recovery(bench)]


def _impair(before: float) -> dict[str, object]:
    """It stalls with the first frame behind so many."""
    return {"stall": {"at": round(before) + 1, "for_ms": STALL_MS, "mode": "drop"}}


def _reset(bench: Workbench) -> list[Row]:
    attempts = bench.attempts()
    order = Order(RATE_FPS, BEFORE_S + AFTER_S, _impair(RATE_FPS * BEFORE_S), calm=undisturbed(LONGEST_US))
    taken = attempts.accepted(order)
    by_loss: float | None = None
    by_stamps: float | None = None
    if taken is not None:
        by_loss = taken.frames.lost / taken.forward.offered_fps * 1e3
        by_stamps = None if taken.forward.longest_gap is None else taken.forward.longest_gap.ns / 1e6
    return [
        Row(GROUP, what, "ms", STALL_MS, value, BOUND, attempts.trials, attempts.refusals)
        for what, value in (
            ("reset time, frames lost / rate", by_loss),
            ("reset time, longest gap between arrivals", by_stamps),
        )
    ]


def _recovery(bench: Workbench) -> Row:
    """The device stalls when the overload ends; it has recovered when the last lost frame was due."""
    attempts = bench.attempts()
    overload = 2 * RATE_FPS * BEFORE_S
    order = Order(2 * RATE_FPS, BEFORE_S, _impair(overload), then=((RATE_FPS, AFTER_S),), calm=undisturbed(LONGEST_US))
    taken = attempts.accepted(order)
    recovery: float | None = None
    if taken is not None:
        last = taken.forward.last_lost
        recovery = 0.0 if last is None else (last - overload) / RATE_FPS * 1e3
    what = "recovery, due time of the last lost frame after the overload"
    return Row(GROUP, what, "ms", STALL_MS, recovery, BOUND, attempts.trials, attempts.refusals)
