"""Throughput: the fastest rate at which every frame comes back (RFC 2544 §26.1; RFC 8219 §7.1 takes it unmodified).

The search ends at a rate that passes and one, a stop width above at most, that fails. It may use shorter trials; the
result is then determined with full length (RFC 2544 §24).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Literal

from pydantic import Field, model_validator

from xlatperf.keys.model import REQUIRED, Number, Whole, key
from xlatperf.keys.not_allowed import exact, refuse
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.goals import STEPS as GOAL_STEPS
from xlatperf.procedures.goals import Goals
from xlatperf.procedures.loss_tolerance import Tolerant
from xlatperf.procedures.procedure import Parameter
from xlatperf.procedures.quantity import Measured, Quantity, Value
from xlatperf.procedures.search_verdict import limit_of, search_of
from xlatperf.procedures.searched_rates import SearchedRates, search_error
from xlatperf.procedures.series import Variant
from xlatperf.procedures.timed_rates import TimedRates
from xlatperf.procedures.trial import Measure, Trial, measure_valid, never_valid
from xlatperf.search.beyond import beyond
from xlatperf.search.bisection import Bounds, Narrow, between, bisect
from xlatperf.search.guided import guided
from xlatperf.search.mlrsearch import Goal

RATE = Quantity("throughput", "frames/s", "fastest rate at which every frame comes back", "RFC 2544 §26.1")
ERROR = search_error("frames/s")
GUIDED_STEPS = 6
"""Trials of a guided search that has not begun, for the estimate of the end."""
LOSS_RATIOS = (0.0, 0.005)
"""FD.io's NDR and PDR."""
SHORT_S = 1.0
"""Of the first trials of MLRsearch."""
TOLERANT = "RFC 8219 §7.1 with a loss tolerance (not RFC 2544 throughput)"


