"""The trials of results.json: what was asked (`TrialRequest`), and of the engine's answers what a report needs.

Units are in the names; `results.py` says what they have in common.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from xlatperf.engine.delays import Delays
from xlatperf.engine.direction_answer import ClassCounters, Gap, Interval
from xlatperf.engine.mappings import Mappings
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.engine.trial_answer import Event, InvalidReason, LoadSample, MovedGateway
from xlatperf.procedures.trial import link_followed
from xlatperf.procedures.trial_request import TrialRequest


class Record(BaseModel):
    """Base of all records: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class SideSizes(Record):
    """Foreground frame size on each side in bytes with FCS (RFC 8219 §5.1: the larger one bounds the rate)."""

    left: int
    right: int


class Mix(Record):
    """`take` of `of` frames are foreground, the rest is native IPv6 background (RFC 8219 §5.3)."""

    take: int
    of: int


class DirectionRecord(Record):
    """One direction of a trial."""

    intended: int
    sent: int
    offered_fps: float
    loss: int = Field(description="sent - expected, both classes together")
    loss_percent: float
    frame_size_sent: int
    frame_size_received: int
    foreground: ClassCounters
    background: ClassCounters | None
    together: Delays | None = Field(default=None, description="of all frames, where there are both classes")
    late_frames: int = Field(description="frames that left later than the schedule allows (the Tester's doing)")
    not_taken: int = Field(
        default=0, description="of those lost: the DUT had no room for them in the memory that the port shares with it"
    )
    waited_ns: float = Field(
        default=0, description="one waited at least so long in the Tester's own port until the DUT took it; 0: none"
    )
    longest_stall_ns: float | None
    stalls: int = Field(default=0, description="how often the Tester was held up for 100 µs or more (docs/protocol.md)")
    lost_after_stall: int = Field(
        default=0, description="of those lost: left right after a stall of the Tester, faster than due"
    )
    dropped_at_most: int = Field(
        default=0, description="of those lost: the Tester's own receive ring may have had no room for so many"
    )
    still_arriving: bool = Field(
        default=False, description="frames were still arriving when the wait for them ended: timeout_s may be too short"
    )
    last_lost: int | None = Field(default=None, description="number of the last lost frame, if known")
    longest_gap: Gap | None = None
    intervals: tuple[Interval, ...] = Field(
        default=(), description="what was due in each request.interval_s, the last one may be shorter"
    )

    def classes(self) -> list[tuple[TrafficClass, ClassCounters]]:
        """The classes that the traffic has, by name."""
        each: tuple[tuple[TrafficClass, ClassCounters | None], ...] = (
            ("foreground", self.foreground),
            ("background", self.background),
        )
        return [(name, one) for name, one in each if one is not None]

    @property
    def all_frames(self) -> Delays:
        """Delays of both classes together."""
        return self.foreground if self.together is None else self.together

    @property
    def only_after_stalls(self) -> bool:
        """Whether frames were lost, and all of them right after the Tester itself was held up."""
        return 0 < self.loss <= self.lost_after_stall


class IcmpRecord(Record):
    """ICMP errors that arrived on one side."""

    side: Literal["left", "right"]
    version: int
    type: int
    code: int
    count: int
    sender: str | None
    meaning: str


class SampleRecord(Record):
    """A frame that came back wrong: bytes as hex, without FCS."""

    side: Literal["left", "right"]
    direction: DirectionName | None
    reason: str
    number: int | None
    traffic_class: TrafficClass | None
    received: str | None
    expected: str | None
    text: str


class PhaseRecord(Record):
    """What the Tester saw in one phase; an ordinary trial is one phase."""

    valid: bool = Field(description="false: the trial says nothing about the DUT")
    reasons: tuple[InvalidReason, ...]
    elapsed_s: float
    forward: DirectionRecord | None
    reverse: DirectionRecord | None
    port_counters: dict[str, dict[str, int]] = Field(
        description="left, right: stale, returned, foreign, receive_drops ..."
    )
    icmp_errors: tuple[IcmpRecord, ...]
    samples: tuple[SampleRecord, ...]
    learnt: int | None = Field(default=None, description="connections that the Responder knows")
    server_ports: tuple[int, int] | None = Field(default=None, description="first and last that the connections used")
    bytes_per_connection: int | None = Field(default=None, description="in the Responder's state table")

    def directions(self) -> list[tuple[DirectionName, DirectionRecord]]:
        """Those that sent, by name."""
        each: tuple[tuple[DirectionName, DirectionRecord | None], ...] = (
            ("forward", self.forward),
            ("reverse", self.reverse),
        )
        return [(name, one) for name, one in each if one is not None]


class ExperimentRecord(Record):
    """What belongs to an experiment of RFC 9693 §4.4 beside its last phase."""

    first_phase: PhaseRecord | None = None
    held_before: int | None = Field(default=None, description="entries of the DUT's table after it was emptied")
    held: int | None = Field(default=None, description="entries after phase 1")
    old_tried: int | None = Field(
        default=None,
        description="frames on connections of the experiment before that were sent before phase 1; none came in",
    )
    gap_s: float | None = Field(
        default=None, description="from the end of phase 1 until the next phase could have begun"
    )
    cleared_s: float | None = Field(default=None, description="how long deleting all took")
    collapsed: str | None = Field(default=None, description="why the DUT no longer works")
    mappings: Mappings | None = None


class TrialRecord(PhaseRecord):
    """One trial, compact. `number` is its place in the journal, from 0.

    Without `forward` and `reverse` it did not come to what it measures: phase 1 failed, or nothing was to be sent.
    """

    number: int
    run: str = Field(description="key of the run that it belongs to")
    request: TrialRequest
    event: Event | None = None
    moved_gateways: tuple[MovedGateway, ...] = Field(
        default=(), description="who answered from another MAC address than the one to which frames went at first"
    )
    experiment: ExperimentRecord | None = None
    device_cpu: dict[str, float] = Field(
        default_factory=dict, description="cores' worth that each part of the DUT used while frames were sent"
    )

    device_load: tuple[LoadSample, ...] = Field(default=(), description="the same from sample to sample")

    @property
    def says_nothing(self) -> bool:
        """Invalid, and no result follows from it: not so a reset with which the Tester's port went down as well."""
        return not self.valid and not (
            self.request.event is not None and link_followed(reason.code for reason in self.reasons)
        )

    @property
    def why_invalid(self) -> str:
        """The Tester's reasons; empty for a valid trial."""
        return "; ".join(reason.text for reason in self.reasons)

    @property
    def phases(self) -> tuple[PhaseRecord, ...]:
        """The trial, with the phase 1 that went before it in the same experiment (RFC 9693 §4.4)."""
        first = self.experiment.first_phase if self.experiment is not None else None
        return (self,) if first is None else (first, self)

    @property
    def only_after_stalls(self) -> bool:
        """Whether all that was lost, in any phase, left right after the Tester itself was held up."""
        lossy = [one for phase in self.phases for _, one in phase.directions() if one.loss]
        return self.valid and bool(lossy) and all(one.only_after_stalls for one in lossy)
