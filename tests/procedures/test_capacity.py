"""Capacity of the connection tracking table on simulated DUTs (R9693-4.9)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.long import by_length, more
from tests.procedures.searches import Filling
from tests.procedures.stateful_dut import Policy, StatefulDut
from xlatperf.procedures.capacity_result import CAPACITY, CapacityResult
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.procedures.trial_request import TrialRequest

KEYS = {
    "safe_connections": 50,
    "maximum_connections": 20_000,
    "stop_width_percent": 5,
    "tolerated_error": 5,
    "minimum_phase_1_s": 0.001,
}
SEARCH = Filling(Conditions(TrialRequest(84, "ipv6", 1.0, 60.0), 50_000.0), KEYS)


def check(found: CapacityResult, size: int, error: int = 5) -> None:
    assert found.capacity is not None
    assert found.unsafe is not None
    assert size - error <= found.capacity <= size < found.unsafe
    assert found.unsafe - found.capacity <= error


@more
@settings(max_examples=by_length(25, 1000))
@given(st.integers(50, 3000), st.sampled_from(["refuse", "oldest"]), st.integers(1, 20))
def test_found_within_e(size: int, policy: Policy, error: int) -> None:
    """Policies 1 and 2 of §4.9: new ones are refused, or the oldest is deleted, which only the validation sees."""
    dut = StatefulDut(size=size, policy=policy)
    found = SEARCH.but(tolerated_error=error).found(dut)
    check(found, size, error)
    assert found.above is not None
    assert found.above.verdict == ("phase_1" if policy == "refuse" else "validation")


@more
@settings(max_examples=by_length(15, 1000))
@given(st.integers(200, 3000), st.integers(2, 100))
def test_the_k_oldest_at_once(size: int, k: int) -> None:
    """Policy 3: S connections still fit; with one more, S - K + 1 are left."""
    dut = StatefulDut(size=size, policy="collect", k=k)
    found = SEARCH.but(tolerated_error=1).found(dut)
    check(found, size, 1)
    assert found.above is not None
    assert (found.above.connections, found.above.validation_lost) == (size + 1, k)
    assert found.above.held == size - k + 1


@more
@settings(max_examples=by_length(15, 1000))
@given(st.integers(100, 2000), st.floats(1_000, 60_000), st.floats(2_000, 60_000), st.floats(0.3, 1.0))
def test_neither_rate_is_mistaken_for_the_table(size: int, establish: float, forward: float, alpha: float) -> None:
    """Case (c) of §4.9: a rate that is too high fails too; the search of the rate tells them apart."""
    dut = StatefulDut(establish_fps=establish, forward_fps=forward, size=size, policy="oldest")
    check(SEARCH.but(alpha=alpha).found(dut), size)


def test_a_rate_that_falls_with_the_number_is_followed() -> None:
    """beta and gamma: only a breakdown counts, not a slow decline."""
    slower = {count: 50_000 * 0.8**index for index, count in enumerate((200, 400, 800, 1600, 1900))}
    dut = StatefulDut(size=2000, slower_with=slower)
    found = SEARCH.found(dut)
    check(found, 2000)
    assert found.safe_fps < 0.5 * found.initial_fps
    assert all(len(step.tests) <= 6 for step in found.steps)


def test_a_breakdown_of_the_rate_counts_as_the_capacity() -> None:
    """R9693-4.9: RT < RS * beta is what the DUT can't be used with, whatever the table holds."""
    dut = StatefulDut(size=5000, slower_with={1000: 2_000.0})
    check(SEARCH.found(dut), 999)


def test_the_early_stop() -> None:
    """R9693-4.9-1: no test below RS * beta, RS * gamma."""
    dut = StatefulDut(size=1000, policy="oldest")
    found = SEARCH.found(dut)
    safe_fps = found.initial_fps
    for step in found.steps[1:]:
        share = 0.1 if step.stage == "exponential" else 0.5
        assert min(test.rate_fps for test in step.tests) >= share * safe_fps
        assert all(test.rate_fps <= safe_fps for test in step.tests)
        safe_fps = step.rate_fps or safe_fps


def test_no_experiment_is_wasted() -> None:
    """A number that fails takes two or three experiments, one that passes mostly one or two."""
    dut = StatefulDut(size=1000, policy="oldest")
    found = SEARCH.found(dut)
    assert len(found.steps) <= 1 + 5 + 8
    assert all(len(step.tests) <= (1 if step.passed else 4) for step in found.steps[1:])
    assert len(dut.requests) <= 35
    assert sum(request.purpose == "timeout" for request in dut.requests) <= 1


def test_the_path_is_in_the_result() -> None:
    found = SEARCH.but(safe_connections=100).found(StatefulDut(size=300, policy="oldest", establish_fps=1e6))
    assert [(step.stage, step.connections, step.passed, step.last.verdict) for step in found.steps[:5]] == [
        ("initial", 100, True, "passed"),
        ("exponential", 200, True, "passed"),
        ("exponential", 400, False, "validation"),
        ("final", 300, True, "passed"),
        ("final", 350, False, "validation"),
    ]
    assert [step.rate_fps for step in found.steps[:3]] == [50_000, 50_000, None]
    assert found.steps[2].floor_fps == 5_000
    assert found.trials == tuple(range(len(found.trials)))


