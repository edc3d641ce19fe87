"""What a measured delay may contain of the Tester's own is said beside it."""

from __future__ import annotations

import pytest

from tests.simulated_frames import MS, FramesMeasure
from xlatperf.engine.direction_answer import Departure
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.in_words import in_words
from xlatperf.procedures.own_delays import HELD_UP, WAITED
from xlatperf.procedures.pdv import Pdv
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial import Outcome
from xlatperf.procedures.trial_request import TrialRequest

CONDITIONS = Conditions(TrialRequest(84, "ipv6", 1000.0, 1.0), 1000.0, rate_fps=1000.0)


def measured(departure: Departure | None) -> Measured:
    """A device that takes 1 ms for each frame and 13 ms for one, beside a Tester that departed so."""
    device = FramesMeasure(lambda _request, _way, number, _due: 13 * MS if number > 990 else MS)

    def measure(request: TrialRequest) -> Outcome:
        outcome = device(request)
        for direction in outcome.directions.values():
            object.__setattr__(direction, "details", direction.details.model_copy(update={"departure": departure}))
        return outcome

    return Pdv(procedure="pdv").run(CONDITIONS, measure)


@pytest.mark.parametrize(
    ("departure", "said"),
    [
        (None, ""),
        (Departure(longest_stall_ns=1.1 * MS), ""),
        (Departure(longest_stall_ns=8 * MS), " (longest hold-up of the Tester 8,000.0 us)"),
        (Departure(waited_ns=2 * MS), " (longest wait in the Tester's port 2,000.0 us)"),
    ],
)
def test_said_where_it_is_much(departure: Departure | None, said: str) -> None:
    """12 ms of variation: a tenth of that may explain it."""
    found = measured(departure)
    assert in_words(found) == f"PDV 12,000.0 us forward, PDV 12,000.0 us reverse{said}"
    known = {one.quantity: one.value for one in found.values if one.direction == "forward"}
    assert known[HELD_UP] == (departure.longest_stall_ns or 0 if departure is not None else 0)
    assert known[WAITED] == (departure.waited_ns or 0 if departure is not None else 0)
