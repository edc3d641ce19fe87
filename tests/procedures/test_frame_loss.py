"""Frame loss rate (R2544-26.3, R8219-7.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import ValidationError

from tests.simulated_dut import SimulatedMeasure, capacity, sent
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.frame_loss import LOSS, FrameLoss
from xlatperf.procedures.in_words import in_words
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial_request import TrialRequest

SWEEP = FrameLoss(procedure="frame_loss")
CONDITIONS = Conditions(TrialRequest(84, "ipv6", 1.0, 10.0), 1_000_000.0)


def rates(found: Measured) -> list[float | None]:
    """In the order in which they were tried."""
    return list(dict.fromkeys(one.rate_fps for one in found.values))


def losses(found: Measured, direction: DirectionName = "forward") -> list[float | None]:
    """Of each rate in percent; None: not valid."""
    return [one.value for one in found.values if (one.quantity, one.direction) == (LOSS, direction)]


def test_from_the_maximum_until_two_trials_without_loss() -> None:
    result = SWEEP.run(CONDITIONS, SimulatedMeasure(capacity(750_000)))
    assert rates(result) == [1_000_000, 900_000, 800_000, 700_000, 600_000]
    assert losses(result) == [25, pytest.approx(100 / 6), 6.25, 0, 0]
    assert result.trials == (0, 1, 2, 3, 4)


def test_the_loss_free_trials_must_follow_each_other() -> None:
    def received(request: TrialRequest, _: str) -> int:
        return sent(request) - (1 if request.rate_fps in (1_000_000, 800_000) else 0)

    result = SWEEP.run(CONDITIONS, SimulatedMeasure(received))
    assert rates(result) == [1_000_000, 900_000, 800_000, 700_000, 600_000]


def test_larger_steps_are_refused_or_a_deviation() -> None:
    """R2544-26.3, R8219-12-1: 10 % at most; explicit rates, and a single sweep, are declared."""
    with pytest.raises(ValidationError, match="less than or equal to 10"):
        FrameLoss(procedure="frame_loss", step_percent=10.1)
    explicit = FrameLoss(procedure="frame_loss", rates_fps=(100.0, 5000.0), repetitions=2)
    assert [one.here for one in explicit.deviations() if "26.3" in one.section] == ["frame loss: 5,000, 100 frames/s"]
    plain = list(FrameLoss(procedure="frame_loss").deviations())
    assert [one.here for one in plain if one.section == "RFC 8219 §12"] == ["frame loss: one"]
    assert not [one for one in plain if one.section == "RFC 2544 §26.3"]


def test_finer_steps() -> None:
    found = SWEEP.model_copy(update={"step_percent": 2.5}).rates(1_000_000)
    assert len(found) == 40
    assert found[:3] == [1_000_000, 975_000, 950_000]
    assert found[-1] == 25_000


def test_explicit_rates_go_downwards() -> None:
    result = SWEEP.model_copy(update={"rates_fps": (10.0, 500.0, 100.0)}).run(
        CONDITIONS, SimulatedMeasure(capacity(50))
    )
    assert rates(result) == [500, 100, 10]


def test_above_the_testers_limit_nothing_is_tried() -> None:
    measure = SimulatedMeasure(capacity(1e9))
    result = SWEEP.run(replace(CONDITIONS, tester_limit_fps=850_000.0), measure)
    assert losses(result) == losses(result, "reverse") == [None, None, 0, 0]
    assert len(measure.requests) == 2
    assert in_words(result) == "4 rates, 0 where not all came right, 2 not measured"
    assert [one.trial for one in result.values if one.quantity is LOSS] == [None, None, None, None, 0, 0, 1, 1]


def test_an_invalid_trial_states_no_loss() -> None:
    measure = SimulatedMeasure(capacity(1), lambda request, _: ("sent_less",) if request.rate_fps > 950_000 else ())
    result = SWEEP.run(CONDITIONS, measure)
    assert losses(result)[0] is None
    assert "could not do this rate" in (result.values[0].remark or "")
    assert (losses(result, "reverse")[1] or 0) > 99
    assert len(rates(result)) == 10


@pytest.mark.parametrize("step", [1.0, 3.0, 7.0, 10.0])
def test_no_rate_is_zero(step: float) -> None:
    assert min(SWEEP.model_copy(update={"step_percent": step}).rates(1_000_000)) >= 1
