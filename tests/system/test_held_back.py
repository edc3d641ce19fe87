"""A DUT that takes its frames out of memory which it shares with the port: what it doesn't take in time is lost."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.system.trials import StalledDeviceError, clean, counters, nothing_held_back, valid_trial
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.run.session import session

BENCH = """
technology = { name = "native", family = "ipv4" }
device.driver = "reference"
"""
ROOM = 4096
"""Descriptors of one of the rings."""


@contextlib.contextmanager
def standing_still(device: ReferenceDevice) -> Iterator[None]:
    """The device's process gets no processor time."""
    pid = device.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def all_sent(answer: dict[str, Any]) -> None:
    """For `valid_trial`: by a Tester that wasn't held up itself."""
    if any(answer[name]["sent"] < answer[name]["intended"] for name in ("forward", "reverse")):
        raise StalledDeviceError("the Tester was held up as well")


@pytest.mark.alone
def test_a_dut_that_stands_still_loses_all_but_its_room() -> None:
    """R2544-26.1: that's loss and the DUT's, not a Tester that is too slow: a wire doesn't wait."""
    bench = parse_bench(BENCH, "bench.toml")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        running.engine.configure(configure_message(bench, (1, 1)))
        wanted: dict[str, Any] = {"frame_size": 64, "rate_fps": 20_000, "duration_s": 0.5}
        valid_trial(running.engine, bench, **wanted, after=nothing_held_back)
        with standing_still(running.device):
            answer = valid_trial(running.engine, bench, **wanted, after=all_sent, attempts=30)
        for name in ("forward", "reverse"):
            direction = answer[name]
            not_taken = direction["departure"]["not_taken"]
            assert counters(direction["foreground"]) == clean(10_000, expected=0, lost=10_000)
            assert 10_000 - ROOM <= not_taken < 10_000
            assert 19_000 < direction["offered_fps"] < 21_000, "what isn't taken is offered all the same"
        with standing_still(running.device):  # until the end of a trial that is shorter than what the Tester bears
            short = valid_trial(
                running.engine,
                bench,
                **{**wanted, "rate_fps": 1_000_000, "duration_s": 0.008},
                after=all_sent,
                attempts=30,
            )
        for name in ("forward", "reverse"):
            assert counters(short[name]["foreground"]) == clean(8_000, expected=0, lost=8_000)
            assert short[name]["departure"]["not_taken"] >= 8_000 - ROOM
            assert 0.99e6 < short[name]["offered_fps"] < 1.01e6, "at the end it isn't waited for"
        again = valid_trial(running.engine, bench, **wanted, after=nothing_held_back)
        assert counters(again["forward"]["foreground"]) == clean(10_000)
