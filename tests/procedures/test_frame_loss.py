"""Frame loss rate (R2544-26.3, R8219-7.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.simulated_dut import SimulatedMeasure, capacity, sent
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.frame_loss import FrameLoss
from xlatperf.procedures.trial import TrialRequest

SWEEP = FrameLoss(procedure="frame_loss")
CONDITIONS = Conditions(TrialRequest(84, "ipv6", 1.0, 10.0), 1_000_000.0)


def test_from_the_maximum_until_two_trials_without_loss() -> None:
    result = SWEEP.run(CONDITIONS, SimulatedMeasure(capacity(750_000)))
    assert [point.percent_of_maximum for point in result.points] == [100, 90, 80, 70, 60]
    assert [round(point.loss_percent["forward"], 3) for point in result.points] == [25, 16.667, 6.25, 0, 0]
    assert result.trials == (0, 1, 2, 3, 4)


def test_the_loss_free_trials_must_follow_each_other() -> None:
    def received(request: TrialRequest, _: str) -> int:
        return sent(request) - (1 if request.rate_fps in (1_000_000, 800_000) else 0)

    result = SWEEP.run(CONDITIONS, SimulatedMeasure(received))
    assert [point.rate_fps for point in result.points] == [1_000_000, 900_000, 800_000, 700_000, 600_000]


def test_finer_steps() -> None:
    rates = SWEEP.model_copy(update={"step_percent": 2.5}).rates(1_000_000)
    assert len(rates) == 40
    assert rates[:3] == [1_000_000, 975_000, 950_000]
    assert rates[-1] == 25_000


def test_explicit_rates_go_downwards() -> None:
    result = SWEEP.model_copy(update={"rates_fps": (10.0, 500.0, 100.0)}).run(
        CONDITIONS, SimulatedMeasure(capacity(50))
    )
    assert [point.rate_fps for point in result.points] == [500, 100, 10]


def test_above_the_testers_limit_nothing_is_tried() -> None:
    measure = SimulatedMeasure(capacity(1e9))
    result = SWEEP.run(replace(CONDITIONS, tester_limit_fps=850_000.0), measure)
    assert [point.valid for point in result.points] == [False, False, True, True]
    assert len(measure.requests) == 2
    assert result.points[0].loss_percent == {}


def test_an_invalid_trial_states_no_loss() -> None:
    measure = SimulatedMeasure(capacity(1), lambda request, _: ("sent_less",) if request.rate_fps > 950_000 else ())
    result = SWEEP.run(CONDITIONS, measure)
    assert not result.points[0].valid
    assert "could not do this rate" in (result.points[0].remark or "")
    assert result.points[1].loss_percent["reverse"] > 99
    assert len(result.points) == 10


@pytest.mark.parametrize("step", [1.0, 3.0, 7.0, 10.0])
def test_no_rate_is_zero(step: float) -> None:
    assert min(SWEEP.model_copy(update={"step_percent": step}).rates(1_000_000)) >= 1
