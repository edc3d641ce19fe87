"""Measures that overload the DUT: back-to-back frames and system recovery."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from xlatperf.config.measure_base import Rate, TrafficMeasure, UpToMaximum
from xlatperf.config.model import REQUIRED, Number, Whole, key


class Overload(UpToMaximum, TrafficMeasure):
    """More than the throughput, which must be known."""

    throughput_fps: Rate | None = key(
        None,
        "the DUT's throughput per direction; not set: from the throughput measure of this file for the same frame "
        "size and direction",
        allowed="a number, above 0 to 1000000000",
        source="RFC 2544 §26.5; RFC 9004 §5: it must be available",
    )

    @property
    def rates_wanted(self) -> bool:
        """Whether a rate has to come from a throughput measure."""
        return self.throughput_fps is None


class BackToBack(Overload):
    """RFC 9004, which updates RFC 2544 §26.4: the longest burst at the highest rate without loss."""

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
            raise ValueError("step_percent: nothing is not allowed: step_frames or step_percent")
        return self


class SystemRecovery(Overload):
    """RFC 2544 §26.5, RFC 8219 §7.6: how long an overload is felt after it has ended."""

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
