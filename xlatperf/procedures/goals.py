"""Throughput for several loss ratios by one search (RFC 9971): each trial tells something of all of them.

That for a loss ratio of 0 is RFC 2544's throughput, if no trial may exceed it; the others stand beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.in_words import LIMITS, MORE_POSSIBLE, fps
from xlatperf.procedures.quantity import GoalResult, Measured, Quantity, Value
from xlatperf.procedures.search_verdict import limit_of, search_of
from xlatperf.procedures.trial import Measure, Trial, measure_valid, never_valid
from xlatperf.search.bisection import Progress
from xlatperf.search.mlrsearch import BoundFound, Goal, GoalFound, mlrsearch

STEPS = 20
"""About so many trials, until it has ended."""
_LEAST_WRONG = 0.01
"""Of what may still be lost: so much more counts as lost in a trial that the Tester couldn't do."""


@cache
def conditional(loss_ratio: float) -> Quantity:
    """Of a goal."""
    return Quantity(
        f"conditional throughput, at most {100 * loss_ratio:g} % lost",
        "frames/s",
        "what comes through at the highest rate whose trials lose at most so much; not RFC 2544's throughput",
        "RFC 9971",
        role="beside",
    )


@dataclass
class Goals:
    """One search. The rates are those of `conditions`, from `minimum_fps` up; `retries`: of invalid trials."""

    goals: Sequence[Goal]
    minimum_fps: float
    retries: int
    conditions: Conditions
    measure: Measure
    trials: list[Trial] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    @property
    def _lowest_fps(self) -> float:
        """The search needs a lowest rate below the highest."""
        return min(self.conditions.bottom_fps(self.minimum_fps), self.conditions.top_fps / 2)

    def loss_ratio(self, rate_fps: float, duration_s: float) -> float:
        """Of the worse direction, as each must pass by itself. A Tester that was too slow passes no goal there."""
        lowest, highest = self._lowest_fps, self.conditions.top_fps
        self.conditions.progress(Progress(lowest, highest, rate_fps, max(1, STEPS - len(self.trials))))
        request = self.conditions.trial.at(rate_fps, duration_s, "goals")
        attempts = measure_valid(self.measure, request, self.retries)
        self.numbers += [attempt.number for attempt in attempts]
        trial = attempts[-1]
        self.trials.append(trial)
        if trial.valid:
            return _worst(trial)
        allowed = max(goal.loss_ratio for goal in self.goals)
        return max(_missing(trial), allowed + _LEAST_WRONG * (1 - allowed))

    def run(self) -> Measured:
        """The first goal's lower bound is the throughput. Raises MeasurementFailed."""
        lowest, highest = self._lowest_fps, self.conditions.top_fps
        found = mlrsearch(self.loss_ratio, self.goals, lowest, highest)
        if not any(trial.valid for trial in self.trials):
            raise never_valid(highest, lowest, self.trials[-1])
        return self._measured([self._result(one) for one in found])

    def _at(self, bound: BoundFound | None) -> list[Trial]:
        return [] if bound is None else [one for one in self.trials if one.request.rate_fps == bound.rate_fps]

    def _result(self, found: GoalFound) -> GoalResult:
        """The conditional throughput is that of what was really offered."""
        at, rate_fps = self._at(found.lower), found.conditional_fps
        if found.lower is not None and rate_fps is not None and at:
            rate_fps *= at[-1].offered_fps / found.lower.rate_fps
        limited_by = limit_of(
            found.bounds, self.conditions.most_fps, by_tester=not self._failed(found.upper, found.goal.loss_ratio)
        )
        return GoalResult(found.goal, found.lower, found.upper, rate_fps, limited_by)

    def _failed(self, bound: BoundFound | None, loss_ratio: float) -> list[Trial]:
        """Trials there in which the DUT lost more."""
        return [one for one in self._at(bound) if one.valid and _worst(one) > loss_ratio]

    def _measured(self, found: Sequence[GoalResult]) -> Measured:
        first = found[0]
        below, above = self._at(first.lower), self._failed(first.upper, 0.0)
        deciding = below or above
        valid = [one for one in self.trials if one.valid]
        passed = {
            one.request.rate_fps for one in valid if one.passed({}) and one.request.duration_s >= first.goal.final_s
        }
        failed = {one.request.rate_fps for one in valid if not one.passed({})} - passed
        return Measured(
            tuple(_value(one) for one in found if one.goal.loss_ratio),
            tuple(self.numbers),
            deciding[-1].number if deciding else None,
            limited_by=first.limited_by,
            search=search_of(first.bounds, above[-1] if above else None, passed, failed),
            goals=tuple(found),
        )


def _worst(trial: Trial) -> float:
    return max((one.loss_ratio for one in trial.directions.values()), default=1.0)


def _missing(trial: Trial) -> float:
    """With what was never sent: a guide to what the Tester can do."""
    shares = [1 - one.expected / one.intended for one in trial.directions.values() if one.intended]
    return max(shares, default=1.0)


def _value(found: GoalResult) -> Value:
    """A bound isn't one."""
    quantity = conditional(found.goal.loss_ratio)
    if found.conditional_fps is None:
        return Value(quantity, None, None, LIMITS["minimum"])
    if found.limited_by in MORE_POSSIBLE:
        return Value(quantity, None, None, f"at least {fps(found.conditional_fps)}, {LIMITS[found.limited_by]}")
    return Value(quantity, None, found.conditional_fps)
