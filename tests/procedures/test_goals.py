"""RFC 9971: throughput for several loss ratios by one search, on devices that are known."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.simulated_dut import SimulatedMeasure, capacity, offering, sent
from tests.simulated_frames import FramesMeasure
from tests.trials import changed
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.goals import conditional
from xlatperf.procedures.in_words import in_words
from xlatperf.procedures.loss_tolerance import LossTolerance
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.throughput import ERROR, RATE, Throughput
from xlatperf.procedures.trial import MeasurementFailed, Trial
from xlatperf.procedures.trial_request import TrialRequest

CONDITIONS = Conditions(TrialRequest(84, "ipv6", 1.0, 60.0), 1_000_000.0)
RATIOS = (0.0, 0.0001, 0.005)
WANTED = Throughput(procedure="throughput", search="mlrsearch", loss_ratios=RATIOS)
PDR = conditional(0.005)


def rate(found: Measured) -> float:
    (value,) = found.known(RATE)
    return value


@pytest.mark.parametrize("fps", [1_234, 53_000, 765_432])
def test_all_goals_of_an_ideal_device(fps: int) -> None:
    """What comes through at the bound of 0.5 % is the capacity itself, however much more was offered."""
    measure = SimulatedMeasure(capacity(fps))
    found = WANTED.run(CONDITIONS, measure)
    assert 0.99 * fps <= rate(found) <= fps
    assert found.limited_by == "dut"
    (error,) = found.known(ERROR)
    assert error <= 0.011 * fps
    (pdr,) = found.known(PDR)
    assert 0.99 * fps <= pdr <= fps * 1.0001
    assert [one.goal.loss_ratio for one in found.goals] == list(RATIOS)
    for one in found.goals:
        assert one.lower is not None
        assert (one.lower.good_s, one.lower.bad_s) == (60, 0), "a full trial"
    assert "at most 0.5 % lost: " in in_words(found)
    (final,) = [one for number, one in enumerate(measure.requests) if number == found.final_trial]
    assert (final.duration_s, final.purpose) == (60, "goals")
    assert found.trials == tuple(range(len(measure.requests)))


def test_the_same_trials_lead_the_same_way() -> None:
    """So a campaign that was killed goes on from its journal."""
    first, second = (SimulatedMeasure(capacity(53_000)) for _ in range(2))
    assert WANTED.run(CONDITIONS, first) == WANTED.run(CONDITIONS, second)
    assert first.requests == second.requests


def test_the_worse_direction_decides() -> None:
    """Together they would hide it: half of 0.8 % is less than 0.5 %."""

    def received(request: TrialRequest, name: DirectionName) -> int:
        lost = 0.008 if name == "reverse" and request.rate_fps > 50_000 else 0.0
        return sent(request) - round(lost * sent(request))

    found = WANTED.run(CONDITIONS, SimulatedMeasure(received))
    for one in found.goals:
        assert one.lower is not None
        assert 49_500 <= one.lower.rate_fps <= 50_000


def test_a_device_that_is_faster_than_the_search() -> None:
    """Not a value: at least so much."""
    found = WANTED.run(CONDITIONS, SimulatedMeasure(capacity(1e9)))
    assert (rate(found), found.limited_by) == (1_000_000, "maximum")
    (pdr,) = [one for one in found.values if one.quantity == PDR]
    assert (pdr.value, pdr.remark) == (
        None,
        "at least 1,000,000 fps, the highest rate of the search: the DUT may be faster",
    )
    limited = WANTED.run(replace(CONDITIONS, tester_limit_fps=200_000.0), SimulatedMeasure(capacity(1e9)))
    assert (rate(limited), limited.limited_by) == (200_000, "tester")
    (pdr,) = [one for one in limited.values if one.quantity == PDR]
    assert pdr.remark == "at least 200,000 fps, limited by the Tester: the DUT may be faster"


def test_a_tester_that_is_too_slow() -> None:
    """What it can't do isn't the device's loss: the bound above is the Tester's, for each goal."""
    measure = SimulatedMeasure(capacity(1e9), lambda request, _: ("schedule",) if request.rate_fps > 300_000 else ())
    found = WANTED.run(CONDITIONS, measure)
    assert found.limited_by == "tester"
    assert 297_000 <= rate(found) <= 300_000
    assert found.known(PDR) == []
    assert "at most 0.5 % lost: at least " in in_words(found)
    assert found.search is not None
    assert found.search.loss_percent_above is None
    with pytest.raises(MeasurementFailed, match="no valid trial at any rate, 1,000,000 down to 100 fps"):
        WANTED.run(CONDITIONS, SimulatedMeasure(capacity(1e9), lambda *_: ("schedule",)))


def test_a_tester_that_is_too_slow_for_long() -> None:
    """Short trials pass where long ones are invalid: the bound is the Tester's, although the device was seen there."""

    def invalid(request: TrialRequest, _: int) -> tuple[str, ...]:
        return ("schedule",) if request.rate_fps > 300_000 and request.duration_s > 30 else ()

    found = WANTED.run(CONDITIONS, SimulatedMeasure(capacity(1e9), invalid))
    assert {one.limited_by for one in found.goals} == {"tester"}
    assert 297_000 <= rate(found) <= 300_000


