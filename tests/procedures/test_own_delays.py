"""What a measured delay may contain of the Tester's own is said beside it."""

from __future__ import annotations

import pytest

from tests.simulated_frames import MS, FramesMeasure
from tests.trials import changed
from xlatperf.engine.direction_answer import Departure
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.in_words import in_words
from xlatperf.procedures.own_delays import HELD_UP, WAITED
from xlatperf.procedures.pdv import Pdv
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest

CONDITIONS = Conditions(TrialRequest(84, "ipv6", 1000.0, 1.0), 1000.0, rate_fps=1000.0)


def measured(departure: Departure) -> Measured:
    """A device that takes 1 ms for each frame and 13 ms for one, beside a Tester that departed so."""
    device = FramesMeasure(lambda _request, _way, number, _due: 13 * MS if number > 990 else MS)

    def measure(request: TrialRequest) -> Trial:
        outcome = device(request)
        departed = {name: one.model_copy(update={"departure": departure}) for name, one in outcome.directions.items()}
        return changed(outcome, **departed)

    return Pdv(procedure="pdv").run(CONDITIONS, measure)


@pytest.mark.parametrize(
    ("departure", "said"),
    [
        (Departure(), ""),
        (Departure(longest_stall_ns=1.1 * MS), ""),
        (Departure(longest_stall_ns=8 * MS), " (longest hold-up of the Tester 8,000.0 us)"),
        (Departure(waited_ns=2 * MS), " (longest wait in the Tester's port 2,000.0 us)"),
    ],
)
def test_said_where_it_is_much(departure: Departure, said: str) -> None:
    """12 ms of variation: a tenth of that may explain it."""
    found = measured(departure)
    assert in_words(found) == f"PDV 12,000.0 us forward, PDV 12,000.0 us reverse{said}"
    known = {one.quantity: one.value for one in found.values if one.direction == "forward"}
    assert known[HELD_UP] == (departure.longest_stall_ns or 0)
    assert known[WAITED] == (departure.waited_ns or 0)
