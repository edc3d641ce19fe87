"""Which invalid trials are worth repeating."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.simulated_dut import SimulatedMeasure, capacity, sent_less
from tests.trials import changed
from xlatperf.engine.direction_answer import Departure
from xlatperf.procedures.trial import Trial, measure_valid
from xlatperf.procedures.trial_request import TrialRequest

REQUEST = TrialRequest(84, "ipv6", 1000.0, 10.0)
AS_DUE = Departure()


@pytest.mark.parametrize(("sent", "attempts"), [(9_899, 1), (9_900, 3), (9_999, 3)])
def test_a_rate_far_too_high_is_tried_once(sent: int, attempts: int) -> None:
    """A stall of the host may not come again; a rate that the Tester can't do stays one."""
    assert tried(REQUEST, sent / 10_000) == attempts


@pytest.mark.parametrize(("stalls", "stall_ms", "attempts"), [(1, 500, 3), (10, 50, 3), (0, 0, 1), (100, 0.1, 1)])
def test_who_was_held_up_may_do_it_the_next_time(stalls: int, stall_ms: float, attempts: int) -> None:
    """A twentieth of the frames wasn't sent: half a second of ten."""
    departure = Departure(stalls=stalls, longest_stall_ns=1e6 * stall_ms)
    assert tried(REQUEST, 0.95, departure) == attempts


def test_an_untimed_one_is_tried_again() -> None:
    """A few frames at no load: being short of most of them is a short stall."""
    assert tried(replace(REQUEST, duration_s=0.02, fence=10), 0.35) == 3


def tried(wanted: TrialRequest, share: float, departure: Departure = AS_DUE) -> int:
    """How often it was, by a Tester that sends this share of it each time."""
    inner = SimulatedMeasure(capacity(1e9))

    def measure(request: TrialRequest) -> Trial:
        less = sent_less(inner(request), share)
        known = {name: one.model_copy(update={"departure": departure}) for name, one in less.directions.items()}
        return changed(less, **known)

    return len(measure_valid(measure, wanted, retries=2))