@pytest.mark.parametrize("recovers", [True, False])
def test_a_collapse_is_an_outcome(recovers: bool) -> None:
    """R9693-4.9-2: the DUT collapses instead of refusing; what it held before is the capacity."""
    dut = StatefulDut(collapse_above=700, recovers=recovers)
    if not recovers:
        with pytest.raises(MeasurementFailed, match="did not recover"):
            SEARCH.found(dut)
        assert len(dut.requests) < 25
        return
    found = SEARCH.found(dut)
    check(found, 700)
    assert found.above is not None
    assert found.above.verdict == "collapsed"
    assert found.steps[-1].stage == "recovery" or found.steps[-1].passed
    for step in found.steps:
        assert step.collapsed is None or len(step.tests) == 1  # no other rate is tried


def test_a_collapse_at_the_end_is_followed_by_a_check() -> None:
    found = SEARCH.found(StatefulDut(collapse_above=51))
    assert found.capacity is not None
    assert 50 <= found.capacity <= 51
    assert found.steps[-1].stage == "recovery"
    assert found.safe_fps > (found.steps[-1].rate_fps or 0), "RS is what passed, not the low rate of that check"
    assert found.safe_fps == found.initial_fps


def test_not_found_up_to_what_the_flow_space_has() -> None:
    found = SEARCH.but(maximum_connections=1234).found(StatefulDut(establish_fps=1e6))
    assert (found.capacity, found.safe, found.unsafe) == (None, 1234, None)
    measured = found.measured()
    assert measured.no_result is not None
    assert "not found: up to 1,234 connections" in measured.no_result.in_words()
    assert (measured.values[0].quantity, measured.values[0].value) == (CAPACITY, None)


def test_as_large_as_the_flow_space() -> None:
    check(SEARCH.but(maximum_connections=1234).found(StatefulDut(size=1230)), 1230)


@pytest.mark.parametrize("size", [2_000, 6_553, 3_000])
def test_as_a_full_kernel_table(size: int) -> None:
    """It deletes old entries early rather than refuse new ones: few frames of phase 1 are lost, or none."""
    found = SEARCH.found(StatefulDut(size=size, policy="some"))
    check(found, size)


def test_too_many_to_begin_with() -> None:
    with pytest.raises(
        MeasurementFailed, match=r"initial 50 connections are not safe.*the validation was not: 10 of 50"
    ):
        SEARCH.found(StatefulDut(size=40, policy="oldest"))
    with pytest.raises(MeasurementFailed, match="collapsed with the initial 50 connections"):
        SEARCH.found(StatefulDut(collapse_above=40))


def test_a_loss_at_random_is_tolerated_or_named() -> None:
    """R9693-4.9: that the first connections are too many may be no reason for it."""
    search, dut = SEARCH.but(safe_connections=5000, maximum_connections=10_000), StatefulDut(loses=0.002)
    with pytest.raises(MeasurementFailed, match=r"begin with fewer, or, .* allow 0\.00\d+ with loss_tolerance"):
        search.found(dut)
    assert search.but(loss_tolerance={"forward": 0.01, "reverse": 0.01}).found(dut).safe == 10_000
    smaller = replace(dut, size=7000)
    found = search.but(loss_tolerance={"forward": 0.01, "reverse": 0.01}).found(smaller).capacity
    assert found is not None
    assert 6950 < found < 7000 * 1.01 + 5, "what may be lost may not fit either"


def test_a_stray_loss_is_not_the_tables_size() -> None:
    """One frame lost in one experiment says nothing of the table: the last test is repeated."""
    quiet = StatefulDut(size=1000, policy="oldest")
    expected = SEARCH.found(quiet)
    for stray in range(len(quiet.requests)):
        dut = StatefulDut(size=1000, policy="oldest", strays=frozenset({stray, stray + 1}))
        check(SEARCH.found(dut), 1000)
    assert expected.capacity is not None


def test_a_dut_that_forgets_is_not_a_full_table() -> None:
    dut = StatefulDut(establish_fps=1_000, timeout_s=4.0)
    with pytest.raises(MeasurementFailed, match="the DUT forgets connections within"):
        SEARCH.found(dut)
    assert dut.busy_s < 150, "no search through all sizes, each of which takes longer"


def test_a_full_table_of_a_dut_that_remembers_long_enough() -> None:
    check(SEARCH.found(StatefulDut(establish_fps=1_000, timeout_s=60.0, size=800, policy="oldest")), 800)


def test_the_tester_is_not_the_dut() -> None:
    dut = StatefulDut(size=3000)
    dut.invalid = dict.fromkeys(range(5, 200), "schedule")
    with pytest.raises(MeasurementFailed, match=r"the Tester could not do .* although it did before"):
        SEARCH.found(dut)


def test_entries_that_are_not_the_testers_are_remarked() -> None:
    """They are why a table of S entries holds fewer than S connections."""
    said = "entries that are not the Tester's"
    assert not any(said in remark for remark in SEARCH.found(StatefulDut(size=1000)).remarks())
    found = SEARCH.but(tolerated_error=1).found(StatefulDut(size=1000, own=7, policy="oldest"))
    check(found, 993, 1)
    assert any(f"still held up to 7 {said}" in remark for remark in found.remarks())
