"""What all measures of the bench file have in common, and the keys that several of them share."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from xlatperf.config.model import ConfigModel, Number, Whole, key

Rate = Annotated[Number, Field(gt=0, le=1e9)]
"""Frames per second per direction."""


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
    retries: Whole = key(2, "how often an invalid trial is repeated", ge=0, le=100)

    @model_validator(mode="after")
    def _sizes_once(self) -> MeasureBase:
        if len(set(self.frame_sizes)) != len(self.frame_sizes):
            raise ValueError(f"frame_sizes: {list(self.frame_sizes)} is not allowed: each size once")
        return self

    @property
    def rates_wanted(self) -> bool:
        """Whether a rate has to come from a throughput measure for the same frames, in the same bench file."""
        return False


class UpToMaximum(MeasureBase):
    """A measure that goes up to a highest rate."""

    maximum_fps: Rate | Literal["theoretical"] = key(
        "theoretical",
        "highest rate per direction in frames per second",
        allowed='"theoretical" or above 0 to 1000000000',
        source="RFC 2544 §20; RFC 8219 App. A",
    )
