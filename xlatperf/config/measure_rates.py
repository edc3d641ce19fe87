"""Measures of rates: throughput and frame loss."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from xlatperf.config.measure_base import Rate, TrafficMeasure, UpToMaximum
from xlatperf.config.model import REQUIRED, ConfigModel, Number, Whole, key


class LossTolerance(ConfigModel):
    """Share of lost frames that still passes, per direction."""

    forward: Number = key(0.0, "ratio, left to right", ge=0, lt=1, source="RFC 2544 §26.1: 0")
    reverse: Number = key(0.0, "ratio, right to left", ge=0, lt=1, source="RFC 2544 §26.1: 0")


class TimedRates(UpToMaximum, TrafficMeasure):
    """With a timeout for each frame, beside the classic result without one."""

    frame_timeout_ms: Number | None = key(
        None,
        "a frame that took longer is late; results with late frames counted as lost then stand beside the classic ones",
        gt=0,
        le=60000,
        source="RFC 2544 §26.1 has none; standards differ from what users feel (Lencse, Kovács, Shima 2020)",
    )


class Throughput(TimedRates):
    """RFC 2544 §26.1, RFC 8219 §7.1: the fastest rate at which every frame comes back."""

    procedure: Literal["throughput"] = key(REQUIRED, "procedure")
    minimum_fps: Number = key(100.0, "lowest rate of the search per direction in frames per second", gt=0, le=1e9)
    stop_width_fps: Number | None = key(None, "stop when the bounds are so close, in frames per second", gt=0, le=1e9)
    stop_width_percent: Number | None = key(
        1.0,
        "stop when the bounds are so close, in percent of the upper one; with both, the first that is reached",
        gt=0,
        le=50,
    )
    loss_tolerance: LossTolerance = key(
        None,
        "share of lost frames that still passes",
        default_factory=LossTolerance,
        source="RFC 2544 §26.1: 0; anything else is not RFC 2544 throughput",
    )
    search_duration_s: Number | None = key(
        None,
        "shorter trials for the search; the result is then determined with trials of duration_s",
        gt=0,
        le=86400,
        source="RFC 2544 §24: allowed if the final determination has full length",
    )
    repetitions: Whole = key(
        10, "number of complete searches", ge=1, le=10000, source="RFC 8219 §12: several recommended, no number given"
    )

    @model_validator(mode="after")
    def _bounds(self) -> Throughput:
        if isinstance(self.maximum_fps, float) and self.minimum_fps > self.maximum_fps:
            raise ValueError(
                f"minimum_fps: {self.minimum_fps:g} is not allowed: at most maximum_fps, {self.maximum_fps:g}"
            )
        if self.stop_width_fps is None and self.stop_width_percent is None:
            raise ValueError("stop_width_percent: nothing is not allowed: stop_width_fps or stop_width_percent")
        return self


class FrameLoss(TimedRates):
    """RFC 2544 §26.3, RFC 8219 §7.4: the share of lost frames from the maximum rate downwards."""

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
