"""Throughput: the fastest rate at which every frame comes back (RFC 2544 §26.1; RFC 8219 §7.1 takes it unmodified).

The search is a bisection. It may use shorter trials; the result is then determined with full length (RFC 2544 §24).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from xlatperf.procedures.trial import DirectionName, Measure, Outcome, TrialRequest, measure_valid, never_valid
from xlatperf.search.bisection import Bounds, Progress, StopWidth, between, bisect, ignore

LimitedBy = Literal["dut", "tester", "maximum", "minimum"]


@dataclass(frozen=True)
class ThroughputSearch:
    """Parameters of one search. Rates are frames per second per direction.

    `tester_limit_fps`: from the self-test; the search never goes above it.
    """

    trial: TrialRequest
    minimum_fps: float
    maximum_fps: float
    stop: StopWidth
    search_duration_s: float | None = None
    retries: int = 2
    tolerance: Mapping[DirectionName, float] = field(default_factory=dict)
    tester_limit_fps: float | None = None

    @property
    def top_fps(self) -> float:
        """The rate that is tried first, in whole frames per second."""
        limit = self.maximum_fps if self.tester_limit_fps is None else min(self.maximum_fps, self.tester_limit_fps)
        return float(max(1, int(limit)))

    @property
    def bottom_fps(self) -> float:
        """The lowest rate that is tried."""
        return min(float(max(1, round(self.minimum_fps))), self.top_fps)


@dataclass(frozen=True)
class ThroughputResult:
    """Result of one search. `rate_fps` is 0 if nothing passed down to the minimum (`limited_by` then says so).

    It's the rate that was offered when `lower_fps` was asked for; the bounds are rates that were asked for.
    """

    rate_fps: float
    lower_fps: float | None
    upper_fps: float | None
    limited_by: LimitedBy
    duration_s: float
    final_trial: int | None
    loss_percent_above: dict[DirectionName, float] | None
    inversions: int
    trials: tuple[int, ...]


@dataclass
class _Attempts:
    """What was tried so far, and the verdict on each rate."""

    search: ThroughputSearch
    measure: Measure
    duration_s: float
    purpose: str
    outcomes: dict[float, Outcome] = field(default_factory=dict)
    trials: list[int] = field(default_factory=list)

    def passes(self, rate_fps: float) -> bool:
        """Runs the trial (again, if it was invalid). Too fast for the Tester counts as not passed."""
        request = self.search.trial.at(rate_fps, self.duration_s, self.purpose)
        attempts = measure_valid(self.measure, request, self.search.retries, self.search.tolerance)
        self.trials += [attempt.number for attempt in attempts]
        self.outcomes[rate_fps] = attempts[-1]
        return attempts[-1].passed(self.search.tolerance)

    def hopeless(self) -> bool:
        """After the first trial: whether a lower rate may be no better."""
        outcome = self.outcomes[self.search.top_fps]
        return outcome.nothing_came or not outcome.valid

    def passed_rates(self) -> list[float]:
        """Rates that passed, highest first."""
        return sorted(
            (rate for rate, outcome in self.outcomes.items() if outcome.passed(self.search.tolerance)), reverse=True
        )


def throughput(
    search: ThroughputSearch, measure: Measure, progress: Callable[[Progress], None] = ignore
) -> ThroughputResult:
    """One complete search. Raises MeasurementFailed if trials stay invalid and a lower rate does not help."""
    short = search.search_duration_s is not None and search.search_duration_s < search.trial.duration_s
    duration_s = min(search.search_duration_s or search.trial.duration_s, search.trial.duration_s)
    first = _Attempts(search, measure, duration_s, "search")
    bounds = bisect(
        first.passes,
        search.bottom_fps,
        search.top_fps,
        search.stop,
        minimum_first=first.hopeless,
        progress=progress,
    )
    if bounds.lower is None and bounds.upper is not None and not first.outcomes[bounds.upper].valid:
        raise never_valid(search.top_fps, bounds.upper, first.outcomes[bounds.upper])
    if not short or bounds.lower is None:
        return _result(search, bounds, first, first.trials)
    final = _Attempts(search, measure, search.trial.duration_s, "confirm")
    confirmed = _confirm(search, bounds, final, progress)
    if confirmed.upper is not None and confirmed.upper not in final.outcomes:
        final.outcomes[confirmed.upper] = first.outcomes[confirmed.upper]  # a short trial failed there already
    return _result(search, confirmed, final, first.trials + final.trials)


def _confirm(
    search: ThroughputSearch, bounds: Bounds, final: _Attempts, progress: Callable[[Progress], None]
) -> Bounds:
    """RFC 2544 §24: the final determination with full length. Goes down from the candidate until a rate passes."""
    assert bounds.lower is not None  # noqa: S101 - the caller has a candidate
    candidate = bounds.lower
    progress(Progress(search.bottom_fps, candidate, candidate, 1))
    if final.passes(candidate):
        return bounds
    upper = candidate
    step = max(bounds.width or 0.0, candidate * 0.01, 1.0)
    while upper > search.bottom_fps:
        lower = float(max(search.bottom_fps, round(upper - step)))
        progress(Progress(search.bottom_fps, upper, lower, 1 + search.stop.steps(lower, upper)))
        if final.passes(lower):
            return between(final.passes, lower, upper, search.stop, lower_passed=True, progress=progress)
        upper, step = lower, step * 2
    return Bounds(None, upper)


def _result(search: ThroughputSearch, bounds: Bounds, attempts: _Attempts, trials: list[int]) -> ThroughputResult:
    """States what keeps the result from being higher."""
    above = attempts.outcomes.get(bounds.upper) if bounds.upper is not None else None
    limited_by: LimitedBy
    if bounds.upper is None:
        limited_by = "maximum" if search.top_fps >= int(search.maximum_fps) else "tester"
    elif above is not None and not above.valid:
        limited_by = "tester"
    else:
        limited_by = "minimum" if bounds.lower is None else "dut"
    last = attempts.outcomes.get(bounds.lower) if bounds.lower is not None else above
    passed = attempts.passed_rates()
    failed = [
        rate for rate, outcome in attempts.outcomes.items() if outcome.valid and not outcome.passed(search.tolerance)
    ]
    return ThroughputResult(
        rate_fps=last.offered_fps if last is not None and bounds.lower is not None else 0.0,
        lower_fps=bounds.lower,
        upper_fps=bounds.upper,
        limited_by=limited_by,
        duration_s=attempts.duration_s,
        final_trial=last.number if last is not None else None,
        loss_percent_above=above.loss_percent() if above is not None and above.valid else None,
        inversions=sum(1 for low in failed for high in passed if high > low),
        trials=tuple(trials),
    )
