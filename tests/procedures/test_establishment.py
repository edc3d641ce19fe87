"""Connection establishment rate on simulated DUTs, with and without validation (R9693-4.5, R9693-4.6-1)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.long import by_length, more
from tests.procedures.searches import Establishing
from tests.procedures.stateful_dut import StatefulDut
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.establishment import (
    ERROR,
    RATE,
    VALIDATED_RATE,
    Establishment,
)
from xlatperf.procedures.loss_tolerance import LossTolerance
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.procedures.trial_request import TrialRequest

TRIAL = TrialRequest(84, "ipv6", 1.0, 60.0)
SEARCH = Establishing(
    Conditions(TRIAL, 100_000.0, connections=500), {"stop_width_fps": 500, "stop_width_percent": None}
)
VALIDATED = SEARCH.but(alpha=0.8)


@more
@settings(max_examples=by_length(30, 1000))
@given(st.integers(600, 99_000))
def test_known_rate(fps: int) -> None:
    """R9693-4.5: the fastest rate with received == sent, and the search's error."""
    dut = StatefulDut(establish_fps=fps)
    found = SEARCH.but(connections=2000).found(dut)
    assert found.lower_fps is not None
    assert found.upper_fps is not None
    assert found.lower_fps <= fps < found.upper_fps * 1.001  # a rate that loses less than one frame of 2000 passes
    assert found.error_fps is not None
    assert found.error_fps <= 500
    assert found.limited_by == "dut"
    assert found.above is not None
    assert found.above.verdict == "phase_1"
    assert len(dut.requests) <= 10


def test_an_elementary_test_is_one_experiment() -> None:
    """R9693-4.4-2: each with an empty table; R9693-4.2-3: nothing goes back in phase 1; all N are new every time."""
    dut = StatefulDut()
    found = SEARCH.found(dut)
    assert found.trials == tuple(range(len(dut.requests)))
    for request in dut.requests:
        assert request.connections is not None
        assert (request.connections.count, request.connections.phase) == (500, "establish")
        assert request.directions == ("forward",)
        assert request.duration_s == pytest.approx(500 / request.rate_fps)


def test_the_validation_is_part_of_the_same_experiment() -> None:
    """R9693-4.6-1: all N connections, each once, at alpha times the rate of phase 1, for N / r seconds."""
    dut = StatefulDut()
    VALIDATED.found(dut)
    for request in dut.requests:
        assert request.connections is not None
        assert (request.connections.count, request.connections.phase) == (500, "each_once")
        assert request.connections.establish_fps is not None
        assert request.rate_fps == pytest.approx(0.8 * request.connections.establish_fps)
        assert request.directions == ("reverse",)
        assert request.duration_s == pytest.approx(500 / request.rate_fps)


@more
@settings(max_examples=by_length(20, 1000))
@given(st.integers(2_000, 90_000), st.floats(0.2, 1.0))
def test_alpha_low_changes_nothing(fps: int, alpha: float) -> None:
    """draft Fig. 11: with alpha times the rate below the forwarding rate, validated and unvalidated are equal."""
    dut = StatefulDut(establish_fps=fps, forward_fps=200_000)
    unvalidated = SEARCH.found(dut)
    validated = SEARCH.but(alpha=alpha).found(dut)
    assert validated.rate_fps == unvalidated.rate_fps
    assert validated.above is not None
    assert validated.above.verdict == "phase_1"


@more
@settings(max_examples=by_length(20, 1000))
@given(st.integers(4_000, 30_000), st.floats(1.2, 4.0))
def test_alpha_high_lowers_the_rate(forward: int, alpha: float) -> None:
    """draft Fig. 11: alpha times the rate can't be above the forwarding rate; the validation is what fails."""
    dut = StatefulDut(establish_fps=200_000, forward_fps=forward)
    unvalidated = SEARCH.found(dut)
    validated = SEARCH.but(alpha=alpha).found(dut)
    assert validated.rate_fps <= forward / alpha * 1.01 < unvalidated.rate_fps * 1.05
    assert validated.rate_fps >= forward / alpha * 0.99 - 501
    assert validated.above is not None
    assert validated.above.verdict == "validation"
    assert any("the validation was not" in remark for remark in validated.remarks())


def test_only_the_validation_sees_a_table_that_deletes_old_entries() -> None:
    dut = StatefulDut(size=400, policy="oldest")
    unvalidated = SEARCH.found(dut)
    assert unvalidated.rate_fps > 49_000
    assert any("500 connections the DUT counted 400 entries: it deleted some" in one for one in unvalidated.remarks())
    with pytest.raises(MeasurementFailed, match=r"of 500 connections 400 worked at each of 4 rates, 25,075 down to"):
        VALIDATED.found(dut)


