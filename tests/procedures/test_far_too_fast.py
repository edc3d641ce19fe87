"""Which invalid trials are worth repeating."""

from __future__ import annotations

import pytest

from tests.simulated_dut import SimulatedMeasure, capacity, sent_less
from xlatperf.procedures.trial import Outcome, measure_valid
from xlatperf.procedures.trial_request import TrialRequest

REQUEST = TrialRequest(84, "ipv6", 1000.0, 10.0)


@pytest.mark.parametrize(("sent", "attempts"), [(9_899, 1), (9_900, 3), (9_999, 3)])
def test_a_rate_far_too_high_is_tried_once(sent: int, attempts: int) -> None:
    """A stall of the host may not come again; a rate that the Tester can't do stays one."""
    inner = SimulatedMeasure(capacity(1e9))

    def measure(request: TrialRequest) -> Outcome:
        return sent_less(inner(request), sent / 10_000)

    assert len(measure_valid(measure, REQUEST, retries=2)) == attempts
