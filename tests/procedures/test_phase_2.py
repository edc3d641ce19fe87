"""RFC 8219's procedures over connections that a phase 1 established (R9693-4.2-1, R9693-4.7-1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.procedures.at_rate import IPDV, LATENCY, PDV, run
from tests.procedures.stateful_dut import StatefulDut
from tests.procedures.test_frame_loss import losses
from tests.procedures.test_throughput import rate
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.frame_loss import FrameLoss
from xlatperf.procedures.throughput import Throughput
from xlatperf.procedures.trial import Measure, MeasurementFailed, Trial
from xlatperf.procedures.trial_request import TrialRequest

TRIAL = TrialRequest(84, "ipv6", 1000.0, 1.0, connections=Connections(100, "steady", establish_fps=20_000.0))
SEARCH = Throughput(procedure="throughput", search_duration_s=0.5)
CONDITIONS = Conditions(TRIAL, 500_000.0)
SWEEP = FrameLoss(procedure="frame_loss")


@pytest.mark.parametrize("directions", [("forward", "reverse"), ("forward",), ("reverse",)])
def test_throughput(directions: tuple[DirectionName, ...]) -> None:
    """R9693-4.7-1: both directions, or one of them alone; phase 1 keeps its rate whatever is searched."""
    dut = StatefulDut(forward_fps=123_456)
    found = SEARCH.run(replace(CONDITIONS, trial=replace(TRIAL, directions=directions)), dut)
    assert 122_000 <= rate(found) <= 123_456
    assert found.limited_by == "dut"
    assert {request.connections for request in dut.requests} == {TRIAL.connections}
    assert {request.directions for request in dut.requests} == {directions}
    assert {request.duration_s for request in dut.requests} == {0.5, 1.0}


PROCEDURES: dict[str, Callable[[Measure], object]] = {
    "throughput": lambda measure: SEARCH.run(CONDITIONS, measure),
    "frame_loss": lambda measure: SWEEP.run(Conditions(TRIAL, 1000.0), measure),
    "latency": lambda measure: run(LATENCY, TRIAL, measure),
    "pdv": lambda measure: run(PDV, TRIAL, measure),
    "ipdv": lambda measure: run(IPDV, TRIAL, measure),
}


@pytest.mark.parametrize("name", PROCEDURES)
def test_an_incomplete_phase_1_is_no_result_of_phase_2(name: str) -> None:
    """Not a pass, and not a throughput of 0; the lost connections are counted, and their rate is named."""
    dut = StatefulDut(establish_fps=15_000)
    with pytest.raises(MeasurementFailed, match="phase 1 at 20,000 fps was not complete: 25 of 100 frames lost"):
        PROCEDURES[name](dut)
    assert len(dut.requests) == 3


@pytest.mark.parametrize("name", PROCEDURES)
def test_a_tester_too_slow_for_phase_1_is_no_limit_of_phase_2(name: str) -> None:
    dut = StatefulDut(tester_fps=10_000)
    with pytest.raises(MeasurementFailed, match="phase 1 at 20,000 fps was not valid: sent_less"):
        PROCEDURES[name](dut)


@pytest.mark.parametrize("name", PROCEDURES)
def test_a_collapse(name: str) -> None:
    dut = StatefulDut(collapse_above=10)
    with pytest.raises(MeasurementFailed, match="the DUT collapsed with 100 connections: its links are down"):
        PROCEDURES[name](dut)
    assert len(dut.requests) == 1


def test_one_incomplete_phase_1_is_repeated() -> None:
    class Once(StatefulDut):
        def __call__(self, request: TrialRequest) -> Trial:
            self.establish_fps = 15_000 if len(self.requests) == 0 else 50_000
            return super().__call__(request)

    found = SEARCH.run(CONDITIONS, Once(forward_fps=1e9))
    assert (rate(found), found.limited_by, found.trials) == (500_000, "maximum", (0, 1, 2))


def test_loss_sweep() -> None:
    found = SWEEP.run(Conditions(TRIAL, 200_000.0), StatefulDut(forward_fps=150_000))
    assert [loss and round(loss) for loss in losses(found, "reverse")] == [25, 17, 6, 0, 0]
