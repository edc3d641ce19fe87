"""Known lateness: every second frame comes when the trial's wait is over. Then it isn't in time, and it isn't lost
(RFC 2544 §23 d).
"""

from __future__ import annotations

import time

from bench.accuracy.order import Order
from bench.accuracy.row import EXACTLY, Row
from bench.accuracy.workbench import Workbench

GROUP = "11 late frames"
RATE_FPS, FRAMES = 20_000, 400
WAIT_S, LATE_S = 0.05, 0.25
"""A hold-up of the difference is borne."""
EVERY = 2
IMPAIR = {"delays": [{"every": EVERY, "delay_us": LATE_S * 1e6}]}
KNOWN = FRAMES // EVERY


def rows(bench: Workbench) -> list[Row]:
    """They come while the trial still receives, or when only the next one can see them."""
    return [*_after_the_wait(bench), _between_two_trials(bench)]


def _order(settle_s: float = 0.0) -> Order:
    return Order(RATE_FPS, FRAMES / RATE_FPS, IMPAIR, timeout_s=WAIT_S, settle_s=settle_s)


def _after_the_wait(bench: Workbench) -> list[Row]:
    attempts = bench.attempts(short=True)
    taken = attempts.accepted(_order(settle_s=2 * LATE_S))
    counted = {
        "in time": (FRAMES - KNOWN, None if taken is None else taken.frames.expected),
        "after the wait": (KNOWN, None if taken is None else taken.forward.after_wait),
        "lost": (0, None if taken is None else taken.frames.lost),
    }
    return [
        Row(
            GROUP,
            f"every second of {FRAMES}: {what}",
            "frames",
            known,
            measured,
            EXACTLY,
            attempts.trials,
            attempts.refusals,
        )
        for what, (known, measured) in counted.items()
    ]


def _between_two_trials(bench: Workbench) -> Row:
    attempts = bench.attempts(short=True)
    first = attempts.accepted(_order())
    stale = None
    if first is not None:
        time.sleep(2 * LATE_S)
        taken = attempts.accepted(Order(RATE_FPS, FRAMES / RATE_FPS, timeout_s=WAIT_S))
        stale = None if taken is None else taken.answer.right.stale
    what = f"every second of {FRAMES}: told by the next trial as of an earlier one"
    return Row(GROUP, what, "frames", KNOWN, stale, EXACTLY, attempts.trials, attempts.refusals)
