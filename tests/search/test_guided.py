"""The guided search on numbers only (RFC 2544 §26.1): a bisection's result, sooner where a failure tells the rate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.search.test_bisection import ends_at_a_pass_next_to_a_failure
from xlatperf.search.bisection import Bounds, Progress, StopWidth, bisect, ignore
from xlatperf.search.guided import guided

TOP = 14_880_952.0
THOUSANDTH = StopWidth(relative=0.001)


class Dut:
    """`through`: what comes through of a rate; the rate passes if all does."""

    def __init__(self, through: Callable[[float], float | None]) -> None:
        self.through = through
        self.tried: list[float] = []

    def passes(self, rate: float) -> bool:
        self.tried.append(rate)
        came = self.through(rate)
        return came is not None and came >= rate

    def search(
        self,
        minimum: float,
        maximum: float,
        stop: StopWidth,
        *,
        minimum_first: bool = False,
        progress: Callable[[Progress], None] = ignore,
    ) -> Bounds:
        narrow = partial(guided, forwarded=self.through)
        return bisect(
            self.passes,
            minimum,
            maximum,
            stop,
            minimum_first=lambda: minimum_first,
            progress=progress,
            narrow=narrow,
        )


def binary(dut: Dut, stop: StopWidth, top: float = TOP) -> int:
    before = len(dut.tried)
    bisect(dut.passes, 100, top, stop)
    return len(dut.tried) - before


def found(bounds: Bounds, capacity: float, stop: StopWidth) -> None:
    assert bounds.lower is not None
    assert bounds.upper is not None
    assert bounds.lower <= capacity < bounds.upper
    assert stop.reached(bounds.lower, bounds.upper)


@pytest.mark.parametrize("capacity", [101, 1_000, 3_300_000, 3_300_001.5, 14_000_000])
@pytest.mark.parametrize("stop", [THOUSANDTH, StopWidth(relative=0.01), StopWidth(absolute=1000)])
def test_what_came_through_is_the_rate(capacity: float, stop: StopWidth) -> None:
    """A few trials, however far the highest rate is from it."""
    dut = Dut(lambda rate: min(rate, capacity))
    found(dut.search(100, TOP, stop), capacity, stop)
    assert len(dut.tried) <= 4


def test_three_trials_where_half_of_it_comes_through() -> None:
    dut = Dut(lambda rate: min(rate, 7_500_000))
    found(dut.search(100, TOP, THOUSANDTH), 7_500_000, THOUSANDTH)
    assert len(dut.tried) == 3


def test_a_collapse_takes_as_many_as_a_bisection() -> None:
    """A translator that shares a core with what overloads it: 35,000 frames per second, 11,000 of 166,000."""
    dut = Dut(lambda rate: rate if rate <= 35_000 else 35_000 * exp((35_000 - rate) / 70_000))
    stop = StopWidth(relative=0.01)
    found(dut.search(100, 166_139, stop), 35_000, stop)
    took = len(dut.tried)
    assert took <= binary(dut, stop, 166_139) + 1


OVERLOADS: dict[str, Callable[[float, float], float | None]] = {
    "does less the more it gets": lambda rate, capacity: max(capacity / 2, capacity - 0.3 * (rate - capacity)),
    "does less once it loses": lambda rate, capacity: 0.8 * capacity,
    "loses a little long before it does no more": lambda rate, capacity: min(rate * (1 - 1e-6), 1.1 * capacity),
    "loses the same share of any rate above": lambda rate, capacity: rate * (1 - 1e-6),
    "nothing comes through": lambda rate, capacity: 0.0,
    "it isn't known": lambda rate, capacity: None,
    "says more than was offered": lambda rate, capacity: rate * (1 - 1e-12),
}


@pytest.mark.parametrize("overload", OVERLOADS)
@given(st.integers(50, 15_000_000), st.sampled_from([THOUSANDTH, StopWidth(absolute=333), StopWidth(relative=0.3)]))
def test_any_overload_ends_where_a_bisection_ends(overload: str, capacity: int, stop: StopWidth) -> None:
    """At a pass and a failure closer than the stop width, with at most half as many trials more."""
    dut = Dut(lambda rate: rate if rate <= capacity else OVERLOADS[overload](rate, capacity))
    bounds = dut.search(100, TOP, stop)
    if capacity >= TOP:
        assert bounds == Bounds(TOP, None)
    elif capacity < 100:
        assert bounds == Bounds(None, 100)
    else:
        found(bounds, capacity, stop)
    took = len(dut.tried)
    assert took <= 1.5 * binary(dut, stop) + 4


@given(st.sets(st.integers(100, 2000)), st.data())
def test_non_monotone_ends_at_a_pass_next_to_a_failure(passing: set[int], data: st.DataObject) -> None:
    """Whatever the verdicts are and the guesses."""
    verdicts: dict[float, bool] = {}
    guesses = st.one_of(st.none(), st.floats(0, 2500))

    def passes(rate: float) -> bool:
        assert rate not in verdicts
        return verdicts.setdefault(rate, rate in passing)

    narrow = partial(guided, forwarded=lambda _: data.draw(guesses))
    bounds = bisect(passes, 100, 2000, StopWidth(absolute=10), narrow=narrow)
    ends_at_a_pass_next_to_a_failure(bounds, verdicts, 10)


def test_led_as_soon_as_something_is_known() -> None:
    """Far above, the Tester is too slow to say anything; below, the DUT does."""
    dut = Dut(lambda rate: None if rate > 7_000_000 else min(rate, 5_000_000))
    found(dut.search(100, TOP, THOUSANDTH), 5_000_000, THOUSANDTH)
    assert len(dut.tried) == 4 + 2  # the top and 7.4 fail, 3.7 passes, 5.6 fails and leads; then the pair


def test_a_minimum_that_passed_is_not_tried_again() -> None:
    dut = Dut(lambda rate: rate if rate == 100 else 0.0)
    found(dut.search(100, 1000, StopWidth(absolute=10), minimum_first=True), 100, StopWidth(absolute=10))
    assert dut.tried.count(100) == 1


def test_steps_left_are_few_when_led() -> None:
    seen: list[Progress] = []
    Dut(lambda rate: min(rate, 3_300_000)).search(100, TOP, THOUSANDTH, progress=seen.append)
    assert [step.steps_left for step in seen][2:] == [2, 1]
