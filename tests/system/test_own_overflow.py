"""The Tester's own receive ring overflows while nobody polls it: that isn't the device's loss.

Over memif nobody counts such frames but the device, which finds no room for them. It holds more frames than the ring
has room for, and lets them go while the Tester stands still.
"""

from __future__ import annotations

import itertools
import os
import signal
import threading
import time
from typing import Any

import pytest

from tests import retries
from tests.system.gateway import Gateway, gateway

RATE_FPS, DURATION_S = 100_000, 0.4
DELAY_S, STALL_S, AFTER_S = 0.06, 0.12, 0.2
RING = 4096

_numbers = itertools.count(1000)


def held_up(device: Gateway) -> tuple[dict[str, Any], int]:
    """A trial in the middle of which the Tester stands still; for how many frames the device found no room."""

    def stand_still() -> None:
        time.sleep(AFTER_S)
        os.kill(device.engine.pid, signal.SIGSTOP)
        try:
            time.sleep(STALL_S)
        finally:
            os.kill(device.engine.pid, signal.SIGCONT)

    device.reset()
    thread = threading.Thread(target=stand_still)
    wanted = {"request": "trial", "number": next(_numbers), "frame_size": 84, "frame_size_of": "ipv4"}
    answer = device.engine.trial(
        {
            **wanted,
            "rate_fps": RATE_FPS,
            "duration_s": DURATION_S,
            "timeout_s": 0.5,
            "directions": ["forward"],
            "schedule": device.bench.tester.schedule.model_dump(mode="json"),
        },
        thread.start,
    )
    thread.join()
    full = device.device.request({"request": "counters"})["right"]["transmit_full"]
    return answer.dump(), full


@pytest.mark.alone
def test_not_the_devices_loss() -> None:
    """R2544-26.1: the trial is invalid and says how many may have been dropped; it's not less than what was."""
    with gateway("native IPv4") as device:
        device.impair(forward={"delay_us": DELAY_S * 1e6})
        for _ in retries.attempts(5):
            answer, full = held_up(device)
            if full:  # else the host held the device up as well
                break
        assert full > 0
        direction = answer["forward"]
        assert direction["foreground"]["lost"] >= full
        assert direction["dropped_at_most"] >= full
        assert direction["dropped_at_most"] <= DELAY_S * RATE_FPS - RING + RATE_FPS * 0.02
        (reason,) = [one for one in answer["reasons"] if one["code"] == "receive_drops"]
        assert f"its receive ring of {RING} frames" in reason["text"]


@pytest.mark.alone
def test_a_ring_that_bears_it() -> None:
    """Where the device holds less than the ring has room for, nothing is lost, and nothing is said."""
    with gateway("native IPv4") as device:
        device.impair(forward={"delay_us": 0.1 * RING / RATE_FPS * 1e6})
        for _ in retries.attempts(5):
            answer, full = held_up(device)
            if not full and answer["forward"]["foreground"]["lost"] == 0:
                break
        assert "dropped_at_most" not in answer["forward"]
        assert not [one for one in answer["reasons"] if one["code"] == "receive_drops"]
