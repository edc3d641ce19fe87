"""Requests and outcomes with and without connections."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.procedures.stateful_dut import StatefulDut
from tests.trials import without_frames
from xlatperf.engine.trial_answer import Experiment
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial_request import TrialRequest

TRIAL = TrialRequest(84, "ipv6", 1000.0, 10.0)


def test_a_stateless_request_says_nothing_of_connections() -> None:
    """A journal of an earlier version can still be resumed."""
    assert "connections" not in TRIAL.record()


def test_a_stateful_request_is_written_without_what_it_does_not_have() -> None:
    request = TRIAL.experiment(Connections(500, "establish"), 250.0, "establish")
    assert request.record()["connections"] == {"count": 500, "phase": "establish"}
    assert (request.duration_s, request.directions) == (2.0, ("forward",))
    waiting = replace(TRIAL, connections=Connections(500, "each_once", 100.0, wait_s=1.0))
    assert waiting.record()["connections"] == {
        "count": 500,
        "phase": "each_once",
        "establish_fps": 100.0,
        "wait_s": 1.0,
    }
    assert waiting.fingerprint() != TRIAL.fingerprint()


def test_one_frame_for_each_takes_as_long_as_it_takes() -> None:
    establish = replace(TRIAL, connections=Connections(500, "establish"))
    assert establish.at(1000.0, duration_s=60.0).duration_s == 0.5
    steady = replace(TRIAL, connections=Connections(500, "steady", 100.0))
    assert steady.at(1000.0, duration_s=60.0).duration_s == 60


def test_without_a_direction_nothing_passed() -> None:
    empty = without_frames()
    assert not empty.passed({})
    assert not empty.passed({"forward": 1.0})
    assert (empty.sent, empty.lost, empty.loss_percent(), empty.something_came) == (0, 0, {}, False)
    assert not empty.established


@pytest.mark.parametrize(("establish_fps", "established"), [(5_000.0, True), (500.0, False)])
def test_established(establish_fps: float, established: bool) -> None:
    dut = StatefulDut(establish_fps=establish_fps)
    assert dut(TRIAL.experiment(Connections(100, "establish"), 1000.0, "")).established == established
    validated = dut(TRIAL.experiment(Connections(100, "each_once", 1000.0), 1000.0, ""))
    assert validated.established == established
    assert bool(validated.directions) == established
    assert validated.first_phase.lost == (0 if established else 50)


def test_collapsed() -> None:
    assert without_frames().collapsed is None
    assert without_frames(experiment=Experiment(collapsed="gone")).collapsed == "gone"
