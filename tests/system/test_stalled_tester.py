"""The Tester is held up: what it then sends too fast, a DUT with a small buffer loses. It's told apart from other loss.

The device takes more than the rate, but not twice of it, which is how fast the Tester catches up.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import pytest

from tests.system.gateway import Gateway, gateway
from tests.system.trials import StalledDeviceError, nothing_held_back, valid_trial

RATE_FPS, DURATION_S = 100_000, 0.5
STALL_S, AFTER_S = 0.03, 0.2
BUFFER = 1_000
LIMIT = {"capacity": {"rate_fps": 1.25 * RATE_FPS, "buffer": BUFFER}}
OWN_PAUSE_US = 0.7 * BUFFER / RATE_FPS * 1e6
"""A device with this capacity that was itself away for longer may lose what had come meanwhile."""


def stand_still(pid: int) -> None:
    """The Tester's process gets no processor time for a while, in the middle of a trial."""
    time.sleep(AFTER_S)
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(STALL_S)
    finally:
        os.kill(pid, signal.SIGCONT)


def trial(device: Gateway, *, stall: bool) -> dict[str, Any]:
    """A valid trial in which the device lost nothing by being held up itself."""
    threads: list[threading.Thread] = []

    def before() -> None:
        device.reset()
        if stall:
            threads.append(threading.Thread(target=stand_still, args=(device.engine.pid,)))
            threads[-1].start()

    def after(answer: dict[str, Any]) -> None:
        for thread in threads:
            thread.join()
        if not stall:
            nothing_held_back(answer)
            return
        away_us = device.device.request({"request": "counters"})["longest_pause_us"]
        if away_us > OWN_PAUSE_US:
            raise StalledDeviceError(f"the device was away for {away_us} us")

    wanted: dict[str, Any] = {"frame_size": 84, "rate_fps": RATE_FPS, "duration_s": DURATION_S}
    return valid_trial(
        device.engine, device.bench, **wanted, directions=["forward"], before=before, after=after, attempts=20
    )


@pytest.mark.alone
def test_told_apart() -> None:
    """R2544-26.1: all of it, and nothing of what is lost at any time."""
    with gateway("native IPv4") as device:
        device.impair(forward=LIMIT)
        held_up = trial(device, stall=True)["forward"]
        departure, counters = held_up["departure"], held_up["foreground"]
        assert departure["longest_stall_ns"] >= STALL_S * 0.9e9
        assert departure["stalls"] >= 1
        assert counters["lost"] > 100
        assert departure["lost_after_stall"] == counters["lost"]
        device.impair(forward={"drop": {"every": 100}})
        always = trial(device, stall=False)["forward"]
        assert always["foreground"]["lost"] == RATE_FPS * DURATION_S / 100
        assert always["departure"]["lost_after_stall"] < always["foreground"]["lost"]
