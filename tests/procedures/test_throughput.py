"""Throughput on simulated DUTs (R2544-26.1, R8219-7.1, R2544-24)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulated_dut import SimulatedMeasure, capacity, sent
from xlatperf.procedures.throughput import ThroughputSearch, throughput
from xlatperf.procedures.trial import MeasurementFailed, TrialRequest
from xlatperf.search.bisection import StopWidth

TRIAL = TrialRequest(84, "ipv6", 1.0, 60.0)
SEARCH = ThroughputSearch(TRIAL, 100.0, 1_000_000.0, StopWidth(relative=0.01))


@settings(max_examples=50)
@given(st.integers(200, 990_000))
def test_known_capacity(fps: int) -> None:
    result = throughput(SEARCH, SimulatedMeasure(capacity(fps)))
    assert result.lower_fps is not None
    assert result.upper_fps is not None
    assert result.rate_fps == result.lower_fps <= fps < result.upper_fps
    assert result.upper_fps - result.lower_fps <= max(1, 0.01 * result.upper_fps)
    assert result.limited_by == "dut"
    assert result.loss_percent_above is not None
    assert all(percent > 0 for percent in result.loss_percent_above.values())


def test_a_dut_as_fast_as_the_medium_takes_one_trial() -> None:
    """R2544-20: the highest rate is tried first."""
    measure = SimulatedMeasure(capacity(1e9))
    result = throughput(SEARCH, measure)
    assert (result.rate_fps, result.limited_by, len(measure.requests)) == (1_000_000, "maximum", 1)


def test_nothing_passes() -> None:
    """A DUT that forwards nothing is told after two trials, not after twenty."""
    measure = SimulatedMeasure(capacity(0))
    result = throughput(SEARCH, measure)
    assert (result.rate_fps, result.lower_fps, result.limited_by) == (0, None, "minimum")
    assert len(measure.requests) == 2


def test_each_direction_must_pass() -> None:
    """R8219-5.3-1: an asymmetric DUT is limited by its slower direction."""

    def received(request: TrialRequest, direction: str) -> int:
        return min(sent(request), 6_000_000 if direction == "reverse" else sent(request))

    result = throughput(SEARCH, SimulatedMeasure(received))
    assert 99_000 <= result.rate_fps <= 100_000
    assert result.loss_percent_above is not None
    assert result.loss_percent_above["forward"] == 0 < result.loss_percent_above["reverse"]


def test_an_invalid_trial_is_repeated() -> None:
    measure = SimulatedMeasure(capacity(1e9), lambda _, number: ("schedule",) if number < 2 else ())
    result = throughput(SEARCH, measure)
    assert (result.rate_fps, result.limited_by, result.trials) == (1_000_000, "maximum", (0, 1, 2))


@pytest.mark.parametrize("reason", ["sent_less", "schedule", "transmit_errors", "receive_drops"])
def test_the_testers_limit_is_never_the_duts_loss(reason: str) -> None:
    """An invalid trial is an upper bound that the Tester sets."""
    measure = SimulatedMeasure(capacity(1e9), lambda request, _: (reason,) if request.rate_fps > 300_000 else ())
    result = throughput(SEARCH, measure)
    assert 297_000 <= result.rate_fps <= 300_000
    assert result.limited_by == "tester"
    assert result.loss_percent_above is None


def test_never_above_the_self_tests_limit() -> None:
    measure = SimulatedMeasure(capacity(1e9))
    result = throughput(replace(SEARCH, tester_limit_fps=250_000.0), measure)
    assert max(request.rate_fps for request in measure.requests) == 250_000
    assert result.limited_by == "tester"


def test_other_invalid_trials_fail_the_measurement() -> None:
    measure = SimulatedMeasure(capacity(1e9), lambda _, __: ("clock",))
    with pytest.raises(MeasurementFailed, match="clock"):
        throughput(SEARCH, measure)
    assert len(measure.requests) == 3


def test_the_result_is_determined_with_full_length() -> None:
    """R2544-24: a buffer of 40,000 frames hides the overload in short trials only."""

    def received(request: TrialRequest, _: str) -> int:
        return min(sent(request), round(100_000 * request.duration_s) + 40_000)

    measure = SimulatedMeasure(received)
    result = throughput(replace(SEARCH, search_duration_s=2.0), measure)
    assert 99_000 <= result.rate_fps <= 100_667
    assert result.duration_s == 60
    assert measure.requests[0].duration_s == 2
    final = measure.requests[result.trials.index(result.final_trial or 0)]
    assert (final.duration_s, final.purpose) == (60, "confirm")


def test_a_confirmed_short_search_takes_one_long_trial() -> None:
    measure = SimulatedMeasure(capacity(123_456))
    result = throughput(replace(SEARCH, search_duration_s=2.0), measure)
    assert [request.duration_s for request in measure.requests].count(60.0) == 1
    assert 122_000 <= result.rate_fps <= 123_456
    assert result.limited_by == "dut"


def test_loss_tolerance() -> None:
    measure = SimulatedMeasure(capacity(100_000))
    result = throughput(replace(SEARCH, tolerance={"forward": 0.5, "reverse": 0.5}), measure)
    assert 198_000 <= result.rate_fps <= 200_000


def test_inversions_are_counted() -> None:
    """A DUT that loses at 500,000 but not above has a loss inversion."""

    def received(request: TrialRequest, _: str) -> int:
        lossy = request.rate_fps > 900_000 or 400_000 < request.rate_fps < 510_000
        return sent(request) - (1 if lossy else 0)

    result = throughput(replace(SEARCH, search_duration_s=None), SimulatedMeasure(received))
    assert result.limited_by == "dut"
    assert result.inversions == 0  # bisection never looks above a failure: it cannot see this one
