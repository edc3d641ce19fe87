"""System recovery: how long an overload is felt after it has ended (RFC 2544 §26.5; RFC 8219 §7.6 takes it unmodified).

At Timestamp A the rate goes down; Timestamp B is that of the last lost frame. The result is B - A (the RFC's words, "by
subtracting Timestamp B from Timestamp A", have it the wrong way round). A lost frame has no time of its own: B is when
it was due, which follows from its number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import floor
from typing import Literal

from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, Number, Whole, key
from xlatperf.procedures.conditions import Conditions, Throughput
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.overload import Overload
from xlatperf.procedures.procedure import Parameter
from xlatperf.procedures.quantity import Measured, NoResult, Quantity, Value, nothing_found
from xlatperf.procedures.trial import Measure, Trial, measure_once
from xlatperf.procedures.trial_request import RateFor, TrialRequest

RECOVERY = Quantity(
    "recovery time",
    "s",
    "due time of the last lost frame - time at which the rate was reduced",
    "RFC 2544 §26.5",
    headline="mean",
)
LAST_LOST = Quantity("last lost frame", "frames", "its number, from 0", role="beside", headline="mean")


class SystemRecovery(Overload):
    """RFC 2544 §26.5, RFC 8219 §7.6: how long an overload is felt after it has ended."""

    facts = Facts(
        title="System recovery",
        standard="RFC 2544 §26.5, RFC 8219 §7.6",
        quantities=(RECOVERY, LAST_LOST, FRAMES_LOST),
        shortest=("RFC 2544 §26.5", 60.0),
    )

    procedure: Literal["system_recovery"] = key(REQUIRED, "procedure")
    overload_percent: Number = key(
        110.0,
        "the overload in percent of the throughput, at most maximum_fps",
        gt=100,
        le=10000,
        source="RFC 2544 §26.5: 110 % or the maximum of the media",
    )
    reduced_percent: Number = key(
        50.0, "the rate afterwards, in percent of the overload's", gt=0, lt=100, source="RFC 2544 §26.5: 50 %"
    )
    duration_s: Number = key(
        60.0, "how long the overload lasts, in s", gt=0, le=86400, source="RFC 2544 §26.5: at least 60 s"
    )
    reduced_s: Number = key(
        60.0,
        "how long the reduced rate lasts, in s; the DUT must recover before it ends",
        gt=0,
        le=86400,
        source="RFC 2544 §26.5 gives none",
    )
    repetitions: Whole = key(
        10, "number of trials", ge=1, le=10000, source="RFC 2544 §26.5: repeated a number of times, averaged"
    )

    @property
    def sending_s(self) -> float:
        """At both rates."""
        return self.duration_s + self.reduced_s

    def parameters(self) -> dict[str, Parameter]:
        """RFC 2544 §26.5: both rates."""
        return {
            **super().parameters(),
            "overload_percent": self.overload_percent,
            "reduced_percent": self.reduced_percent,
            "reduced_s": self.reduced_s,
        }

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One trial. Raises MeasurementFailed."""
        trial = RecoveryTrial(self, conditions)
        if trial.overload_fps <= trial.throughput_fps:
            limit_fps = conditions.tester_limit_fps
            tester = limit_fps is not None and limit_fps <= trial.overload_fps + 1
            limit = "the Tester's own limit" if tester else "the highest rate"
            return Measured(
                (),
                (),
                no_result=NoResult(
                    "not measurable",
                    f"{limit} of {trial.overload_fps:.0f} fps is not above the throughput of "
                    f"{trial.throughput_fps:.0f} fps: there is no overload",
                ),
            )
        outcome, trials = measure_once(measure, trial.request(), self.retries)
        values = [value for name in outcome.directions for value in recovery_values(trial, outcome, name)]
        return Measured(
            tuple(values),
            trials,
            outcome.number,
            trial.remarks(),
            no_result=nothing_found(values),
        )


@dataclass(frozen=True)
class RecoveryTrial:
    """One trial."""

    wanted: SystemRecovery
    conditions: Conditions

    @property
    def throughput(self) -> Throughput:
        """That the overload follows from."""
        return self.conditions.throughput or Throughput(0.0)

    @property
    def throughput_fps(self) -> float:
        """That the overload follows from."""
        return self.throughput.fps

    @property
    def overload_fps(self) -> float:
        """110 % of the throughput, or the maximum of the media, whichever is lower (RFC 2544 §26.5)."""
        wanted_fps = self.throughput_fps * self.wanted.overload_percent / 100
        return float(max(1, int(min(wanted_fps, self.conditions.top_fps))))

    @property
    def reduced_fps(self) -> float:
        """50 % of that rate."""
        return float(max(1, int(self.overload_fps * self.wanted.reduced_percent / 100)))

    def request(self) -> TrialRequest:
        """RFC 2544 §26.5: at least 60 s of overload, then the reduced rate without a pause."""
        return replace(
            self.conditions.trial.at(self.overload_fps, purpose="recovery"),
            then=(RateFor(self.reduced_fps, self.wanted.reduced_s),),
        )

    def remarks(self) -> tuple[str, ...]:
        """When the overload is not what was asked for, or isn't known to be one."""
        said = tuple(self._lower())
        if self.throughput.more_possible:
            said += (f"the throughput is {self.throughput.in_words()}; it isn't known whether there was an overload",)
        return said

    def _lower(self) -> Iterator[str]:
        wanted_fps = int(self.throughput_fps * self.wanted.overload_percent / 100)
        if self.overload_fps >= wanted_fps:
            return
        media = self.overload_fps == int(self.conditions.maximum_fps)
        why = "the maximum of the media" if media else "the Tester's own limit"
        share = 100 * self.overload_fps / self.throughput_fps
        yield f"the overload is {share:.1f} % of the throughput, not {self.wanted.overload_percent:g} %: {why}"

    def frames_of_overload(self) -> int:
        """Number of the first frame at the reduced rate (frames of a step are whole, docs/protocol.md)."""
        return floor(self.overload_fps * self.conditions.trial.duration_s + 1e-6)

    def after_reduction_s(self, number: int) -> float:
        """When a frame was due, from Timestamp A on; 0 if before."""
        return max(0, number - self.frames_of_overload()) / self.reduced_fps


def recovery_values(trial: RecoveryTrial, outcome: Trial, name: DirectionName) -> list[Value]:
    """One direction's."""
    direction = outcome.directions[name]
    last = direction.last_lost
    value, remark = _recovery(trial, outcome, name)
    return [
        Value(RECOVERY, name, value, remark),
        Value(LAST_LOST, name, float(last) if last is not None else None),
        Value(FRAMES_LOST, name, float(direction.sent - direction.expected)),
    ]


def _recovery(trial: RecoveryTrial, outcome: Trial, name: DirectionName) -> tuple[float | None, str | None]:
    """Recovery time and remark."""
    direction = outcome.directions[name]
    ranges, last = direction.lost_ranges, direction.last_lost
    if last is None:
        return None, f"not measurable: the overload of {trial.overload_fps:.0f} fps lost no frame"
    if ranges and ranges[0][0] >= trial.frames_of_overload():
        return None, "not measurable: frames were lost at the reduced rate only, none by the overload"
    if last == direction.sent - 1:
        return None, (
            f"not measurable: frames were lost until the end of {trial.wanted.reduced_s:g} s at "
            f"{trial.reduced_fps:.0f} fps: a longer reduced_s may show the recovery"
        )
    if last < trial.frames_of_overload():
        return 0.0, "the last lost frame was due before the rate was reduced"
    return trial.after_reduction_s(last), None
