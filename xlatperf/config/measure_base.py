"""What all measures of the bench file have in common, and the keys that several of them share."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from xlatperf.config.connections import MOST_CONNECTIONS
from xlatperf.config.model import ConfigModel, Number, Whole, key

MOST_SUBSCRIBERS = 2**24
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
    media_mbps: Number | None = key(
        None,
        "line rate in Mbit/s for the theoretical maximum; without it, the ports' own, or 10000 if they don't know",
        gt=0,
        le=1e6,
        source="RFC 8219 §5.1: the media must be reported",
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
    retries: Whole = key(
        2,
        "how often a trial is repeated that is invalid, or that lost frames only right after the Tester was held up",
        ge=0,
        le=100,
    )
    device_cores: tuple[Annotated[Whole, Field(ge=1, le=1024)], ...] | None = key(
        None,
        "on how many cores the DUT works, each number a series of its own; not set: as it is; all measures have it, or "
        "none",
        allowed="a list of numbers from 1 to 1024, each once, such as [1, 2, 4], if the driver can set it",
        source="RFC 9693 §5.2",
        min_length=1,
    )

    subscribers: tuple[Annotated[Whole, Field(ge=1, le=MOST_SUBSCRIBERS)], ...] | None = key(
        None,
        "numbers of simulated subscribers (the CEs of all domains, softwires, B4s), each a series of its own; not set: "
        "as technology.domains, technology.softwires or technology.b4s says",
        allowed=f"a list of numbers from 1 to {MOST_SUBSCRIBERS}, each once, such as [1000, 1000000], with map-e or "
        "map-t and role = br, lw4o6 and role = lwaftr, or dslite",
        source="RFC 8219 §10.2: the number of network flows",
        min_length=1,
    )

    @model_validator(mode="after")
    def _each_once(self) -> MeasureBase:
        if len(set(self.frame_sizes)) != len(self.frame_sizes):
            raise ValueError(f"frame_sizes: {list(self.frame_sizes)} is not allowed: each size once")
        for name in ("device_cores", "subscribers"):
            numbers = getattr(self, name)
            if numbers is not None and len(set(numbers)) != len(numbers):
                raise ValueError(f"{name}: {list(numbers)} is not allowed: each number once")
        return self

    @property
    def rates_wanted(self) -> bool:
        """Whether a rate has to come from a throughput measure for the same frames, in the same bench file."""
        return False


class OfConnections(MeasureBase):
    """A measure through a given number of connections of a stateful DUT."""

    connections: tuple[Annotated[Whole, Field(ge=1, le=MOST_CONNECTIONS)], ...] | None = key(
        None,
        "numbers of connections, each a series of its own; needed with stateful technologies, and only there",
        allowed="a list of numbers from 1 to 4294967295, each once, such as [10000, 100000]",
        source="RFC 9693 §5.1: a series of numbers; §6: to be reported",
        min_length=1,
    )

    @model_validator(mode="after")
    def _numbers_once(self) -> OfConnections:
        if self.connections is not None and len(set(self.connections)) != len(self.connections):
            raise ValueError(f"connections: {list(self.connections)} is not allowed: each number once")
        return self


class AfterPhase1(OfConnections):
    """A measure that phase 1 comes before, at a rate safely below the connection establishment rate (RFC 9693 §4.2)."""

    establish_fps: Rate | None = key(
        None,
        "with connections: rate of phase 1 in connections per second; not set: from the establishment measure of this "
        "file for the same frames and connections",
        allowed="a number, above 0 to 1000000000",
        source="RFC 9693 §4.2: safely below the maximum connection establishment rate, to be determined first",
    )
    establish_share: Number = key(
        0.5,
        "the share of that rate (the median of its repetitions) which phase 1 has",
        gt=0,
        le=1,
        source="RFC 9693 §4.2: safely below it; no number given",
    )

    @model_validator(mode="after")
    def _one_rate_of_phase_1(self) -> AfterPhase1:
        if self.establish_fps is not None and "establish_share" in self.model_fields_set:
            raise ValueError(f"establish_share: {self.establish_share:g} is not allowed: without establish_fps")
        return self


class TrafficMeasure(AfterPhase1):
    """A benchmark of RFC 8219 §7: traffic for a time. With a stateful DUT it is phase 2 (RFC 9693 §4.7)."""

    direction: Literal["bidirectional", "forward", "reverse"] = key(
        "bidirectional", "which directions run at once", source="RFC 8219 §5.3, RFC 9693 §4.7: bidirectional"
    )
    duration_s: Number = key(
        60.0, "how long each trial sends, in s", gt=0, le=86400, source="RFC 2544 §24: at least 60 s"
    )


class OneWay(MeasureBase):
    """A measure of connections, which the Initiator opens (RFC 9693 §4.5): a frame for each takes its time."""

    @property
    def direction(self) -> Literal["forward"]:
        """The Initiator's."""
        return "forward"


class UpToMaximum(MeasureBase):
    """A measure that goes up to a highest rate."""

    maximum_fps: Rate | Literal["theoretical"] = key(
        "theoretical",
        "highest rate per direction in frames per second",
        allowed='"theoretical" or above 0 to 1000000000',
        source="RFC 2544 §20; RFC 8219 App. A",
    )
