"""Does the DUT keep its connections long enough (R9693-4.4-1)?"""

from __future__ import annotations

import pytest

from tests.procedures.stateful_dut import StatefulDut
from xlatperf.procedures.timeout_check import OPENINGS, TimeoutCheck, timeout_check
from xlatperf.procedures.trial import MeasurementFailed, Trial
from xlatperf.procedures.trial_request import TrialRequest

CHECK = TimeoutCheck(TrialRequest(84, "ipv6", 1.0, 60.0), 1_000_000, 30.0)


def test_it_remembers() -> None:
    """One experiment with a few connections, whatever the measurement's number is."""
    dut = StatefulDut(timeout_s=40.0)
    found = timeout_check(CHECK, dut)
    assert (found.verdict, found.lost, found.trials) == ("remembers", 0, (0,))
    (request,) = dut.requests
    assert request.connections is not None
    assert (request.connections.count, request.connections.wait_s, request.rate_fps) == (200, 30.0, 1000.0)


def test_it_forgets() -> None:
    found = timeout_check(CHECK, StatefulDut(timeout_s=20.0))
    assert (found.verdict, found.connections, found.lost, found.trials) == ("forgets", 200, 200, (0, 1, 2))
    assert "forgets connections within 32 s: 200 of 200 were gone" in found.text
    assert "set its UDP timeout longer" in found.text


@pytest.mark.parametrize("dut", [StatefulDut(size=10), StatefulDut(timeout_s=1.0), StatefulDut(establish_fps=10)])
def test_something_else_is_wrong(dut: StatefulDut) -> None:
    found = timeout_check(CHECK, dut)
    assert found.verdict == "unclear"
    assert "even when they are used at once" in found.text


def test_just_at_the_timeout() -> None:
    """A small loss may be an accident: waiting a little longer tells."""
    dut = StatefulDut(timeout_s=100.0, strays=frozenset({0, 1}))
    found = timeout_check(CHECK, dut)
    assert (found.verdict, found.trials) == ("remembers", (0, 1))
    waits = [request.connections.wait_s for request in dut.requests if request.connections]
    assert waits == [30.0, 37.5]


def test_few_connections_of_few() -> None:
    dut = StatefulDut()
    assert timeout_check(TimeoutCheck(CHECK.trial, 7, 5.0), dut).connections == 7


def test_a_collapse() -> None:
    with pytest.raises(MeasurementFailed, match="collapsed"):
        timeout_check(CHECK, StatefulDut(collapse_above=100))


class HeldUp:
    """Phase 1 loses most of its frames in so many trials, as `dut` does; else the DUT remembers."""

    def __init__(self, trials: int, dut: StatefulDut | None = None) -> None:
        self.duts = [dut or StatefulDut(establish_fps=10)] * trials
        self.well = StatefulDut(timeout_s=40.0)

    def __call__(self, request: TrialRequest) -> Trial:
        return (self.duts.pop() if self.duts else self.well)(request)


def test_what_is_forgotten_is_gone_each_time() -> None:
    """A host that holds the DUT up for longer than the timeout takes all frames away, once."""
    found = timeout_check(CHECK, HeldUp(1, StatefulDut(timeout_s=20.0)))
    assert (found.verdict, found.lost, len(found.trials)) == ("remembers", 0, 3)


def test_what_phase_1_lost_was_not_forgotten() -> None:
    """Who held it up, device or Tester, is another question: what wasn't opened can't be gone."""
    assert timeout_check(CHECK, HeldUp(1)).verdict == "remembers"
    assert timeout_check(CHECK, HeldUp(OPENINGS - 1)).verdict == "remembers"
    found = timeout_check(CHECK, HeldUp(OPENINGS))
    assert (found.verdict, len(found.trials)) == ("unclear", OPENINGS + 1)
    assert found.text.startswith("nothing is known of the DUT's timeout: phase 1 at 1000 fps was not complete ")