class Throughput(Tolerant, SearchedRates, TimedRates):
    """RFC 2544 §26.1, RFC 8219 §7.1: the fastest rate at which every frame comes back."""

    facts = Facts(
        title="Throughput",
        standard="RFC 2544 §26.1, RFC 8219 §7.1",
        quantities=(RATE, ERROR),
        finds="throughput",
        performance=(RATE,),
        usual=True,
    )

    procedure: Literal["throughput"] = key(REQUIRED, "procedure")
    search: Literal["guided", "binary", "mlrsearch"] = key(
        "guided",
        "how the next rate is chosen: near the rate at which frames came through where some were lost, or always in "
        "the middle; both end at the same distance between a rate that passes and one that fails, guided with fewer "
        "trials; what trials of full length don't confirm goes on guided. mlrsearch: for several loss ratios at once",
        source="RFC 2544 §26.1 leaves it open; RFC 9971: MLRsearch",
    )
    loss_ratios: tuple[Annotated[Number, Field(ge=0, lt=1)], ...] | None = key(
        None,
        "with mlrsearch: shares of lost frames in the worse direction, each a goal of the search; that of 0 is the "
        "throughput, for each other one the conditional throughput stands beside it; not set: [0, 0.005]",
        allowed="a list of ratios from 0 to below 1, the first one 0, each once, such as [0, 0.0001, 0.005]",
        source="RFC 9971; FD.io: NDR and PDR",
        min_length=1,
    )
    exceed_ratio: Number | None = key(
        None,
        "with mlrsearch: the share of the time at a rate in which trials may lose more; with more than 0, the "
        "throughput isn't RFC 2544's; not set: 0",
        ge=0,
        lt=1,
        source="RFC 9971: 0 for RFC 2544, 0.5 for ETSI GS NFV-TST 009",
    )
    duration_sum_s: Number | None = key(
        None,
        "with mlrsearch: how long full trials at one rate take together before it's a bound; not set: as one does",
        gt=0,
        le=86400,
        source="RFC 9971",
    )
    search_duration_s: Number | None = key(
        None,
        "shorter trials for the search; the result is then determined with trials of duration_s; not set: with "
        "mlrsearch 1 s, otherwise none are shorter",
        gt=0,
        le=86400,
        source="RFC 2544 §24: allowed if the final determination has full length",
    )
    repetitions: Whole = key(
        10, "number of complete searches", ge=1, le=10000, source="RFC 8219 §12: several recommended, no number given"
    )

    @model_validator(mode="after")
    def _of_one_search(self) -> Throughput:
        if self.search != "mlrsearch":
            for name in ("loss_ratios", "exceed_ratio", "duration_sum_s"):
                value = getattr(self, name)
                if value is not None:
                    refuse(name, value, 'with search = "mlrsearch"')
            return self
        ratios = self.loss_ratios or LOSS_RATIOS
        if ratios[0] != 0 or len(set(ratios)) != len(ratios):
            refuse("loss_ratios", ratios, "the first one 0, each once")
        if any(self.tolerance.values()):
            tolerance = ", ".join(f"{ratio:g} {name}" for name, ratio in self.tolerance.items())
            refuse("loss_tolerance", tolerance, 'with search = "mlrsearch" loss_ratios says it')
        if self.stop_width_fps is not None:
            refuse("stop_width_fps", self.stop_width_fps, 'with search = "mlrsearch" stop_width_percent alone')
        if self.duration_sum_s is not None and self.duration_sum_s < self.duration_s:
            refuse("duration_sum_s", self.duration_sum_s, f"at least duration_s, {exact(self.duration_s)}")
        return self

    @property
    def tolerant(self) -> bool:
        """Also if some trials may lose more than their goal."""
        return super().tolerant or bool(self.exceed_ratio)

    @property
    def standards(self) -> str:
        """With a tolerance it isn't RFC 2544's."""
        if self.exceed_ratio:
            return f"RFC 9971 with an exceed ratio of {self.exceed_ratio:g} (not RFC 2544 throughput)"
        return TOLERANT if self.tolerant else self.facts.standard

    @property
    def variants(self) -> Sequence[Variant]:
        """A frame timeout has a search of its own beside the classic one."""
        timed = () if self.frame_timeout_ms is None else (Variant(frame_timeout_ms=self.frame_timeout_ms),)
        return (Variant(), *timed)

    @property
    def steps(self) -> int:
        """A search's."""
        known = {"guided": GUIDED_STEPS, "mlrsearch": GOAL_STEPS}
        return known.get(self.search, super().steps)

    @property
    def goals(self) -> list[Goal]:
        """Of MLRsearch: what RFC 9971 wants reported."""
        initial_s = self.search_duration_s or SHORT_S
        return [
            Goal(
                loss_ratio=ratio,
                exceed_ratio=self.exceed_ratio or 0.0,
                width=(self.stop_width_percent or 1.0) / 100,
                initial_s=min(initial_s, self.duration_s),
                final_s=self.duration_s,
                duration_sum_s=self.duration_sum_s or self.duration_s,
            )
            for ratio in self.loss_ratios or LOSS_RATIOS
        ]

    def parameters(self) -> dict[str, Parameter]:
        """How it was searched."""
        known: dict[str, Parameter] = {**super().parameters(), "search": self.search}
        if self.search != "mlrsearch":
            return known
        first, *_ = goals = self.goals
        return {
            **known,
            "loss_ratios": ", ".join(f"{goal.loss_ratio:g}" for goal in goals),
            "exceed_ratio": first.exceed_ratio,
            "goal_width_percent": 100 * first.width,
            "initial_trial_duration_s": first.initial_s,
            "duration_sum_s": first.duration_sum_s,
        }

    def deviations(self) -> Iterator[Deviation]:
        """RFC 2544 §24, §26.1; RFC 8219 §12."""
        yield from super().deviations()
        yield from self.tolerated("RFC 2544 §26.1", "RFC 2544 throughput")
        if self.search == "mlrsearch":
            yield Deviation(
                "RFC 9971",
                "the loss of both directions together decides",
                f"{self.label}: that of the worse direction does",
            )
        if self.exceed_ratio:
            yield Deviation(
                "RFC 2544 §26.1",
                "no frame may be lost",
                f"{self.label}: in a share of {self.exceed_ratio:g} of the time trials may lose more than their goal",
            )
        elif self.search_duration_s is not None and self.search_duration_s < self.duration_s:
            yield Deviation(
                "RFC 2544 §24",
                "full-length trials; shorter ones may be used to search",
                f"{self.label}: the search uses trials of {self.search_duration_s:g} s, its result is determined with "
                f"{self.duration_s:g} s",
            )
        if self.repetitions < 2:
            yield Deviation("RFC 8219 §12", "several iterations", f"{self.label}: one")

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One search. Raises MeasurementFailed if trials stay invalid and a lower rate does not help."""
        if self.search == "mlrsearch":
            return self._for_all_goals(conditions, measure)
        duration_s = min(self.search_duration_s or conditions.trial.duration_s, conditions.trial.duration_s)
        first = _Attempts(self, conditions, measure, duration_s, "search")
        bounds = bisect(
            first.passes,
            conditions.bottom_fps(self.minimum_fps),
            conditions.top_fps,
            self.stop,
            minimum_first=first.hopeless,
            progress=conditions.progress,
            narrow=between if self.search == "binary" else first.guided,
        )
        bounds = beyond(bounds, conditions.most_fps, first.passes, first.tester_failed, first.narrow)
        if bounds.lower is None and bounds.upper is not None and not first.outcomes[bounds.upper].valid:
            raise never_valid(conditions.top_fps, bounds.upper, first.outcomes[bounds.upper])
        if duration_s == conditions.trial.duration_s or bounds.lower is None:
            return first.result(bounds, first.trials)
        final = _Attempts(self, conditions, measure, conditions.trial.duration_s, "confirm")
        confirmed = final.confirm(bounds)
        if confirmed.upper is not None and confirmed.upper not in final.outcomes:
            final.outcomes[confirmed.upper] = first.outcomes[confirmed.upper]  # a short trial failed there already
        return final.result(confirmed, first.trials + final.trials)

    def _for_all_goals(self, conditions: Conditions, measure: Measure) -> Measured:
        """RFC 9971: the throughput, and what stands beside it."""
        search = Goals(self.goals, self.minimum_fps, self.retries, conditions, measure)
        found = search.run()
        first = found.goals[0]
        values = (Value(RATE, None, first.conditional_fps or 0.0), Value(ERROR, None, first.bounds.width))
        return replace(found, values=(*values, *found.values))


@dataclass
class _Attempts:
    """What was tried so far, and the verdict on each rate."""

    wanted: Throughput
    conditions: Conditions
    measure: Measure
    duration_s: float
    purpose: str
    outcomes: dict[float, Trial] = field(default_factory=dict)
    trials: list[int] = field(default_factory=list)

    def passes(self, rate_fps: float) -> bool:
        """Runs the trial (again, if it was invalid). Too fast for the Tester counts as not passed."""
        request = self.conditions.trial.at(rate_fps, self.duration_s, self.purpose)
        attempts = measure_valid(self.measure, request, self.wanted.retries, self.wanted.tolerance)
        self.trials += [attempt.number for attempt in attempts]
        self.outcomes[rate_fps] = attempts[-1]
        return attempts[-1].passed(self.wanted.tolerance)

    def narrow(self, lower: float, upper: float) -> Bounds:
        """Between a rate that passed and one that failed."""
        how = between if self.wanted.search == "binary" else self.guided
        return how(self.passes, lower, upper, self.wanted.stop, lower_passed=True, progress=self.conditions.progress)

    def tester_failed(self, rate_fps: float) -> bool:
        """Whether the rate was too high for the Tester, or may have been."""
        return not self.outcomes[rate_fps].valid

    def hopeless(self) -> bool:
        """After the first trial: whether a lower rate may be no better."""
        outcome = self.outcomes[self.conditions.top_fps]
        return not (outcome.something_came and (outcome.valid or outcome.far_too_fast))

    @property
    def guided(self) -> Narrow:
        """Led by what was forwarded."""
        return partial(guided, forwarded=self.forwarded)

    def forwarded(self, rate_fps: float) -> float | None:
        """At which rate frames came through where it failed, in the worse direction; more where some may be lost.

        What a Tester that is too slow could really send is as good a guide.
        """
        outcome = self.outcomes[rate_fps]
        if not outcome.something_came:
            return None
        tolerance = self.wanted.tolerance
        return min(
            one.offered_fps * (1 - one.loss_ratio) / (1 - tolerance[name]) for name, one in outcome.directions.items()
        )

    def confirm(self, bounds: Bounds) -> Bounds:
        """RFC 2544 §24: the final determination with full length. Goes down from the candidate if that fails."""
        assert bounds.lower is not None  # noqa: S101 - the caller has a candidate
        found = bisect(
            self.passes,
            self.conditions.bottom_fps(self.wanted.minimum_fps),
            bounds.lower,
            self.wanted.stop,
            progress=self.conditions.progress,
            narrow=self.guided,
        )
        return bounds if found.upper is None else found

    def result(self, bounds: Bounds, trials: list[int]) -> Measured:
        """States what keeps the result from being higher. It's 0 if nothing passed down to the lowest rate."""
        above = self.outcomes.get(bounds.upper) if bounds.upper is not None else None
        by_tester = above is not None and not above.valid
        last = self.outcomes.get(bounds.lower) if bounds.lower is not None else above
        passed = {rate for rate, one in self.outcomes.items() if one.passed(self.wanted.tolerance)}
        failed = [rate for rate, one in self.outcomes.items() if one.valid and rate not in passed]
        found = last.offered_fps if last is not None and bounds.lower is not None else 0.0
        return Measured(
            (Value(RATE, None, found), Value(ERROR, None, bounds.width)),
            tuple(trials),
            last.number if last is not None else None,
            limited_by=limit_of(bounds, self.conditions.most_fps, by_tester=by_tester),
            search=search_of(bounds, None if by_tester else above, passed, failed),
        )
