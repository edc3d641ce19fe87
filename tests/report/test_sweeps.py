"""Repeated sweeps of the frame loss rate: median, P1 and P99 of each rate, each direction and both together."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.simulated_campaign import campaign
from tests.simulated_dut import SimulatedTester, sent
from xlatperf.commands.report import write_report
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.report.sweep import over_sweeps
from xlatperf.results.results import Results

BENCH = """
technology.name = "siit"
device.driver = "tayga"
[[measure]]
procedure = "frame_loss"
frame_sizes = [84]
rates_fps = [10000, 20000, 30000]
duration_s = 1
repetitions = 3
"""


def worse_each_time() -> Callable[[TrialRequest, DirectionName], int]:
    """Forward loses 10 % of the highest rate in the first sweep, 20 % and 30 % in the others; reverse loses nothing."""
    sweeps = 0

    def received(request: TrialRequest, direction: DirectionName) -> int:
        nonlocal sweeps
        if direction == "reverse" or request.rate_fps < 30_000 or request.purpose != "sweep":
            return sent(request)
        sweeps += 1
        return round(sent(request) * (1 - 0.1 * sweeps))

    return received


@pytest.fixture
def found(tmp_path: Path) -> Results:
    return campaign(tmp_path / "c", SimulatedTester(worse_each_time()), BENCH)


def test_of_all_sweeps(found: Results) -> None:
    """RFC 8219 §12: both directions together are the loss of all frames, not the mean of medians."""
    rates = over_sweeps(found.measurements[0])
    assert [(one.rate_fps, len(one.points)) for one in rates] == [(30_000, 3), (20_000, 3), (10_000, 3)]
    highest = {way: (one.median, one.p1, one.p99) for way, one in rates[0].of.items()}
    assert highest["forward"] == pytest.approx((20, 10, 30))
    assert highest["reverse"] == (0, 0, 0)
    assert highest[None] == pytest.approx((10, 5, 15))


def test_of_one_direction(tmp_path: Path) -> None:
    """There is nothing to put together."""
    text = BENCH.replace("repetitions = 3", 'repetitions = 1\ndirection = "forward"')
    rates = over_sweeps(campaign(tmp_path / "c", SimulatedTester(worse_each_time()), text).measurements[0])
    assert {way for one in rates for way in one.of} == {"forward"}


def test_report_and_csv(tmp_path: Path, found: Results) -> None:
    write_report(found, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "of all sweeps" in page
    assert "Frame loss both together" in page
    rows = list(csv.DictReader((tmp_path / "summary.csv").open(newline="", encoding="utf-8")))
    both = {
        row["statistic"]: float(row["value"])
        for row in rows
        if row["quantity"] == "frame loss rate of both directions" and row["rate_fps"].startswith("30000")
    }
    assert [both[name] for name in ("median", "p1", "p99")] == pytest.approx([10, 5, 15])
