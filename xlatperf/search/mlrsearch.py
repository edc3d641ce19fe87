"""Several goals from one search: MLRsearch (RFC 9971), by the controller of FD.io's package of that name.

It knows rates, durations and shares of lost frames, nothing of frames. Its choices follow from these alone: no clock,
no chance. So a search that is replayed takes the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from MLRsearch import AbstractMeasurer, Config, MeasurementResult, MultipleLossRatioSearch, SearchGoal

from xlatperf.search.bisection import Bounds

_FRAMES = 10**15
"""The package counts frames; of so many a share is exact."""
_NO_END_S = 1e12
"""Trials end by themselves, and a search by its bounds: how long it took is none of its business."""


@dataclass(frozen=True)
class Goal:
    """Of a search (RFC 9971). `loss_ratio`: of a trial that is good. `exceed_ratio`: the share of the time that bad
    ones may take. `width`: of the bounds, as a share of the upper one. `final_s`: full length of a trial;
    `duration_sum_s`: how long full trials at one rate take together; `initial_s`: of the shortest.
    """

    loss_ratio: float
    exceed_ratio: float
    width: float
    initial_s: float
    final_s: float
    duration_sum_s: float


@dataclass(frozen=True)
class BoundFound:
    """A rate per direction, with the seconds of trials there that were good, and bad, of full length and shorter."""

    rate_fps: float
    good_s: float
    bad_s: float
    short_good_s: float
    short_bad_s: float


@dataclass(frozen=True)
class GoalFound:
    """What a goal has (RFC 9971). `lower`: the relevant lower bound; None: not even the lowest rate is one. `upper`:
    the relevant upper bound; None: the highest rate is a lower one. `conditional_fps`: the conditional throughput, what
    comes through at the lower bound, by the quantile of its trials that the exceed ratio says.
    """

    goal: Goal
    lower: BoundFound | None
    upper: BoundFound | None
    conditional_fps: float | None

    @property
    def bounds(self) -> Bounds:
        """As rates."""
        lower, upper = (None if one is None else one.rate_fps for one in (self.lower, self.upper))
        return Bounds(lower, upper)


Try = Callable[[float, float], float]
"""The share of lost frames in a trial at this rate (per direction) that takes so many seconds."""


class _Measurer(AbstractMeasurer):  # type: ignore[misc]
    def __init__(self, loss_ratio: Try) -> None:
        self._loss_ratio = loss_ratio

    def measure(self, intended_duration: float, intended_load: float) -> MeasurementResult:
        lost = round(_FRAMES * self._loss_ratio(intended_load, intended_duration))
        return MeasurementResult(intended_duration, intended_load, offered_count=_FRAMES, loss_count=lost)


def mlrsearch(loss_ratio: Try, goals: Sequence[Goal], lowest_fps: float, highest_fps: float) -> list[GoalFound]:
    """What each goal has. A trial's loss decides, in whatever order rates are tried; `lowest_fps` < `highest_fps`."""
    wanted = {goal: _search_goal(goal) for goal in goals}
    config = Config()
    config.goals = list(wanted.values())
    config.max_load, config.min_load = highest_fps, lowest_fps
    config.search_duration_max, config.warmup_duration = _NO_END_S, 0.0
    found = MultipleLossRatioSearch(config=config).search(_Measurer(loss_ratio), debug=lambda _: None)
    return [_found(goal, found[one]) for goal, one in wanted.items()]


def _search_goal(goal: Goal) -> SearchGoal:
    short = goal.initial_s < goal.duration_sum_s
    return SearchGoal(
        loss_ratio=goal.loss_ratio,
        exceed_ratio=goal.exceed_ratio,
        relative_width=goal.width,
        initial_trial_duration=goal.initial_s,
        final_trial_duration=goal.final_s,
        duration_sum=goal.duration_sum_s,
        preceding_targets=2 if short else 0,
        fail_fast=False,
    )


def _found(goal: Goal, result: Any) -> GoalFound:
    conditional = result.conditional_throughput
    return GoalFound(
        goal,
        _bound(result.relevant_lower_bound),
        _bound(result.relevant_upper_bound),
        None if conditional is None else float(conditional),
    )


def _bound(stat: Any) -> BoundFound | None:
    """With the trials of the goal itself, not of its coarser targets."""
    if stat is None:
        return None
    (times,) = stat.target_to_stat.values()
    return BoundFound(float(stat), times.good_long, times.bad_long, times.good_short, times.bad_short)
