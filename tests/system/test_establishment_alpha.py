"""Validated connection establishment rate over alpha (RFC 9693 §4.6; Figure 11 of the draft)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.system.campaigns import campaign
from tests.system.trials import RELAXED
from tests.values import rate_of

COUNT = 6000
FORWARD_FPS, REVERSE_FPS, WAITING = 20_000, 12_000, 600
LOW, HIGH = 0.5, 0.9  # from 12,000 / 20,000 on the validation decides
WIDTH = 0.25

_MEASURE = f"""
[[measure]]
procedure = "establishment"
frame_sizes = [64]
connections = [{COUNT}]
minimum_fps = 8000
maximum_fps = 30000
stop_width_percent = {WIDTH * 100:g}
repetitions = 1
timeout_s = 0.1
settle_s = 0
learning_wait_s = 0
retries = 5
"""
BENCH = f"""
technology = {{ name = "nat44", pool = {{ first = "198.19.0.1" }} }}
[device]
driver = "reference"
[device.impair]
forward.capacity = {{ rate_fps = {FORWARD_FPS}, buffer = {WAITING} }}
reverse.capacity = {{ rate_fps = {REVERSE_FPS}, buffer = {WAITING} }}
{RELAXED}
{_MEASURE}
{_MEASURE}alpha = {LOW}
{_MEASURE}alpha = {HIGH}
"""


def within(found: dict[str, Any], rate_fps: float) -> None:
    """The capacity lies between the bounds; what may wait adds to what N frames take: N = rate x time + waiting."""
    lower_fps, upper_fps = bounds(found)
    assert lower_fps <= rate_fps / (1 - WAITING / COUNT)
    assert upper_fps >= rate_fps
    assert upper_fps - lower_fps <= WIDTH * upper_fps
    assert found["repetitions"][0]["limited_by"] == ("dut" if COUNT / rate_of(found) >= 1 else "buffers")


def bounds(found: dict[str, Any]) -> tuple[float, float]:
    """Of its search."""
    search = found["repetitions"][0]["search"]
    return search["lower_fps"], search["upper_fps"]


@pytest.mark.alone
def test_validation_limits_the_rate_only_if_alpha_is_high(tmp_path: Path) -> None:
    """R9693-4.6-1: with alpha low the rate is that without validation; with alpha too high it is the reverse rate."""
    plain, low, high = campaign(tmp_path, BENCH).results["measurements"]
    within(plain, FORWARD_FPS)
    within(low, FORWARD_FPS)
    within(high, REVERSE_FPS / HIGH)
    assert "phase 1 was not complete: " in plain["repetitions"][0]["remarks"][0]
    assert "phase 1 was not complete: " in low["repetitions"][0]["remarks"][0]
    assert "phase 1 was complete, the validation was not: " in high["repetitions"][0]["remarks"][0]
    names = [found["values"][0]["quantity"] for found in (plain, low)]
    assert names == ["connection establishment rate", "validated connection establishment rate"]
    assert bounds(high)[1] < bounds(low)[0]
