"""Back-to-back frames: the longest burst at the highest rate that the DUT does not lose from (RFC 9004).

RFC 8219 §7.5 takes RFC 2544 §26.4, which RFC 9004 updates. RFC 5180 §7.4 no longer recommends the test for IPv6; it is
measured where the bench file asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from statistics import fmean
from typing import Literal

from pydantic import model_validator

from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, Number, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.conditions import Conditions, Throughput
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.loss_tolerance import Tolerant
from xlatperf.procedures.overload import Overload
from xlatperf.procedures.procedure import SEARCH_STEPS, Parameter
from xlatperf.procedures.quantity import Derived, Measured, NoResult, Quantity, Value
from xlatperf.procedures.trial import Measure, Trial, measure_valid
from xlatperf.procedures.trial_request import SHORTEST_S, TrialRequest
from xlatperf.search.bisection import Bounds, StopWidth, bisect
from xlatperf.search.loss_verification import LossVerification

BURST = Quantity("back-to-back frames", "frames", "longest burst without loss", "RFC 9004 §6", headline="mean")
STEP = Quantity("step size", "frames", "distance to the shortest burst with loss", "RFC 9004 §6.2", role="beside")
OFFERED = Quantity("rate in the burst", "frames/s", "as it was offered", "RFC 9004 §6", role="beside")


class BackToBack(Tolerant, Overload):
    """RFC 9004, which updates RFC 2544 §26.4: the longest burst at the highest rate without loss."""

    facts = Facts(
        title="Back-to-back frames",
        standard="RFC 9004, RFC 8219 §7.5",
        quantities=(BURST, STEP, OFFERED),
        shortest=("RFC 9004 §6.2", 0.0),
    )

    procedure: Literal["back_to_back"] = key(REQUIRED, "procedure")
    duration_s: Number = key(
        2.0,
        "longest burst of the search, in s; a result there is invalid and asks for more",
        gt=0,
        le=3600,
        source="RFC 9004 §6.2: must be configurable to at least 30 s",
    )
    timeout_s: Number = key(
        2.0,
        "wait after the burst could have been received at the throughput, in s; longer bursts wait for as long as they "
        "are",
        ge=0,
        le=60,
        source="RFC 9004 §6.2: at least 2 s",
    )
    maximum_repeats: Whole = key(
        2,
        "loss verification: max(r), how often a trial with loss is repeated before its burst length has failed",
        ge=0,
        le=100,
        source="ETSI GS NFV-TST 009 §12.3.3; RFC 9004 §6.2",
    )
    repeat_up_to_frames: Whole | None = key(
        None,
        "loss verification: z, a trial that loses more frames is not repeated; not set: each is",
        ge=0,
        le=2**31 - 1,
        source="ETSI GS NFV-TST 009 §12.3.3: infinity",
    )
    step_frames: Whole | None = key(
        None,
        "step size: stop when the bounds are so close, in frames",
        ge=1,
        le=2**31 - 1,
        source="RFC 9004 §6.2: must be reported",
    )
    step_percent: Number | None = key(
        1.0,
        "step size in percent of the upper bound; with both, the first that is reached",
        gt=0,
        le=50,
        source="RFC 9004 §6.2: must be reported",
    )
    repetitions: Whole = key(
        20, "number of complete searches", ge=1, le=10000, source="RFC 9004 §6.4: N, to be reported; RFC 8219 §12"
    )

    @model_validator(mode="after")
    def _a_step(self) -> BackToBack:
        if self.step_frames is None and self.step_percent is None:
            refuse("step_percent", None, "step_frames or step_percent")
        return self

    @property
    def tolerance(self) -> Mapping[DirectionName, float]:
        """As a key, where anything may be lost."""
        return {name: share for name, share in super().tolerance.items() if share}

    @property
    def steps(self) -> int:
        """A search's."""
        return SEARCH_STEPS

    def rate_of_trials(self, conditions: Conditions) -> float | None:
        """In a burst."""
        return conditions.top_fps

    def parameters(self) -> dict[str, Parameter]:
        """RFC 9004 §6.2."""
        return {
            **super().parameters(),
            "search": "binary search with loss verification (ETSI GS NFV-TST 009 §12.3.3)",
            "maximum_repeats": self.maximum_repeats,
            "repeat_up_to_frames": self.repeat_up_to_frames,
            "step_frames": self.step_frames,
            "step_percent": self.step_percent,
        }

    def deviations(self) -> Iterator[Deviation]:
        """RFC 8219 §7.5."""
        yield from super().deviations()
        yield from self.tolerated("RFC 9004 §6.2", "the burst length of RFC 9004")
        yield Deviation(
            "RFC 8219 §7.5",
            "back-to-back frames as in RFC 2544 §26.4",
            f"{self.label}: RFC 9004, which updates that section; bursts go at the highest rate that the Tester can "
            "send where the media's is higher, and buffer times are calculated with that rate",
        )

    def derived(self, found: Sequence[Measured], conditions: Conditions) -> Sequence[Derived]:
        """RFC 9004 §6.4: buffer times."""
        bursts = [value for one in found for value in one.known(BURST)]
        if not bursts or conditions.throughput is None:
            return ()
        longer = any(one.limited_by == "tester" for one in found)
        return buffer_times(fmean(bursts), conditions.throughput, conditions.top_fps, longer_possible=longer)

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One search. Where the Tester can't send a longer burst, the result says so: the DUT may hold more.

        Raises MeasurementFailed if trials stay invalid for another reason.
        """
        throughput_fps = conditions.throughput.fps if conditions.throughput is not None else 0.0
        burst_fps = conditions.top_fps
        if throughput_fps >= burst_fps:  # RFC 9004 §6.1
            tester = burst_fps < int(conditions.maximum_fps)
            why = "the Tester's own limit" if tester else "the highest rate"
            return Measured(
                (),
                (),
                no_result=NoResult(
                    "not applicable",
                    f"the throughput of {throughput_fps:.0f} fps reaches {why} of {burst_fps:.0f} fps: no buffer is "
                    "filled",
                    "RFC 9004 §6.1",
                ),
            )
        bursts = Bursts(self, conditions, measure)
        bounds = bisect(
            LossVerification(self.maximum_repeats, self.repeat_up_to_frames).verified(bursts.lost),
            bursts.shortest,
            bursts.longest,
            StopWidth.of(self.step_frames, self.step_percent),
            minimum_first=lambda: not bursts.outcomes[bursts.longest].valid,  # perhaps too fast for any burst
            progress=lambda now: conditions.progress(replace(now, unit="frames")),
        )
        return bursts.result(bounds)


@dataclass
class Bursts:
    """Those of one search, and what came of them."""

    wanted: BackToBack
    conditions: Conditions
    measure: Measure
    outcomes: dict[float, Trial] = field(default_factory=dict)
    trials: list[int] = field(default_factory=list)

    @property
    def longest(self) -> float:
        """Upper limit of the search in frames (RFC 9004 §6.2)."""
        return float(max(self.shortest, int(self.conditions.top_fps * self.conditions.trial.duration_s)))

    @property
    def shortest(self) -> float:
        """Lower limit in frames."""
        return float(max(1, ceil(self.conditions.top_fps * SHORTEST_S)))

    def request(self, frames: float) -> TrialRequest:
        """RFC 9004 §6.2: burst, time to receive it at the throughput, and at least 2 s; longer bursts wait longer."""
        trial, burst_fps, throughput = self.conditions.trial, self.conditions.top_fps, self.conditions.throughput
        burst_s = frames / burst_fps
        drain_s = max(0.0, frames / throughput.fps - burst_s) if throughput is not None else 0.0
        wait_s = max(trial.timeout_s, burst_s)
        return replace(trial.at(burst_fps, burst_s, "burst"), timeout_s=round(drain_s + wait_s, 6))

    def lost(self, frames: float) -> int | None:
        """Frames lost of a burst, both directions together, more than may be; None if the Tester can't send it."""
        attempts = measure_valid(self.measure, self.request(frames), self.wanted.retries, self.wanted.tolerance)
        self.trials += [attempt.number for attempt in attempts]
        last = self.outcomes[frames] = attempts[-1]
        if not last.valid:
            return None
        return 0 if last.passed(self.wanted.tolerance) else last.lost

    def result(self, bounds: Bounds) -> Measured:
        """The longest burst, or why there is none."""
        trials, burst_fps = tuple(self.trials), self.conditions.top_fps
        if bounds.upper is None:
            return Measured(
                (),
                trials,
                trials[-1],
                no_result=NoResult(
                    "not valid",
                    f"nothing was lost from the longest burst of {self.conditions.trial.duration_s:g} s: repeat with "
                    "a higher duration_s",
                    "RFC 9004 §6.2",
                ),
            )
        above = self.outcomes[bounds.upper]
        reasons = "; ".join(above.why_invalid)
        if bounds.lower is None:
            why = f"the shortest burst that the Tester sends, {self.shortest:.0f} frames, already loses frames"
            if not above.valid:
                why = (
                    f"the Tester can't send bursts at {burst_fps:.0f} fps on these ports ({reasons}): give a lower "
                    "maximum_fps"
                )
            return Measured((), trials, above.number, no_result=NoResult("no result", why))
        at = self.outcomes[bounds.lower]
        longest, offered = Value(BURST, None, bounds.lower), Value(OFFERED, None, at.offered_fps)
        if not above.valid:
            remark = (
                f"at least {bounds.lower:.0f} frames, limited by the Tester: it can't send a burst of "
                f"{bounds.upper:.0f} frames at {burst_fps:.0f} fps ({reasons})"
            )
            return Measured((longest, offered), trials, at.number, (remark,), limited_by="tester")
        return Measured((longest, Value(STEP, None, bounds.width), offered), trials, at.number)


def buffer_times(
    average_frames: float, throughput: Throughput, burst_fps: float, *, longer_possible: bool = False
) -> tuple[Derived, ...]:
    """RFC 9004 §6.4: from the average over the repetitions. `longer_possible`: than the bursts that the Tester sent.

    Of a throughput that is a lower bound the corrected time is an upper one; nothing is known of it if both are bounds.
    """
    implied_s = average_frames / burst_fps
    corrected_s = implied_s - implied_s * throughput.fps / burst_fps
    faster_possible = bool(throughput.more_possible)
    return (
        Derived(
            "implied buffer time",
            "s",
            "average back-to-back frames / maximum theoretical rate",
            "RFC 9004 §6.4",
            implied_s,
            ">=" if longer_possible else "",
        ),
        Derived(
            "corrected buffer time",
            "s",
            "implied buffer time less what the DUT forwards while the burst arrives: implied * (1 - throughput / "
            "maximum theoretical rate)",
            "RFC 9004 §6.4",
            None if longer_possible and faster_possible else corrected_s,
            ">=" if longer_possible else "<=" if faster_possible else "",
        ),
    )
