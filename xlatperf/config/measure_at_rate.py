"""Measures at a rate that is known before: latency, delay variation, reset."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from xlatperf.config.measure_base import Rate, TrafficMeasure
from xlatperf.config.model import REQUIRED, Number, Truth, Whole, key


class AtRate(TrafficMeasure):
    """The rate: given, or shares of the throughput that the bench finds for the same frames."""

    rate_fps: Rate | None = key(
        None,
        "rate per direction in frames per second; not set: from the throughput measure of this file for the same "
        "frame size and direction",
        allowed="a number, above 0 to 1000000000",
        source="RFC 8219 §7.2, §7.3: the throughput, to be determined first",
    )
    shares: tuple[Annotated[Number, Field(gt=0, le=1)], ...] = key(
        (1.0,),
        "shares of that throughput (the median of its repetitions), each a series of its own",
        allowed="a list of numbers above 0 to 1, each once, such as [0.1, 0.5, 0.9, 1.0]",
        source="RFC 8219 §7.2, §7.3: 1; queues are full there, so lower shares are worth a look",
        min_length=1,
    )

    @property
    def rates_wanted(self) -> bool:
        """Whether a rate has to come from a throughput measure."""
        return self.rate_fps is None

    @model_validator(mode="after")
    def _one_rate(self) -> AtRate:
        if len(set(self.shares)) != len(self.shares):
            raise ValueError(f"shares: {list(self.shares)} is not allowed: each share once")
        if self.rate_fps is not None and self.shares != (1.0,):
            raise ValueError(f"shares: {list(self.shares)} is not allowed: shares of the throughput, without rate_fps")
        return self


class DelayMeasure(AtRate):
    """What latency and delay variation have in common."""

    histogram: Truth = key(
        True,
        "keep the histogram of delays of the first repetition, for the report's plot",
        source="RFC 8219 §7.2: a histogram of one iteration may be shown",
    )
    raw_delays: Truth = key(
        False,
        "keep every frame's delay as Parquet files in the campaign's folder, at most 100 million frames a direction",
    )
    tester_alone_s: Number = key(
        10.0,
        "how long the Tester is measured at the same rate without the DUT, in s, to be shown beside; 0: not at all",
        ge=0,
        le=86400,
        source="RFC 8219 §9.2.1 asks it for DNS64 only",
    )
    repetitions: Whole = key(20, "number of trials", ge=1, le=10000, source="RFC 8219 §7.2, §7.3: at least 20")


class Latency(DelayMeasure):
    """RFC 8219 §7.2: typical latency (TL) and worst-case latency (WCL) of tagged frames."""

    procedure: Literal["latency"] = key(REQUIRED, "procedure")
    duration_s: Number = key(
        120.0, "how long each trial sends, in s", gt=0, le=86400, source="RFC 8219 §7.2: at least 120 s"
    )
    tags: Whole = key(
        10_000,
        "number of tagged frames per direction, with background as many of each class and of all; below 1000 the "
        "99.9th percentile is the maximum (RFC 2330 §11.3)",
        ge=500,
        le=10_000_000,
        source="RFC 8219 §7.2: at least 500",
    )
    tags_from_s: Number | None = key(
        None,
        "frames are tagged from this time on, in s; not set: from half of the duration on",
        ge=0,
        le=86400,
        source="RFC 8219 §7.2: after 60 s",
    )

    @property
    def first_tag_s(self) -> float:
        """When the first frame may be tagged."""
        return self.duration_s / 2 if self.tags_from_s is None else self.tags_from_s

    @model_validator(mode="after")
    def _tags_within(self) -> Latency:
        if self.first_tag_s >= self.duration_s:
            raise ValueError(
                f"tags_from_s: {self.first_tag_s:g} is not allowed: less than duration_s, which is {self.duration_s:g}"
            )
        return self


class Pdv(DelayMeasure):
    """RFC 8219 §7.3.1: packet delay variation, D99.9 - Dmin over all frames."""

    procedure: Literal["pdv"] = key(REQUIRED, "procedure")
    duration_s: Number = key(
        60.0, "how long each trial sends, in s", gt=0, le=86400, source="RFC 8219 §7.3.1: at least 60 s"
    )


class Ipdv(DelayMeasure):
    """RFC 8219 §7.3.2: inter packet delay variation: minimum, median, maximum."""

    procedure: Literal["ipdv"] = key(REQUIRED, "procedure")
    duration_s: Number = key(
        60.0, "how long each trial sends, in s", gt=0, le=86400, source="RFC 8219 §7.3.1: at least 60 s"
    )
    histogram: Truth = key(
        False,
        "keep the histogram of delays of the first repetition (of the delays, not of their variation)",
        source="RFC 8219 §7.2: a histogram of one iteration may be shown",
    )


class Reset(AtRate):
    """RFC 8219 §7.7, RFC 6201 §4: how long the DUT does not forward when it is reset."""

    procedure: Literal["reset"] = key(REQUIRED, "procedure")
    duration_s: Number = key(
        60.0,
        "how long each trial sends, in s; the DUT must forward again before it ends",
        gt=0,
        le=86400,
        source="RFC 6201 §4 gives none",
    )
    event: Literal["restart", "manual"] = key(
        "restart",
        "the reset: restart (the driver restarts the DUT's process) or manual (you, or a switched socket, do it)",
        source="RFC 6201 §4.2.2: process reset; §4.2.1 and §4.3 by hand",
    )
    reset_of: Literal["process", "operating_system", "routing_processor", "line_card", "power"] | None = key(
        None,
        "what is reset; needed with manual, which may be any of them",
        source="RFC 6201 §4.1.1, §4.1.2 hardware; §4.2.1, §4.2.2 software; §4.3 power",
    )
    power_off_s: Number = key(
        15.0,
        "with reset_of power: how long the power is off, which is subtracted",
        ge=0,
        le=3600,
        source="RFC 6201 §4.3.1: at least 15 s, subtracted from the result",
    )
    event_at_s: Number = key(
        15.0,
        "when the reset is started, in s after the trial",
        ge=0,
        le=86400,
        source="RFC 6201 §4: the DUT forwards for at least 15 s before",
    )
    repetitions: Whole = key(
        10, "number of trials", ge=1, le=10000, source="RFC 6201 §4: several, their number is to be reported"
    )

    @model_validator(mode="after")
    def _event_within(self) -> Reset:
        if self.event_at_s >= self.duration_s:
            raise ValueError(
                f"event_at_s: {self.event_at_s:g} is not allowed: less than duration_s, which is {self.duration_s:g}"
            )
        if self.event == "manual" and self.reset_of is None:
            raise ValueError(
                "reset_of: nothing is not allowed: with event = manual process, operating_system, routing_processor, "
                "line_card or power"
            )
        if self.event == "restart" and self.reset_of not in (None, "process"):
            raise ValueError(f"reset_of: {self.reset_of} is not allowed: process with event = restart")
        return self

    @property
    def interruption_s(self) -> float:
        """Of the power, which isn't the DUT's (RFC 6201 §4.3.1)."""
        return self.power_off_s if self.reset_of == "power" else 0.0
