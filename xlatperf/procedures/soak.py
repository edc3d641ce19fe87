"""Soak: a constant rate for hours, told interval by interval. No RFC has it; operators ask for it.

What is lost is counted as by RFC 2544 §26.3, delays are summarised as by RFC 2330 §11.3. A frame belongs to the
interval in which it is due, so what each interval lost is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field, model_validator

from xlatperf.engine.direction_answer import Direction, Interval
from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, Number, Whole, key
from xlatperf.keys.not_allowed import exact, refuse
from xlatperf.procedures.at_rate import AtRate
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.procedure import Parameter
from xlatperf.procedures.quantity import Measured, NoResult, Quantity, Value
from xlatperf.procedures.series import Variant
from xlatperf.procedures.trial import Measure, MeasurementFailed, Trial, not_established
from xlatperf.procedures.trial_request import TrialRequest

MOST_INTERVALS = 10_000

LOSS = Quantity("loss", "%", "frames lost / frames sent, all hours together", "RFC 2544 §26.3")
WORST_LOSS = Quantity("loss of the worst interval", "%", "the same of the interval that lost most", "RFC 2544 §26.3")
LOSSY = Quantity("intervals with loss", "%", "of all intervals, those that lost a frame", role="beside")
MEDIAN = Quantity("median delay", "ns", "of all frames", "RFC 2330 §11.3")
D999 = Quantity("D99.9", "ns", "99.9th percentile of all delays, at most 0.1 % off", "RFC 2330 §11.3")
WORST_D999 = Quantity("D99.9 of the worst interval", "ns", "the highest D99.9 of an interval", "RFC 2330 §11.3")
DRIFT = Quantity(
    "drift of the median",
    "ns",
    "median delay of the last interval that has delays - that of the first: what slowly fills up shows there",
    role="beside",
)


class Soak(AtRate):
    """A constant rate for hours: loss, reasons and delays of each interval."""

    facts = Facts(
        title="Soak",
        standard="no RFC; loss as in RFC 2544 §26.3, percentiles as in RFC 2330 §11.3",
        quantities=(LOSS, WORST_LOSS, LOSSY, MEDIAN, D999, WORST_D999, DRIFT, FRAMES_LOST),
        of_an_rfc=False,
        smallest_only=True,
        needs_a_result=True,
    )

    procedure: Literal["soak"] = key(REQUIRED, "procedure")
    shares: tuple[Annotated[Number, Field(gt=0, le=1)], ...] = key(
        (0.8,),
        "shares of that throughput (the median of its repetitions), each a series of its own",
        allowed="a list of numbers above 0 to 1, each once, such as [0.5, 0.8]",
        source="no RFC; at the throughput itself queues are full, and anything that disturbs the DUT costs frames",
        min_length=1,
    )
    duration_s: Number = key(
        3600.0, "how long the trial sends, in s", gt=0, le=86400, source="no RFC; operators let it run for hours"
    )
    interval_s: Number = key(
        60.0,
        f"how long each interval is, in s; at most {MOST_INTERVALS} of them",
        ge=1,
        le=86400,
        source="no RFC; a minute is what most monitoring has",
    )
    frame_timeout_ms: Number | None = key(
        None,
        "a frame that took longer is late, and late frames are lost ones; not set: none is",
        gt=0,
        le=60000,
        source="no RFC; what came too late was of no use",
    )
    repetitions: Whole = key(1, "number of trials", ge=1, le=10000, source="no RFC; one is long")
    retries: Whole = key(
        0, "how often a trial is repeated that is invalid; its intervals are shown in any case", ge=0, le=100
    )

    @model_validator(mode="after")
    def _intervals(self) -> Soak:
        if self.interval_s > self.duration_s:
            refuse("interval_s", self.interval_s, f"at most duration_s, {exact(self.duration_s)}")
        if self.duration_s / self.interval_s > MOST_INTERVALS:
            refuse(
                "interval_s",
                self.interval_s,
                f"at least {exact(self.duration_s / MOST_INTERVALS)}, for at most {MOST_INTERVALS} intervals "
                f"in {self.duration_s:g} s",
            )
        if self.rate_fps is not None and self.rate_fps * self.interval_s < 1:
            refuse(
                "interval_s", self.interval_s, f"at least {exact(1 / self.rate_fps)}, so that a frame is due in each"
            )
        return self

    @property
    def variants(self) -> Sequence[Variant]:
        """All with the timeout."""
        return [one._replace(frame_timeout_ms=self.frame_timeout_ms) for one in super().variants]

    def parameters(self) -> dict[str, Parameter]:
        """The intervals too."""
        return {**super().parameters(), "interval_s": self.interval_s}

    def deviations(self) -> Iterator[Deviation]:
        """The benchmark itself is one."""
        yield from super().deviations()
        yield Deviation(
            "RFC 8219 §7", "benchmarks for performance", f"{self.label}: a constant rate for long is none of them"
        )

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One trial; what an invalid one has seen is kept beside its reasons. Raises MeasurementFailed."""
        request = replace(conditions.at_rate, purpose="soak", interval_s=self.interval_s)
        attempts = _attempts(request, measure, self.retries)
        last, trials = attempts[-1], tuple(one.number for one in attempts)
        if not last.valid:
            why = NoResult("not valid", f"trial {last.number}: {'; '.join(last.why_invalid) or 'no reason given'}")
            return Measured((), trials, last.number, no_result=why)
        values = [value for name, one in last.directions.items() for value in soak_values(name, one)]
        return Measured(tuple(values), trials, last.number)


def _attempts(request: TrialRequest, measure: Measure, retries: int) -> list[Trial]:
    """Until one is valid: hours aren't repeated for what another procedure would repeat."""
    attempts: list[Trial] = []
    for _ in range(retries + 1):
        attempts.append(measure(request))
        if attempts[-1].collapsed is not None:
            raise MeasurementFailed("the DUT collapsed", attempts[-1].collapsed)
        missing = not_established(request, attempts[-1])
        if missing is None and attempts[-1].valid:
            break
    if missing is not None:
        raise MeasurementFailed(*missing)
    return attempts


def soak_values(name: DirectionName, direction: Direction) -> list[Value]:
    """One direction's."""
    intervals = [one for one in direction.intervals if one.sent]
    if not intervals:
        return [Value(one, name, None, "no frame was sent") for one in Soak.facts.quantities]
    timed = [one for one in intervals if one.delay.count]
    delay = direction.all_frames.delay
    none = None if timed else "no frame came back"
    return [
        Value(LOSS, name, 100 * direction.loss_ratio),
        Value(WORST_LOSS, name, max(one.loss_percent for one in intervals)),
        Value(LOSSY, name, 100 * sum(one.not_expected > 0 for one in intervals) / len(intervals)),
        Value(MEDIAN, name, delay.median_ns, none),
        Value(D999, name, delay.p999_ns, none),
        Value(WORST_D999, name, max((one.delay.p999_ns or 0.0 for one in timed), default=None), none),
        Value(DRIFT, name, _drift(timed), none),
        Value(FRAMES_LOST, name, float(direction.sent - direction.expected)),
    ]


def _drift(timed: Sequence[Interval]) -> float | None:
    if not timed:
        return None
    return (timed[-1].delay.median_ns or 0.0) - (timed[0].delay.median_ns or 0.0)