def test_what_a_valid_trial_never_sent_is_not_lost() -> None:
    """The schedule lets a valid trial be short of a little: that is no frame of the device's."""
    inner = SimulatedMeasure(capacity(1e9))

    def measure(request: TrialRequest) -> Trial:
        trial = inner(request)
        short = {name: one.model_copy(update={"intended": one.sent + 1}) for name, one in trial.directions.items()}
        return changed(trial, **short)

    assert WANTED.run(CONDITIONS, measure).limited_by == "maximum"


def test_a_higher_rate_that_passed_is_counted() -> None:
    """As of the other searches: loss that doesn't grow with the rate. A goal that lets it pass sees it higher up."""
    chance = Random(4)

    def received(request: TrialRequest, _: DirectionName) -> int:
        came = min(sent(request), round(50_000 * request.duration_s))
        return came - (chance.random() < 0.3)

    found = WANTED.run(CONDITIONS, SimulatedMeasure(received))
    assert found.search is not None
    assert found.search.inversions > 0


def test_a_device_that_forwards_nothing() -> None:
    found = WANTED.run(CONDITIONS, SimulatedMeasure(capacity(0)))
    assert (rate(found), found.limited_by) == (0, "minimum")
    (pdr,) = [one for one in found.values if one.quantity == PDR]
    assert pdr.remark == "not even the lowest rate of the search passed"


def test_a_little_loss_at_all_rates() -> None:
    """R2544-26.1: one frame of 100,000 lost is no throughput; with a goal for it the device has one."""

    def received(request: TrialRequest, _: DirectionName) -> int:
        came = min(sent(request), round(50_000 * request.duration_s))
        return came - round(1e-5 * sent(request))

    found = WANTED.run(CONDITIONS, SimulatedMeasure(received))
    assert rate(found) < 2000, "in a short trial no frame is lost at a very low rate"
    four_nines, half_percent = found.goals[1:]
    for one in (four_nines, half_percent):
        assert one.conditional_fps is not None
        assert 49_000 <= one.conditional_fps <= 50_010


def test_what_exceeds_a_goal_for_a_part_of_the_time() -> None:
    """ETSI GS NFV-TST 009: a trial that a rare event spoils is outvoted; it is not RFC 2544's throughput."""
    chance = Random(9971)

    def received(request: TrialRequest, _: DirectionName) -> int:
        came = min(sent(request), round(50_000 * request.duration_s))
        return came - (chance.random() < 0.2)

    strict = WANTED.run(CONDITIONS, SimulatedMeasure(received))
    wanted = Throughput.model_validate({**WANTED.model_dump(), "exceed_ratio": 0.5, "duration_sum_s": 120.0})
    tolerant = wanted.run(CONDITIONS, SimulatedMeasure(received))
    assert 48_000 <= rate(tolerant) <= 50_000
    assert rate(strict) <= rate(tolerant)
    assert "not RFC 2544 throughput" in wanted.standards
    assert wanted.tolerant
    assert any("trials may lose more than their goal" in one.here for one in wanted.deviations())


def test_rates_are_those_that_were_offered() -> None:
    found = WANTED.run(CONDITIONS, offering(SimulatedMeasure(capacity(300_000)), 0.999))
    assert found.search is not None
    assert rate(found) == pytest.approx(0.999 * (found.search.lower_fps or 0))


def test_what_a_report_must_say() -> None:
    """RFC 9971: all attributes of the goals."""
    assert WANTED.parameters() == {
        "duration_s": 60.0,
        "timeout_s": 2.0,
        "search": "mlrsearch",
        "loss_ratios": "0, 0.0001, 0.005",
        "exceed_ratio": 0.0,
        "goal_width_percent": 1.0,
        "initial_trial_duration_s": 1.0,
        "duration_sum_s": 60.0,
    }


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"loss_ratios": (0.005,)}, r"loss_ratios: \[0\.005\] is not allowed: the first one 0, each once"),
        ({"loss_ratios": (0.0, 0.1, 0.1)}, r"loss_ratios: \[0\.0, 0\.1, 0\.1\] is not allowed"),
        ({"loss_tolerance": LossTolerance(forward=0.1)}, "loss_tolerance: 0.1 forward, 0 reverse is not allowed"),
        ({"stop_width_fps": 100.0}, "stop_width_fps: 100 is not allowed"),
        ({"duration_sum_s": 59.0}, "duration_sum_s: 59 is not allowed: at least duration_s, 60"),
        ({"search": "guided", "exceed_ratio": 0.5}, 'exceed_ratio: 0.5 is not allowed: with search = "mlrsearch"'),
    ],
)
def test_keys(keys: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Throughput.model_validate({"procedure": "throughput", "search": "mlrsearch", **keys})


def test_classes_of_a_mix() -> None:
    """RFC 8219 §5.3: what each class lost at the bound above, where they differ."""
    device = FramesMeasure(lambda *_: 1_000, mix=(1, 2))
    found = WANTED.model_copy(update={"duration_s": 0.01}).run(
        Conditions(TrialRequest(84, "ipv6", 1.0, 0.01), 10_000.0), device
    )
    assert (found.limited_by, rate(found)) == ("maximum", 10_000)
