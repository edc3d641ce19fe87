"""Waiting that a signal ends."""

from __future__ import annotations

import time

STEP_S = 0.5


def pause(seconds: float, step_s: float = STEP_S) -> None:
    """Sleeps in steps: Python runs handlers between two calls, so one sleep would outlast a signal just before it."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(step_s, left))
