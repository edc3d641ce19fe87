"""Bisection on numbers only (RFC 2544 §26.1; R2544-26.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlatperf.search.bisection import Bounds, Progress, StopWidth, bisect


@given(st.integers(100, 10_000_000), st.integers(1, 10_000), st.integers(0, 12_000_000))
def test_known_capacity_is_found_within_the_stop_width(maximum: int, width: int, capacity: int) -> None:
    minimum = 50.0
    bounds = bisect(lambda rate: rate <= capacity, minimum, float(maximum), StopWidth(absolute=width))
    if capacity >= maximum:
        assert bounds == Bounds(float(maximum), None)
    elif capacity < minimum:
        assert bounds == Bounds(None, minimum)
    else:
        assert bounds.lower is not None
        assert bounds.upper is not None
        assert bounds.lower <= capacity < bounds.upper
        assert bounds.upper - bounds.lower <= width


@given(st.integers(1000, 10_000_000), st.floats(0.001, 0.2))
def test_relative_width(maximum: int, relative: float) -> None:
    bounds = bisect(lambda rate: rate <= 700, 100.0, float(maximum), StopWidth(relative=relative))
    assert bounds.lower is not None
    assert bounds.upper is not None
    assert bounds.lower <= 700 < bounds.upper
    assert bounds.upper - bounds.lower <= max(1.0, relative * bounds.upper)


def test_maximum_first_and_minimum_only_when_needed() -> None:
    tried: list[float] = []

    def passes(rate: float) -> bool:
        tried.append(rate)
        return rate <= 300

    bisect(passes, 100, 1000, StopWidth(absolute=100))
    assert tried[0] == 1000
    assert 100 not in tried


def test_minimum_second_when_nothing_came() -> None:
    tried: list[float] = []

    def passes(rate: float) -> bool:
        tried.append(rate)
        return False

    assert bisect(passes, 100, 1_000_000, StopWidth(absolute=1), minimum_first=lambda: True) == Bounds(None, 100)
    assert tried == [1_000_000, 100]


def ends_at_a_pass_next_to_a_failure(bounds: Bounds, verdicts: dict[float, bool], width: float) -> None:
    if bounds.lower is not None:
        assert verdicts[bounds.lower]
    if bounds.upper is not None:
        assert not verdicts[bounds.upper]
    if bounds.width is not None:
        assert 0 < bounds.width <= width


@given(st.sets(st.integers(100, 2000)))
def test_non_monotone_ends_at_a_pass_next_to_a_failure(passing: set[int]) -> None:
    tried: dict[float, bool] = {}

    def passes(rate: float) -> bool:
        return tried.setdefault(rate, rate in passing)

    bounds = bisect(passes, 100, 2000, StopWidth(absolute=10))
    ends_at_a_pass_next_to_a_failure(bounds, tried, 10)


def test_steps_left_go_down() -> None:
    seen: list[Progress] = []
    bisect(lambda rate: rate <= 333, 1, 100_000, StopWidth(absolute=10), progress=seen.append)
    left = [step.steps_left for step in seen]
    assert left == sorted(left, reverse=True)
    assert len(seen) <= left[0] + 1


def test_a_search_needs_a_stop_width() -> None:
    with pytest.raises(ValueError, match="stop width"):
        StopWidth()
