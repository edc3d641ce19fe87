"""What is said of one trial on the terminal."""

from __future__ import annotations

from tests.procedures.stateful_dut import StatefulDut
from tests.simulated_dut import answer, capacity
from xlatperf.engine.direction_answer import Departure
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.progress import verdict

REQUEST = TrialRequest(84, "ipv6", 1000.0, 1.0)
AS_DUE = Departure()


def said(departure: Departure = AS_DUE, reasons: tuple[str, ...] = ()) -> str:
    found = TrialAnswer.model_validate(answer(REQUEST, capacity(1e9), reasons))
    assert found.forward is not None
    forward = found.forward.model_copy(update={"departure": departure})
    return verdict(Trial.of(0, "run", REQUEST, found.model_copy(update={"forward": forward})))


def test_verdicts() -> None:
    """What never took place isn't called invalid, and its reason is said."""
    assert said() == "no loss"
    assert said(reasons=("schedule",)) == "invalid: schedule"
    assert said(reasons=("fell_silent",)) == "no trial: because of fell_silent"


def test_frames_waited_for_the_device() -> None:
    """Also where none was lost: the delays contain it."""
    assert (
        said(Departure(waited_ns=2.5e8)) == "no loss; forward frames waited for 250 ms or more in the Tester's own port"
    )
    assert said(Departure(waited_ns=5e5)) == "no loss"


def test_what_phase_1_may_lose_is_said() -> None:
    """RFC 9693 §4.4 allows nothing; that phase 2 took place all the same has a reason."""
    wanted = Connections(5000, "steady", 10_000.0, may_lose=0.01)
    request = REQUEST.experiment(wanted, 1000.0, "throughput")
    outcome = StatefulDut(loses=0.002)(request)
    lost = outcome.first_phase.lost
    assert 0 < lost < 50
    assert f"; phase 1: {lost} of 5,000 frames lost, 1 % may be" in verdict(outcome)
    strict = StatefulDut(loses=0.002)(REQUEST.experiment(Connections(5000, "steady", 10_000.0), 1000.0, "throughput"))
    assert verdict(strict) == f"phase 1 was not complete: {lost} of 5,000 frames lost"
