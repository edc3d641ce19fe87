"""Trials that never took place, for tests of the table."""

from __future__ import annotations

from typing import Any

from bench.accuracy.order import Order
from bench.accuracy.taken import Taken
from xlatperf.engine.trial_answer import TrialAnswer


def answer(*reasons: str, lost: int = 0) -> TrialAnswer:
    """100 frames forward."""
    counters = {"sent": 100, "expected": 100 - lost, "lost": lost, "delay": {"count": 100 - lost}}
    return TrialAnswer.model_validate(
        {
            "number": 1,
            "valid": not reasons,
            "reasons": [{"code": code, "text": code} for code in reasons],
            "elapsed_s": 1.0,
            "forward": {
                "intended": 100,
                "sent": 100,
                "offered_fps": 100.0,
                "sending_s": 1.0,
                "frame_size": {"sent": 84, "received": 64},
                "foreground": counters,
            },
            "left": {"received": 0},
            "right": {"received": 100 - lost},
        }
    )


class Script:
    """Gives one prepared trial after the other, the last one for ever."""

    def __init__(self, *trials: Taken) -> None:
        self._trials = list(trials)
        self.orders: list[Order] = []

    def take(self, order: Order) -> Taken:
        self.orders.append(order)
        return self._trials.pop(0) if len(self._trials) > 1 else self._trials[0]


def taken(*reasons: str, device: dict[str, Any] | None = None, waited_us: float = 0.0) -> Taken:
    """A trial with these reasons to be invalid, and what the device counted."""
    return Taken(answer(*reasons), device or {}, waited_us, 1.0)
