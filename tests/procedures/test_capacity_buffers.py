"""Buffers take a short phase 1 whatever the DUT's rate is; the capacity doesn't depend on them (R9693-4.9)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.long import by_length, more
from tests.procedures.buffering_dut import BufferingDut
from tests.procedures.searches import Filling
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.trial_request import TrialRequest

SIZE = 4_194_304
SEARCH = Filling(Conditions(TrialRequest(84, "ipv6", 1.0, 2.0), 14_880_952.0), {"maximum_connections": 10_000_000})
"""As a bench file has it by default."""


@pytest.mark.parametrize("establish_fps", [85_000.0, 230_000.0, 2_400_000.0])
@pytest.mark.parametrize("buffer", [0, 1_000, 16_384, 100_000])
def test_found_within_e(establish_fps: float, buffer: int) -> None:
    """With phases of some milliseconds it was 16,250 connections, for 85,000 connections/s and 16,384 frames."""
    dut = BufferingDut(establish_fps, buffer, SIZE)
    found = SEARCH.found(dut)
    assert found.capacity is not None
    assert found.unsafe is not None
    assert SIZE - 1000 <= found.capacity <= SIZE < found.unsafe
    assert found.initial_fps <= establish_fps + buffer, "R0 is of a phase that lasted at least a second"
    assert found.safe_fps == pytest.approx(establish_fps, rel=0.05)
    assert len(dut.requests) < 80


@more
@settings(max_examples=by_length(60, 2000))
@given(
    st.floats(2_000, 3_000_000), st.integers(0, 200_000), st.integers(10_000, 6_000_000), st.sampled_from([0.5, 1, 2])
)
def test_phase_1_is_never_too_short(establish_fps: float, buffer: int, size: int, shortest_s: float) -> None:
    """Also where the table is full before phase 1 can take so long at the DUT's rate."""
    dut = BufferingDut(establish_fps, min(buffer, int(establish_fps)), size)
    found = SEARCH.but(minimum_phase_1_s=shortest_s).found(dut)
    assert found.capacity is not None
    assert size - 1000 <= found.capacity <= size
    for step in found.steps:
        for test in step.tests:
            assert test.connections / test.rate_fps >= shortest_s
    limited = found.initial_fps == found.initial / shortest_s and found.unsafe == 2 * found.initial
    assert limited <= (found.shortest_s is not None)


def test_a_small_tables_rate_is_not_the_duts() -> None:
    """R0 from C0: the table is full long before a phase 1 of a second shows the DUT's rate; the result says so."""
    found = SEARCH.found(BufferingDut(230_000.0, 1_000, 65_000))
    assert found.capacity is not None
    assert 64_000 <= found.capacity <= 65_000
    assert (found.initial, found.initial_fps, found.shortest_s) == (40_000, 40_000, 1.0)
    assert any("phase 1 lasts at least 1 s" in line for line in found.remarks())


def test_c0_follows_from_r0() -> None:
    found = SEARCH.found(BufferingDut(230_000.0, 0, SIZE))
    assert found.initial == 320_000
    assert found.initial_fps == pytest.approx(230_000, rel=0.01)
    assert found.shortest_s is None
    stages = [step.stage for step in found.steps]
    assert stages[:7] == ["initial"] * 6 + ["exponential"]
    assert found.steps[6].connections == 2 * found.initial


def test_the_highest_rate_of_the_search_ends_the_growth() -> None:
    found = SEARCH.but(maximum_fps=50_000.0).found(BufferingDut(2_400_000.0, 0, SIZE))
    assert (found.initial, found.initial_fps, found.shortest_s) == (80_000, 50_000, None)


def test_a_short_phase_is_said() -> None:
    found = SEARCH.but(minimum_phase_1_s=0.001).found(BufferingDut(85_000.0, 16_384, SIZE))
    assert found.safe < 20_000, "what the shortest duration protects from"
    assert any("phase 1 took" in line and "buffers" in line for line in found.remarks())
