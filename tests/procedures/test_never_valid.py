"""A Tester that can do no rate at all: searches stop and say so, instead of stating a 0 (R2544-26.1, R2544-26.3)."""

from __future__ import annotations

import pytest

from tests.procedures.searches import Establishing, Filling
from tests.procedures.stateful_dut import StatefulDut
from tests.procedures.test_frame_loss import losses
from tests.simulated_dut import SimulatedMeasure, capacity
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.frame_loss import FrameLoss
from xlatperf.procedures.throughput import RATE, Throughput
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.procedures.trial_request import TrialRequest

TRIAL = TrialRequest(84, "ipv6", 1.0, 1.0)
CONDITIONS = Conditions(TRIAL, 1_000_000.0)


def held_up(first_trials: int = 10**9) -> SimulatedMeasure:
    return SimulatedMeasure(capacity(1e9), lambda _, number: ("schedule",) if number < first_trials else ())


def test_throughput() -> None:
    measure = held_up()
    with pytest.raises(MeasurementFailed, match="no valid trial at any rate, 1,000,000 down to 100 fps: schedule"):
        Throughput(procedure="throughput").run(CONDITIONS, measure)
    assert [request.rate_fps for request in measure.requests] == [1_000_000] * 3 + [100] * 3


def test_throughput_of_a_tester_that_can_do_less() -> None:
    measure = SimulatedMeasure(capacity(1e9), lambda request, _: ("schedule",) if request.rate_fps > 5000 else ())
    found = Throughput(procedure="throughput").run(CONDITIONS, measure)
    assert found.limited_by == "tester"
    assert 4950 <= found.known(RATE)[0] <= 5000


def test_frame_loss() -> None:
    measure = held_up()
    with pytest.raises(MeasurementFailed, match="no valid trial at any rate, 1,000,000 down to 100,000 fps"):
        FrameLoss(procedure="frame_loss").run(CONDITIONS, measure)
    assert len(measure.requests) == 12, "three rates and the lowest, each three times"
    assert losses(FrameLoss(procedure="frame_loss").run(CONDITIONS, held_up(9)))[-1] is not None


@pytest.mark.parametrize("alpha", [None, 0.8])
def test_establishment(alpha: float | None) -> None:
    dut = StatefulDut(tester_fps=10.0)
    search = Establishing(Conditions(TRIAL, 100_000.0, connections=500), {"alpha": alpha})
    with pytest.raises(MeasurementFailed, match="not do any rate of the search, 100,000 down to 100 connections/s"):
        search.found(dut)
    rates = [request.rate_fps for request in dut.requests]
    assert rates == sorted(rates, reverse=True), "the lowest one, which takes longest, comes last"


def test_capacity() -> None:
    dut = StatefulDut(tester_fps=10.0)
    with pytest.raises(MeasurementFailed, match="down to 50 connections/s, the Tester can't do this rate"):
        Filling(Conditions(TRIAL, 50_000.0), {"safe_connections": 50, "maximum_connections": 20_000}).found(dut)
