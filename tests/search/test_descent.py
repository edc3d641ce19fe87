"""A descent finds what a bisection finds, in another order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from xlatperf.search.bisection import Bounds, StopWidth
from xlatperf.search.descent import descend


@given(
    st.integers(1, 100_000),
    st.integers(1, 100_000),
    st.integers(0, 120_000),
    st.integers(1, 5_000),
    st.none() | st.floats(0, 2),
)
def test_the_highest_that_passes(low: int, high: int, limit: int, width: int, share: float | None) -> None:
    floor, top = float(min(low, high)), float(max(low, high))
    tried: list[float] = []

    def passes(value: float) -> bool:
        tried.append(value)
        return value <= limit

    bounds = descend(
        passes, floor, top, StopWidth(absolute=width), likely=lambda top: None if share is None else share * top
    )
    assert all(floor <= value <= top for value in tried)
    assert len(tried) == len(set(tried))
    if limit >= top:
        assert bounds == Bounds(top, None)
    elif limit < floor:
        assert bounds == Bounds(None, floor)
        assert len(tried) <= 3
    else:
        assert bounds.lower is not None
        assert bounds.upper is not None
        assert bounds.lower <= limit < bounds.upper
        assert bounds.upper - bounds.lower <= width


def test_a_value_close_below_takes_two_tries() -> None:
    tried: list[float] = []

    def passes(value: float) -> bool:
        tried.append(value)
        return value <= 980

    assert descend(passes, 100, 1000, StopWidth(relative=0.05)) == Bounds(950, 1000)
    assert tried == [1000, 950]


def test_a_failure_that_is_bad_goes_to_the_floor() -> None:
    tried: list[float] = []

    def passes(value: float) -> bool:
        tried.append(value)
        return False

    assert descend(passes, 100, 1000, StopWidth(relative=0.05), likely=lambda top: None) == Bounds(None, 100)
    assert tried == [1000, 100]


def test_a_hint_is_followed() -> None:
    tried: list[float] = []

    def passes(value: float) -> bool:
        tried.append(value)
        return value <= 800

    assert descend(passes, 100, 1000, StopWidth(relative=0.05), likely=lambda top: 790) == Bounds(790, 816)
    assert tried == [1000, 790, 895, 842, 816]
