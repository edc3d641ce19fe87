"""Search that a failure leads: what the DUT still forwarded there is about what it can do without loss.

The result is a bisection's, a pair (pass, fail) closer than the stop width; what differs is where it looks. Where
failures tell the truth, three or four trials are enough: the highest value, its half if that lost more than half, then
half a stop width below what came through, and a stop width above that. Where they don't, growing strides from there
find a pass and a failure, and halving does the rest: about as many trials as a bisection then. A DUT that collapses
under overload passes far more than it forwards there: at each value something else comes through, and only halving is
of use until little is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xlatperf.search.bisection import Bounds, Progress, StopWidth, between, ignore

FALLING, RISING = 4, 16
"""By how much strides grow. Small ones take long to what is far away, large ones have much to halve. Upwards there is
more to go: an overloaded DUT often does less than it could."""
SMALL_LOSS = 0.5
"""What comes through when at most this share is lost leads at once."""
AGREEMENT = 0.05
"""Otherwise two failures in a row must say the same, but for this share."""

Forwarded = Callable[[float], float | None]
"""Of a value that failed: what came through, in the unit of the values; None: that isn't known."""


def guided(
    passes: Callable[[float], bool],
    lower: float,
    upper: float,
    stop: StopWidth,
    *,
    forwarded: Forwarded,
    lower_passed: bool,
    progress: Callable[[Progress], None] = ignore,
) -> Bounds:
    """As `between`: narrows `lower` and an `upper` that failed. `lower` is tried last unless it has passed."""
    search = _Search(passes, stop, forwarded, progress, lower, upper)
    while search.open and not (search.fall() and (search.led or search.stride)):
        pass
    if search.led:
        search.stride = 0.0
        while search.open and search.rise():
            pass
    passed = lower_passed or search.lower > lower
    return between(passes, search.lower, search.upper, stop, lower_passed=passed, progress=progress)


@dataclass
class _Search:
    """Bounds that come closer. `stride`: the last step from a bound, 0 until a value that was led to has failed.

    `led`: the last value below is what came through above it. `before`: what came through at the failure before the
    last.
    """

    passes: Callable[[float], bool]
    stop: StopWidth
    forwarded: Forwarded
    progress: Callable[[Progress], None]
    lower: float
    upper: float
    stride: float = 0.0
    led: bool = False
    before: float | None = None

    @property
    def open(self) -> bool:
        """Whether the bounds are still too far from each other."""
        return not self.stop.reached(self.lower, self.upper)

    @property
    def middle(self) -> float:
        return float(round((self.lower + self.upper) / 2))

    def fall(self) -> bool:
        """Tries below the upper bound; whether it passes. Without anything that leads, in the middle."""
        through = self.forwarded(self.upper)
        far = max(self.middle, self.upper - self.stride) if self.stride else self.middle
        guess = self._below(through) if through is not None and self._leads(through) else None
        if guess is not None and self.stride and guess >= far:
            guess = None
        self.led = guess is not None
        if self._try(far if guess is None else guess):
            return True
        self.before = through
        if self.led or self.stride:
            self.stride = self.stride * FALLING or self.upper - self.stop.below(self.upper)
        return False

    def rise(self) -> bool:
        """Tries above the lower bound; whether it passes."""
        self.stride = self.stride * RISING or self.stop.above(self.lower) - self.lower
        return self._try(min(self.middle, self.lower + self.stride))

    def _leads(self, through: float) -> bool:
        """Whether what came through at the upper bound is to be believed."""
        if through <= self.lower:
            return False
        agrees = self.before is not None and abs(through - self.before) <= AGREEMENT * through
        return bool(self.stride) or agrees or through >= self.upper * (1 - SMALL_LOSS)

    def _below(self, through: float) -> float:
        """Half a stop width below what came through, within the bounds."""
        guess = float(round((through + self.stop.below(through)) / 2))
        return min(self.stop.below(self.upper), max(self.stop.above(self.lower), guess))

    def _try(self, value: float) -> bool:
        self.progress(Progress(self.lower, self.upper, value, self._steps_left()))
        if self.passes(value):
            self.lower = value
            return True
        self.upper = value
        return False

    def _steps_left(self) -> int:
        """About: this one, and to halve the stride; led, one below and one above."""
        if self.stride:
            return 1 + self.stop.steps(self.upper - self.stride, self.upper)
        return 2 if self.led else self.stop.steps(self.lower, self.upper)
