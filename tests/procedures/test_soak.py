"""A constant rate for long, through DUTs whose losses and delays are known."""

from __future__ import annotations

import pytest

from tests.simulated_frames import MS, FramesMeasure
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.quantity import Measured, Quantity
from xlatperf.procedures.soak import D999, DRIFT, LOSS, LOSSY, MEDIAN, WORST_D999, WORST_LOSS, Soak
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.procedures.trial_request import TrialRequest

WANTED = Soak(procedure="soak", duration_s=10, interval_s=1, rate_fps=100)
CONDITIONS = Conditions(TrialRequest(84, "ipv6", 1.0, 10.0), rate_fps=100.0, maximum_fps=10_000.0)


def fate(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
    """Forward: 30 % of the fourth second are lost, 1 % of the fifth; each second takes 1 ms longer. Reverse: 1 ms."""
    if name == "reverse":
        return MS
    second = int(due_s + 1e-9)
    lost = {3: 30, 4: 1}.get(second, 0)
    return None if number % 100 < lost else MS * (1 + second)


def value(measured: Measured, quantity: Quantity, direction: DirectionName = "forward") -> float | None:
    (found,) = [one for one in measured.values if one.quantity is quantity and one.direction == direction]
    return found.value


def test_what_is_told_of_intervals() -> None:
    """What a DUT loses, and in what time."""
    measure = FramesMeasure(fate)
    found = WANTED.run(CONDITIONS, measure)
    (asked,) = measure.requests
    assert (asked.rate_fps, asked.duration_s, asked.interval_s) == (100, 10, 1)
    assert value(found, LOSS) == pytest.approx(3.1)
    assert value(found, WORST_LOSS) == pytest.approx(30)
    assert value(found, LOSSY) == pytest.approx(20)
    assert value(found, FRAMES_LOST) == 31
    assert value(found, MEDIAN) == 6 * MS
    assert value(found, D999) == value(found, WORST_D999) == 10 * MS
    assert value(found, DRIFT) == 9 * MS
    assert [value(found, one, "reverse") for one in (LOSS, WORST_LOSS, LOSSY, FRAMES_LOST, DRIFT)] == [0] * 5
    assert value(found, WORST_D999, "reverse") == MS
    assert (found.no_result, found.trials, found.final_trial) == (None, (0,), 0)


def test_losing_everything_is_a_result() -> None:
    found = WANTED.run(CONDITIONS, FramesMeasure(lambda *_: None))
    assert (value(found, LOSS), value(found, WORST_LOSS), value(found, LOSSY)) == (100, 100, 100)
    assert (value(found, MEDIAN), value(found, WORST_D999), value(found, DRIFT)) == (None, None, None)


def test_an_invalid_trial_is_no_result_and_isnt_repeated() -> None:
    """Hours are worth looking at, though they say nothing about the DUT: the trial is named."""
    measure = FramesMeasure(fate)
    measure.reasons = [("link_down",), ()]
    found = WANTED.run(CONDITIONS, measure)
    assert len(measure.requests) == 1
    assert found.values == ()
    assert found.final_trial == 0
    assert found.no_result is not None
    assert found.no_result.in_words() == "not valid: trial 0: link_down: because of link_down"


def test_repeated_if_it_is_wanted() -> None:
    measure = FramesMeasure(fate)
    measure.reasons = [("link_down",), ()]
    again = WANTED.model_copy(update={"retries": 1})
    found = again.run(CONDITIONS, measure)
    assert (found.no_result, found.trials, found.final_trial) == (None, (0, 1), 1)


def test_a_loss_after_a_stall_of_the_tester_isnt_repeated() -> None:
    """Of other procedures such a trial is repeated; here it would cost hours, and each interval says of its stalls."""
    measure = FramesMeasure(lambda *args: None if args[2] == 5 else MS)
    again = WANTED.model_copy(update={"retries": 3})
    assert value(again.run(CONDITIONS, measure), FRAMES_LOST) == 1
    assert len(measure.requests) == 1


def test_without_connections_there_is_nothing_to_soak() -> None:
    """RFC 9693 §4.2: phase 2 needs a complete phase 1."""
    from xlatperf.procedures.connections import Connections

    trial = TrialRequest(84, "ipv6", 1.0, 10.0).experiment(Connections(10, "steady", establish_fps=10), 100, "soak")
    measure = FramesMeasure(fate)
    measure.changes = {"forward": None, "reverse": None}
    with pytest.raises(MeasurementFailed, match="phase 1"):
        WANTED.run(Conditions(trial, rate_fps=100.0, maximum_fps=10_000.0), measure)
