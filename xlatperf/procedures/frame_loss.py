"""Frame loss rate: the share of lost frames from the maximum rate downwards (RFC 2544 §26.3, RFC 8219 §7.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import floor
from typing import Literal, NamedTuple

from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, Number, Whole, key
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.procedure import Rate
from xlatperf.procedures.quantity import Measured, Quantity, Value
from xlatperf.procedures.series import Variant
from xlatperf.procedures.shared_keys import UpToMaximum
from xlatperf.procedures.timed_rates import TimedRates
from xlatperf.procedures.trial import Measure, Trial, measure_valid, never_valid
from xlatperf.search.bisection import Progress

LOSS_FREE_TRIALS = 2
"""RFC 2544 §26.3: the sweep ends after two successive trials without loss."""
HOPELESS = 3
"""After so many rates without a valid trial the lowest one is tried."""

LOSS = Quantity("frame loss rate", "%", "frames lost / frames sent, at each rate", "RFC 2544 §26.3")
TOGETHER = Quantity(
    "frame loss rate of both directions",
    "%",
    "frames lost / frames sent, both directions together",
    "RFC 2544 §26.3",
    role="beside",
)
OFFERED = Quantity("offered rate", "frames/s", "really sent, in the direction that got less", role="beside")


class FrameLoss(UpToMaximum, TimedRates):
    """RFC 2544 §26.3, RFC 8219 §7.4: the share of lost frames from the maximum rate downwards."""

    facts = Facts(
        title="Frame loss rate",
        standard="RFC 2544 §26.3, RFC 8219 §7.4",
        quantities=(LOSS, TOGETHER, OFFERED),
        usual=True,
    )

    procedure: Literal["frame_loss"] = key(REQUIRED, "procedure")
    step_percent: Number = key(
        10.0, "step of the sweep in percent of the highest rate", gt=0, le=10, source="RFC 2544 §26.3: at most 10 %"
    )
    rates_fps: tuple[Rate, ...] | None = key(
        None,
        "explicit rates in place of the sweep, per direction",
        allowed="a list of rates above 0 to 1000000000",
        min_length=1,
    )
    repetitions: Whole = key(1, "number of complete sweeps", ge=1, le=10000, source="RFC 8219 §12: several recommended")

    @property
    def variants(self) -> Sequence[Variant]:
        """One: both results come from the same trials."""
        return (Variant(frame_timeout_ms=self.frame_timeout_ms),)

    @property
    def read_twice(self) -> bool:
        """With a frame timeout."""
        return self.frame_timeout_ms is not None

    @property
    def steps(self) -> int:
        """One for each rate."""
        return len(self.rates_fps) if self.rates_fps is not None else round(100 / self.step_percent)

    def highest_fps(self, theoretical_fps: float) -> float:
        """Of the rates that are given, if any are."""
        return super().highest_fps(theoretical_fps) if self.rates_fps is None else max(self.rates_fps)

    def deviations(self) -> Iterator[Deviation]:
        """RFC 2544 §26.3, RFC 8219 §12."""
        yield from super().deviations()
        if self.rates_fps is not None:
            said = "rates from 100 % of the maximum downwards, in steps of 10 % at most"
            named = ", ".join(f"{rate:,.0f}" for rate in self.rates(0.0))
            yield Deviation("RFC 2544 §26.3", said, f"{self.label}: {named} frames/s")
        if self.repetitions < 2:
            yield Deviation("RFC 8219 §12", "several iterations", f"{self.label}: one")

    def rates(self, maximum_fps: float) -> list[float]:
        """In the order they are tried: 100 %, then lower and lower; explicit ones likewise."""
        if self.rates_fps is not None:
            return sorted(set(self.rates_fps), reverse=True)
        count = floor(100 / self.step_percent + 1e-9)
        wanted = [maximum_fps * (100 - index * self.step_percent) / 100 for index in range(count + 1)]
        return [float(max(1, int(rate))) for rate in wanted if rate > maximum_fps * 1e-9]

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One complete sweep. Raises MeasurementFailed."""
        limit_fps, directions = conditions.tester_limit_fps, conditions.trial.directions
        points: list[_Point] = []
        trials: list[int] = []
        loss_free = invalid = 0
        rates = self.rates(conditions.maximum_fps)
        for index, rate in enumerate(rates):
            if limit_fps is not None and rate > limit_fps:
                remark = f"above the Tester's own limit of {limit_fps:.0f} fps: not tried"
                points.append(_Point(rate, None, remark))
                continue
            conditions.progress(Progress(rates[-1], rates[0], rate, len(rates) - index))
            attempts = measure_valid(measure, conditions.trial.at(rate, purpose="sweep"), self.retries)
            trials += [attempt.number for attempt in attempts]
            last = attempts[-1]
            if not last.valid:
                remark = "the Tester could not do this rate: " + last.why
                points.append(_Point(rate, last, remark))
                loss_free = 0
                invalid += 1
                if invalid == HOPELESS and all(point.remark is not None for point in points):
                    trials += self._valid_at_the_lowest(conditions, measure, rates)
                continue
            points.append(_Point(rate, last))
            loss_free = loss_free + 1 if last.passed({}) else 0
            if loss_free == LOSS_FREE_TRIALS:
                break
        classic, late = (_values(points, directions, way) for way in (Trial.classic_loss_percent, Trial.loss_percent))
        return Measured(classic, tuple(trials), late=late if self.read_twice else ())

    def _valid_at_the_lowest(self, conditions: Conditions, measure: Measure, rates: Sequence[float]) -> list[int]:
        """Its trials' numbers. Raises MeasurementFailed: then no rate in between would be any better."""
        attempts = measure_valid(measure, conditions.trial.at(rates[-1], purpose="sweep"), self.retries)
        if not attempts[-1].valid:
            raise never_valid(rates[0], rates[-1], attempts[-1])
        return [attempt.number for attempt in attempts]


class _Point(NamedTuple):
    """One rate. `remark`: why the Tester could not offer or receive it; without `outcome` it was not tried."""

    rate_fps: float
    outcome: Trial | None
    remark: str | None = None


def _values(
    points: Sequence[_Point],
    directions: Sequence[DirectionName],
    loss_percent: Callable[[Trial], Mapping[DirectionName, float]],
) -> tuple[Value, ...]:
    """Losses, where a rate was possible, and what was really offered."""
    values: list[Value] = []
    for rate_fps, outcome, remark in points:
        losses = loss_percent(outcome) if outcome is not None and remark is None else {}
        number = outcome.number if outcome is not None else None
        offered_fps = outcome.offered_fps if outcome is not None else None
        values += [Value(LOSS, name, losses.get(name), remark, rate_fps=rate_fps, trial=number) for name in directions]
        if len(directions) > 1:
            together = _together(outcome, losses) if outcome is not None and losses else None
            values.append(Value(TOGETHER, None, together, remark, rate_fps=rate_fps, trial=number))
        values.append(Value(OFFERED, None, offered_fps, rate_fps=rate_fps, trial=number))
    return tuple(values)


def _together(outcome: Trial, losses: Mapping[DirectionName, float]) -> float:
    """Of the frames of all directions, in percent: a direction that sent more counts for more."""
    sent = {name: direction.sent for name, direction in outcome.directions.items()}
    return sum(losses[name] * sent[name] for name in losses) / max(1, sum(sent[name] for name in losses))
