"""Throughput on simulated DUTs (R2544-26.1, R8219-7.1, R2544-24)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.long import by_length, more
from tests.simulated_dut import SimulatedMeasure, capacity, sent
from tests.trials import changed
from xlatperf.engine.trial_answer import InvalidReason
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.loss_tolerance import LossTolerance
from xlatperf.procedures.quantity import Measured, Search
from xlatperf.procedures.throughput import RATE, Throughput
from xlatperf.procedures.trial import MeasurementFailed, Trial
from xlatperf.procedures.trial_request import TrialRequest

TRIAL = TrialRequest(84, "ipv6", 1.0, 60.0)
WANTED = Throughput(procedure="throughput")
SHORT = Throughput(procedure="throughput", search_duration_s=2)
BINARY = Throughput(procedure="throughput", search="binary")
CONDITIONS = Conditions(TRIAL, 1_000_000.0)


def bounds(found: Measured) -> Search:
    assert found.search is not None
    return found.search


def rate(found: Measured) -> float:
    (fps,) = found.known(RATE)
    return fps


@more
@settings(max_examples=by_length(50, 5000))
@given(st.integers(200, 990_000), st.sampled_from([WANTED, BINARY, SHORT]))
def test_known_capacity(fps: int, wanted: Throughput) -> None:
    result = wanted.run(CONDITIONS, SimulatedMeasure(capacity(fps)))
    search = bounds(result)
    assert search.lower_fps is not None
    assert search.upper_fps is not None
    assert rate(result) == search.lower_fps <= fps < search.upper_fps
    assert search.upper_fps - search.lower_fps <= max(1, 0.01 * search.upper_fps)
    assert result.limited_by == "dut"
    assert search.loss_percent_above is not None
    assert all(percent > 0 for percent in search.loss_percent_above.values())


def test_a_dut_as_fast_as_the_medium_takes_one_trial() -> None:
    """R2544-20: the highest rate is tried first."""
    measure = SimulatedMeasure(capacity(1e9))
    result = WANTED.run(CONDITIONS, measure)
    assert (rate(result), result.limited_by, len(measure.requests)) == (1_000_000, "maximum", 1)


def test_ten_gigabit_to_a_thousandth() -> None:
    """R2544-26.1: trials of 60 s, as many as a device needs that does 3.3 of 14.88 million frames per second."""
    took = {}
    for search in ("guided", "binary"):
        measure = SimulatedMeasure(capacity(3_300_000))
        wanted = Throughput(procedure="throughput", search=search, stop_width_percent=0.1)
        result = wanted.run(Conditions(TRIAL, 14_880_952.0), measure)
        assert 3_300_000 * 0.999 <= rate(result) <= 3_300_000
        assert bounds(result).upper_fps is not None
        assert {request.duration_s for request in measure.requests} == {60.0}
        took[search] = len(measure.requests)
    assert took["guided"] <= took["binary"] / 3


def test_a_failed_confirmation_is_led_by_its_own_loss() -> None:
    """R2544-24: short trials didn't see the limit at all; a few long ones more are enough."""

    def received(request: TrialRequest, _: str) -> int:
        return min(sent(request), 6_000_000) if request.duration_s > 2 else sent(request)

    measure = SimulatedMeasure(received)
    result = SHORT.run(CONDITIONS, measure)
    assert 99_000 <= rate(result) <= 100_000
    assert [request.duration_s for request in measure.requests] == [2, 60, 60, 60, 60]


def test_the_lowest_rate_is_not_confirmed() -> None:
    """One trial of full length: there is no lower rate to go to."""

    def received(request: TrialRequest, _: str) -> int:
        return min(sent(request), 200) if request.duration_s == 2 else sent(request) - 1

    measure = SimulatedMeasure(received)
    result = SHORT.run(CONDITIONS, measure)
    assert (rate(result), bounds(result).lower_fps, result.limited_by) == (0, None, "minimum")
    assert [request.duration_s for request in measure.requests].count(60.0) == 1


def test_nothing_passes() -> None:
    """A DUT that forwards nothing is told after two trials, not after twenty."""
    measure = SimulatedMeasure(capacity(0))
    result = WANTED.run(CONDITIONS, measure)
    assert (rate(result), bounds(result).lower_fps, result.limited_by) == (0, None, "minimum")
    assert len(measure.requests) == 2


def test_each_direction_must_pass() -> None:
    """R8219-5.3-1: an asymmetric DUT is limited by its slower direction."""

    def received(request: TrialRequest, direction: str) -> int:
        return min(sent(request), 6_000_000 if direction == "reverse" else sent(request))

    result = WANTED.run(CONDITIONS, SimulatedMeasure(received))
    assert 99_000 <= rate(result) <= 100_000
    loss_percent = bounds(result).loss_percent_above
    assert loss_percent is not None
    assert loss_percent["forward"] == 0 < loss_percent["reverse"]


def test_an_invalid_trial_is_repeated() -> None:
    measure = SimulatedMeasure(capacity(1e9), lambda _, number: ("schedule",) if number < 2 else ())
    result = WANTED.run(CONDITIONS, measure)
    assert (rate(result), result.limited_by, result.trials) == (1_000_000, "maximum", (0, 1, 2))