def test_limited_by_the_tester() -> None:
    found = SEARCH.found(StatefulDut(tester_fps=30_000, establish_fps=1e6, forward_fps=1e6))
    assert found.limited_by == "tester"
    assert 29_500 <= found.rate_fps <= 30_000
    limited = SEARCH.but(tester_limit_fps=20_000.0)
    found = limited.found(StatefulDut(tester_fps=22_000, establish_fps=1e6, forward_fps=1e6))
    assert (found.rate_fps, found.limited_by) == (20_000, "tester")
    found = limited.but(alpha=2.0).found(StatefulDut(tester_fps=22_000, establish_fps=1e6, forward_fps=1e6))
    assert (found.rate_fps, found.limited_by) == (10_000, "tester")
    found = limited.found(StatefulDut(establish_fps=50_000, forward_fps=1e6))
    assert found.limited_by == "dut", "the self-test's limit passed, so it was none"
    assert 49_000 <= found.rate_fps <= 50_000


def test_limited_by_maximum_and_minimum() -> None:
    dut = StatefulDut(establish_fps=1e9, forward_fps=1e9)
    found = VALIDATED.found(dut)
    assert (found.rate_fps, found.limited_by, len(dut.requests)) == (100_000, "maximum", 1)
    dut = StatefulDut(establish_fps=0)
    found = VALIDATED.found(dut)
    assert (found.rate_fps, found.limited_by, len(dut.requests)) == (0, "minimum", 2)
    (value, _) = found.measured().values
    assert (value.quantity, value.value) == (VALIDATED_RATE, None)
    assert "not even the lowest rate" in (value.remark or "")


def test_phase_1_is_never_shorter_than_the_engine_can() -> None:
    dut = StatefulDut(establish_fps=1e9, forward_fps=1e9)
    assert SEARCH.but(connections=50).found(dut).rate_fps == 50_000


def test_a_short_phase_1_is_remarked() -> None:
    assert any("buffers" in remark for remark in SEARCH.found(StatefulDut()).remarks())
    long = SEARCH.but(connections=4000)
    assert not any("buffers" in remark for remark in long.found(StatefulDut(establish_fps=3000)).remarks())


@pytest.mark.parametrize("timeout_s", [4.0, 6.0, 10.0])
def test_a_dut_that_forgets_is_said_at_once(timeout_s: float) -> None:
    """R9693-4.4-1: never reported as loss, and no lower rates are tried, which would take ever longer."""
    search = VALIDATED.but(connections=20_000, maximum_fps=20_000.0)
    dut = StatefulDut(establish_fps=2_600.0, timeout_s=timeout_s)
    with pytest.raises(MeasurementFailed, match=r"the DUT forgets connections within .* set its UDP timeout longer"):
        search.found(dut)
    assert len(dut.requests) <= 8


def test_a_timeout_that_is_long_enough_takes_few_more_trials() -> None:
    search = VALIDATED.but(alpha=4.0)
    dut = StatefulDut(establish_fps=200_000, forward_fps=20_000, timeout_s=6.0)
    found = search.found(dut)
    assert 4_400 <= found.rate_fps <= 5_050
    assert sum(request.purpose == "timeout" for request in dut.requests) <= 4


def test_a_collapse_is_said() -> None:
    with pytest.raises(MeasurementFailed, match="the DUT collapsed with 500 connections at 100,000 connections/s"):
        SEARCH.found(StatefulDut(collapse_above=400))


def test_as_quantities() -> None:
    found = SEARCH.found(StatefulDut()).measured()
    assert [(value.quantity, value.direction) for value in found.values] == [(RATE, None), (ERROR, None)]
    assert found.final_trial in found.trials


def test_invalid_trials_are_repeated() -> None:
    found = SEARCH.found(StatefulDut(invalid={0: "schedule", 1: "schedule"}, establish_fps=1e9, forward_fps=1e9))
    assert (found.rate_fps, found.trials) == (100_000, (0, 1, 2))
    with pytest.raises(MeasurementFailed, match="clock"):
        SEARCH.found(StatefulDut(invalid=dict.fromkeys(range(9), "clock")))


def test_a_loss_tolerance() -> None:
    """The IPv4aaS paper accepts 99.99 %: what is lost below the rate then doesn't fail, and the result says it."""
    search = SEARCH.but(connections=20_000)
    lossy = StatefulDut(establish_fps=30_000, loses=5e-4)
    assert search.found(lossy).lower_fps is None
    tolerant = search.but(loss_tolerance={"forward": 1e-3})
    validated = tolerant.but(alpha=0.5, loss_tolerance={"forward": 1e-3, "reverse": 1e-3})
    for one in (tolerant, validated):
        found = one.found(lossy)
        assert 29_500 <= found.rate_fps <= 30_000
        assert found.limited_by == "dut"
        assert found.at_result is not None
        assert 0 < (found.at_result.phase_1_lost or 0) <= 20
    assert tolerant.but(alpha=0.5).found(lossy).lower_fps is None
    wanted = Establishment(procedure="establishment", loss_tolerance=LossTolerance(forward=1e-4))
    assert wanted.tolerance == {"forward": 1e-4}
    assert "with a loss tolerance" in wanted.standards
    assert any("may be lost; this is not the rate of RFC 9693" in one.here for one in wanted.deviations())
    with pytest.raises(ValueError, match=r"loss_tolerance\.reverse: 0\.1 is not allowed: nothing without alpha"):
        Establishment(procedure="establishment", loss_tolerance=LossTolerance(reverse=0.1))
