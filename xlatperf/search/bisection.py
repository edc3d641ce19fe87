"""Bisection between a rate that fails and one that passes. It knows numbers and verdicts, nothing of frames.

The search assumes what RFC 2544 §26.1 assumes, that loss grows with the rate. Where that does not hold it still ends,
at a pair (pass, fail) closer than the stop width; how often it did not hold is counted by the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, log2
from typing import Protocol


@dataclass(frozen=True)
class StopWidth:
    """When the bounds are close enough: absolute in the unit of the values, or relative to the upper one, or both.

    With both, the first that is reached ends the search. ValueError without any.
    """

    absolute: float | None = None
    relative: float | None = None

    @classmethod
    def of(cls, absolute: float | None, percent: float | None) -> StopWidth:
        """As a bench file says it."""
        return cls(absolute, percent / 100 if percent is not None else None)

    def __post_init__(self) -> None:
        if self.absolute is None and self.relative is None:
            raise ValueError("a search needs an absolute or a relative stop width")

    def at(self, upper: float) -> float:
        """The distance to an upper bound that is small enough, at least 1: closer values can't be halved."""
        return max(1.0, self.absolute or 0.0, (self.relative or 0.0) * upper)

    def reached(self, lower: float, upper: float) -> bool:
        """Whether the search may stop."""
        return upper - lower <= self.at(upper)

    def below(self, upper: float) -> float:
        """The lowest value that is close enough to `upper`, at least 1 less."""
        return float(ceil(upper - self.at(upper)))

    def above(self, lower: float) -> float:
        """A value that `lower` is close enough to, at least 1 more."""
        return float(floor(lower + self.at(lower)))

    def steps(self, lower: float, upper: float) -> int:
        """About how many more trials are needed, at most."""
        return max(0, ceil(log2(max(1.0, (upper - lower) / self.at(max(lower, upper * 0.01))))))


@dataclass(frozen=True)
class Progress:
    """Where a search stands: bounds, the value that is tried next, about how many steps are left."""

    lower: float
    upper: float
    trying: float
    steps_left: int
    unit: str = "fps"


@dataclass(frozen=True)
class Bounds:
    """Result: the highest value that passed (None: not even the lowest) and the lowest that failed (None: none did)."""

    lower: float | None
    upper: float | None

    @property
    def width(self) -> float | None:
        """Distance between the bounds."""
        return None if self.lower is None or self.upper is None else self.upper - self.lower


def ignore(_: Progress) -> None:
    """Progress that nobody wants to see."""


def between(
    passes: Callable[[float], bool],
    lower: float,
    upper: float,
    stop: StopWidth,
    *,
    lower_passed: bool,
    progress: Callable[[Progress], None] = ignore,
) -> Bounds:
    """Halves the distance between `lower` and an `upper` that failed until it is at most the stop width."""
    lowest = lower
    while not stop.reached(lower, upper):
        middle = float(round((lower + upper) / 2))
        if not lower < middle < upper:
            break
        progress(Progress(lower, upper, middle, stop.steps(lower, upper)))
        if passes(middle):
            lower, lower_passed = middle, True
        else:
            upper = middle
    if not lower_passed:
        progress(Progress(lowest, upper, lowest, 1))
        if not passes(lowest):
            return Bounds(None, lowest)
    return Bounds(lower, upper)


class Narrow(Protocol):
    """How the distance between two bounds is made at most the stop width, as `between` does it."""

    def __call__(
        self,
        passes: Callable[[float], bool],
        lower: float,
        upper: float,
        stop: StopWidth,
        *,
        lower_passed: bool,
        progress: Callable[[Progress], None],
    ) -> Bounds:
        """`lower_passed`: it need not be tried."""
        ...


def bisect(
    passes: Callable[[float], bool],
    minimum: float,
    maximum: float,
    stop: StopWidth,
    *,
    minimum_first: Callable[[], bool] = lambda: False,
    progress: Callable[[Progress], None] = ignore,
    narrow: Narrow = between,
) -> Bounds:
    """Highest value between `minimum` and `maximum` (whole numbers are tried) for which `passes`.

    `maximum` is tried first (a DUT may reach it), `minimum` only when nothing above it passed, or right after the
    maximum if `minimum_first()` says so then (the maximum failed so badly that nothing may pass at all). `narrow` does
    the rest.
    """
    progress(Progress(minimum, maximum, maximum, 1 + stop.steps(minimum, maximum)))
    if passes(maximum):
        return Bounds(maximum, None)
    if maximum <= minimum:
        return Bounds(None, maximum)
    tried_minimum = minimum_first()
    if tried_minimum:
        progress(Progress(minimum, maximum, minimum, 1 + stop.steps(minimum, maximum)))
        if not passes(minimum):
            return Bounds(None, minimum)
    return narrow(passes, minimum, maximum, stop, lower_passed=tried_minimum, progress=progress)
