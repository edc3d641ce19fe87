"""`[[measure]]`: what is measured. One model per procedure, told apart by `procedure`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from xlatperf.config.model import REQUIRED, ConfigModel, Number, Whole, key


class LossTolerance(ConfigModel):
    """Share of lost frames that still passes, per direction."""

    forward: Number = key(0.0, "ratio, left to right", ge=0, lt=1, source="RFC 2544 §26.1: 0")
    reverse: Number = key(0.0, "ratio, right to left", ge=0, lt=1, source="RFC 2544 §26.1: 0")


class MeasureBase(ConfigModel):
    """What all procedures need."""

    name: str | None = key(None, "a name of your own for the report")
    frame_sizes: tuple[Annotated[Whole, Field(ge=64, le=9216)], ...] = key(
        (84, 128, 256, 512, 768, 1024, 1280, 1518),
        "frame sizes with FCS in bytes, of the side that traffic.frame_size_of names",
        allowed="a list of sizes from 64 (84 for IPv6) to 9216, each once",
        source="RFC 8219 §5.1.1, 84 in place of 64 for IPv6",
        min_length=1,
    )
    direction: Literal["bidirectional", "forward", "reverse"] = key(
        "bidirectional", "which directions run at once", source="RFC 8219 §5.3: bidirectional"
    )
    maximum_fps: Annotated[Number, Field(gt=0, le=1e9)] | Literal["theoretical"] = key(
        "theoretical",
        "highest rate per direction in frames per second",
        allowed='"theoretical" or above 0 to 1000000000',
        source="RFC 2544 §20; RFC 8219 App. A",
    )
    media_mbps: Number | None = key(
        None,
        "line rate in Mbit/s for the theoretical maximum; without it, the ports' own, or 10000 if they don't know",
        gt=0,
        le=1e6,
        source="RFC 8219 §5.1: the media must be reported",
    )
    duration_s: Number = key(
        60.0, "how long each trial sends, in s", gt=0, le=86400, source="RFC 2544 §24: at least 60 s"
    )
    timeout_s: Number = key(
        2.0, "how long to wait for frames after the last one was sent, in s", ge=0, le=60, source="RFC 2544 §23(d): 2 s"
    )
    settle_s: Number = key(
        5.0, "how long the DUT may rest after a trial, in s", ge=0, le=3600, source="RFC 2544 §23(e): at least 5 s"
    )
    learning_wait_s: Number = key(
        2.0, "wait after the learning frames before a trial, in s", ge=0, le=3600, source="RFC 2544 §23(b): 2 s"
    )
    frame_timeout_ms: Number | None = key(
        None, "a frame that took longer is late, and counts as lost", gt=0, le=60000, source="RFC 2544 has none"
    )
    retries: Whole = key(2, "how often an invalid trial is repeated", ge=0, le=100)

    @model_validator(mode="after")
    def _sizes_once(self) -> MeasureBase:
        if len(set(self.frame_sizes)) != len(self.frame_sizes):
            raise ValueError(f"frame_sizes: {list(self.frame_sizes)} is not allowed: each size once")
        return self


class Throughput(MeasureBase):
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


class FrameLoss(MeasureBase):
    """RFC 2544 §26.3, RFC 8219 §7.4: the share of lost frames from the maximum rate downwards."""

    procedure: Literal["frame_loss"] = key(REQUIRED, "procedure")
    step_percent: Number = key(
        10.0, "step of the sweep in percent of the highest rate", gt=0, le=10, source="RFC 2544 §26.3: at most 10 %"
    )
    rates_fps: tuple[Annotated[Number, Field(gt=0, le=1e9)], ...] | None = key(
        None,
        "explicit rates in place of the sweep, per direction",
        allowed="a list of rates above 0 to 1000000000",
        min_length=1,
    )
    repetitions: Whole = key(1, "number of complete sweeps", ge=1, le=10000, source="RFC 8219 §12: several recommended")


Measure = Annotated[Throughput | FrameLoss, Field(discriminator="procedure")]
