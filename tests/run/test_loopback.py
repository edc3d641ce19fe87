"""Connections for a Tester that is measured alone: a host that was held up must not end a campaign."""

from __future__ import annotations

from tests.simulated_connections import StatefulEngine
from tests.simulated_device import SimulatedDevice
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.loopback import not_opened, open_connections

REQUEST = TrialRequest(64, "ipv4", 1.0, 2.0).experiment(Connections(1000, "steady", 20_000.0), 5000.0, "self-test")


class Loopback:
    def __init__(self, establish_fps: float) -> None:
        self.engine = StatefulEngine(SimulatedDevice(), establish_fps=establish_fps)

    def __call__(self, request: TrialRequest) -> TrialAnswer:
        return self.engine.trial(request, 1)


def test_at_once() -> None:
    loopback = Loopback(30_000)
    assert open_connections(REQUEST, loopback) is None
    assert [request.rate_fps for request in loopback.engine.requests] == [20_000]


def test_more_slowly() -> None:
    loopback = Loopback(6000)
    assert open_connections(REQUEST, loopback) is None
    assert [request.rate_fps for request in loopback.engine.requests] == [20_000, 10_000, 5000]


def test_not_at_all_is_an_invalid_trial() -> None:
    failed = open_connections(REQUEST, Loopback(100))
    assert failed is not None
    answer = not_opened(failed, 5)
    assert (answer.frame_tag, answer.valid, answer.directions) == (5, False, {})
    assert [reason.code for reason in answer.reasons] == ["receive_drops"]


def test_trials_without_phase_2_need_none() -> None:
    loopback = Loopback(30_000)
    assert open_connections(TrialRequest(64, "ipv4", 1.0, 2.0), loopback) is None
    assert loopback.engine.requests == []