@pytest.mark.parametrize("reason", ["sent_less", "schedule", "transmit_errors", "receive_drops"])
def test_the_testers_limit_is_never_the_duts_loss(reason: str) -> None:
    """An invalid trial is an upper bound that the Tester sets."""
    measure = SimulatedMeasure(capacity(1e9), lambda request, _: (reason,) if request.rate_fps > 300_000 else ())
    result = WANTED.run(CONDITIONS, measure)
    assert 297_000 <= rate(result) <= 300_000
    assert result.limited_by == "tester"
    assert bounds(result).loss_percent_above is None


def test_what_a_tester_far_too_slow_could_send_leads() -> None:
    """It's known from the first trial: the lowest rate says no more, nor do ten rates between."""
    inner = SimulatedMeasure(capacity(1e9))

    def measure(request: TrialRequest) -> Trial:
        outcome = inner(replace(request, rate_fps=min(request.rate_fps, 300_000)))
        if request.rate_fps <= 300_000:
            return outcome
        slow = {name: one.model_copy(update={"intended": sent(request)}) for name, one in outcome.directions.items()}
        reasons = (InvalidReason(code="sent_less", text="not all in time"),)
        return changed(outcome, valid=False, reasons=reasons, **slow)

    result = WANTED.run(CONDITIONS, measure)
    assert 297_000 <= rate(result) <= 300_000
    assert result.limited_by == "tester"
    assert len(inner.requests) <= 6
    assert min(request.rate_fps for request in inner.requests) > 250_000


@pytest.mark.parametrize("wanted", [WANTED, BINARY, SHORT])
@pytest.mark.parametrize(
    ("tester_fps", "dut_fps", "limited_by", "least", "most"),
    [
        (260_000.0, 1e9, "tester", 250_000, 250_000),
        (1e9, 1e9, "maximum", 1_000_000, 1_000_000),
        (1e9, 200_000.0, "dut", 198_000, 200_000),
        (1e9, 290_000.0, "dut", 287_000, 290_000),
        (1e9, 600_000.0, "dut", 594_000, 600_000),
    ],
)
def test_above_the_self_tests_limit_only_where_it_passes(
    wanted: Throughput, tester_fps: float, dut_fps: float, limited_by: str, least: float, most: float
) -> None:
    """250,000, which may have been a stall of the host: then the trials show it."""
    too_fast = ("sent_less",)
    measure = SimulatedMeasure(capacity(dut_fps), lambda request, _: too_fast if request.rate_fps > tester_fps else ())
    result = wanted.run(replace(CONDITIONS, tester_limit_fps=250_000.0), measure)
    assert result.limited_by == limited_by
    assert least <= rate(result) <= most
    if tester_fps < 1e9 or dut_fps < 250_000:
        assert max(request.rate_fps for request in measure.requests) <= 1.25 * 250_000


def test_other_invalid_trials_fail_the_measurement() -> None:
    measure = SimulatedMeasure(capacity(1e9), lambda _, __: ("clock",))
    with pytest.raises(MeasurementFailed, match="clock"):
        WANTED.run(CONDITIONS, measure)
    assert len(measure.requests) == 3


def test_the_result_is_determined_with_full_length() -> None:
    """R2544-24: a buffer of 40,000 frames hides the overload in short trials only."""

    def received(request: TrialRequest, _: str) -> int:
        return min(sent(request), round(100_000 * request.duration_s) + 40_000)

    measure = SimulatedMeasure(received)
    result = SHORT.run(CONDITIONS, measure)
    assert 99_000 <= rate(result) <= 100_667
    assert measure.requests[0].duration_s == 2
    final = measure.requests[result.trials.index(result.final_trial or 0)]
    assert (final.duration_s, final.purpose) == (60, "confirm")


def test_a_confirmed_short_search_takes_one_long_trial() -> None:
    measure = SimulatedMeasure(capacity(123_456))
    result = SHORT.run(CONDITIONS, measure)
    assert [request.duration_s for request in measure.requests].count(60.0) == 1
    assert 122_000 <= rate(result) <= 123_456
    assert result.limited_by == "dut"


def test_loss_tolerance() -> None:
    measure = SimulatedMeasure(capacity(100_000))
    tolerant = Throughput(procedure="throughput", loss_tolerance=LossTolerance(forward=0.5, reverse=0.5))
    result = tolerant.run(CONDITIONS, measure)
    assert 198_000 <= rate(result) <= 200_000


def test_inversions_are_counted() -> None:
    """A DUT that loses at 500,000 but not above has a loss inversion."""

    def received(request: TrialRequest, _: str) -> int:
        lossy = request.rate_fps > 900_000 or 400_000 < request.rate_fps < 510_000
        return sent(request) - (1 if lossy else 0)

    result = WANTED.run(CONDITIONS, SimulatedMeasure(received))
    assert result.limited_by == "dut"
    assert bounds(result).inversions == 0  # no search looks above a failure: it cannot see this one
