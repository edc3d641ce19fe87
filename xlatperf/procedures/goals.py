"""Throughput for several loss ratios by one search (RFC 9971): each trial tells something of all of them.

That for a loss ratio of 0 is RFC 2544's throughput, if no trial may exceed it; the others stand beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.quantity import GoalResult, LimitedBy, Measured, Quantity, Search, Value
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
        """Of the worse direction, as each must pass by itself; what was never sent is lost as well."""
        lowest, highest = self._lowest_fps, self.conditions.top_fps
        self.conditions.progress(Progress(lowest, highest, rate_fps, max(1, STEPS - len(self.trials))))
        request = self.conditions.trial.at(rate_fps, duration_s, "goals")
        attempts = measure_valid(self.measure, request, self.retries)
        self.numbers += [attempt.number for attempt in attempts]
        trial = attempts[-1]
        self.trials.append(trial)
        missing = [
            1 - one.expected / most if (most := max(one.intended, one.sent)) else 0.0
            for one in trial.directions.values()
        ]
        worst = max(missing, default=1.0)
        if trial.valid:
            return worst
        allowed = max(goal.loss_ratio for goal in self.goals)
        return max(worst, allowed + _LEAST_WRONG * (1 - allowed))

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
        at, fps = self._at(found.lower), found.conditional_fps
        if found.lower is not None and fps is not None and at:
            fps *= at[-1].offered_fps / found.lower.rate_fps
        return GoalResult(found.goal, found.lower, found.upper, fps, self._limited_by(found))

    def _limited_by(self, found: GoalFound) -> LimitedBy:
        if found.upper is None:
            reached = found.lower.rate_fps if found.lower is not None else 0.0
            return "maximum" if reached >= self.conditions.most_fps else "tester"
        if not any(one.valid for one in self._at(found.upper)):
            return "tester"
        return "minimum" if found.lower is None else "dut"

    def _measured(self, found: Sequence[GoalResult]) -> Measured:
        first = found[0]
        below, above = self._at(first.lower), [one for one in self._at(first.upper) if one.valid and one.lost]
        lower_fps = None if first.lower is None else first.lower.rate_fps
        upper_fps = None if first.upper is None else first.upper.rate_fps
        last = below[-1] if below else (above[-1] if above else None)
        search = Search(
            lower_fps,
            upper_fps,
            above[-1].loss_percent() if above else None,
            class_loss_percent_above=above[-1].class_loss_percent() if above else {},
        )
        return Measured(
            tuple(_value(one) for one in found if one.goal.loss_ratio),
            tuple(self.numbers),
            None if last is None else last.number,
            limited_by=first.limited_by,
            search=search,
            goals=tuple(found),
        )


def _value(found: GoalResult) -> Value:
    quantity = conditional(found.goal.loss_ratio)
    if found.conditional_fps is None:
        return Value(quantity, None, None, "not even the lowest rate of the search is a lower bound")
    if found.at_least:
        why = "the Tester could do no more" if found.limited_by == "tester" else "the highest rate of the search"
        return Value(quantity, None, None, f"at least {found.conditional_fps:,.0f} frames/s: {why}")
    return Value(quantity, None, found.conditional_fps)
