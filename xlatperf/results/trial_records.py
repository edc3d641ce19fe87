"""The trials of results.json. Units are in the names; `results.py` says what they have in common."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from xlatperf.engine.message import SideName, TrafficClass

DirectionName = Literal["forward", "reverse"]
DirectionChoice = Literal["bidirectional", "forward", "reverse"]


class Record(BaseModel):
    """Base of all records: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class SideSizes(Record):
    """Foreground frame size on each side in bytes with FCS (RFC 8219 §5.1: the larger one bounds the rate)."""

    left: int
    right: int


class Mix(Record):
    """`take` of `of` frames are foreground, the rest is native IPv6 background (RFC 8219 §5.3)."""

    take: int
    of: int


class DelaySummary(Record):
    """Delays of expected frames in ns; all but the counts are None when count is 0. RFC 2330 §11.3 percentiles."""

    count: int
    negative: int
    min_ns: float | None
    p1_ns: float | None
    median_ns: float | None
    mean_ns: float | None
    p99_ns: float | None
    p999_ns: float | None
    max_ns: float | None


class TaggedRecord(Record):
    """Delays of the tagged frames of a trial in ns, exact (RFC 8219 §7.2); None when none was received."""

    sent: int
    received: int
    min_ns: float | None
    median_ns: float | None
    p999_ns: float | None
    max_ns: float | None


class DelayVariationRecord(Record):
    """IPDV in ns, signed, of pairs of consecutive frames that both came back (RFC 5481 §4.1)."""

    pairs: int
    min_ns: float | None
    median_ns: float | None
    max_ns: float | None
    mean_ns: float | None


class DelaysRecord(Record):
    """Delays of the frames of one class, or of all."""

    delay: DelaySummary
    tagged: TaggedRecord | None = None
    delay_variation: DelayVariationRecord | None = None
    delay_from_due: DelaySummary | None = Field(
        default=None, description="delays from when a frame was due, not from when it left"
    )


class ClassRecord(DelaysRecord):
    """Counters of one class of frames in one direction."""

    sent: int
    expected: int = Field(description="arrived exactly as they must")
    lost: int = Field(description="numbers that never arrived, in whatever condition")
    wrong: dict[str, int] = Field(
        description="arrived but wrong, by reason (docs/protocol.md); only those that occurred"
    )
    remarks: dict[str, int] = Field(description="as docs/verification.md has them; they also count as expected")


class GapRecord(Record):
    """The longest time between the arrivals of two right frames in ns, and their numbers (RFC 6201 §1.3)."""

    ns: float
    before: int
    after: int


class DirectionRecord(Record):
    """One direction of a trial."""

    intended: int
    sent: int
    offered_fps: float
    loss: int = Field(description="sent - expected, both classes together")
    loss_percent: float
    frame_size_sent: int
    frame_size_received: int
    foreground: ClassRecord
    background: ClassRecord | None
    together: DelaysRecord | None = Field(default=None, description="of all frames, where there are both classes")
    late_frames: int = Field(description="frames that left later than the schedule allows (the Tester's doing)")
    not_taken: int = Field(
        default=0, description="of those lost: the DUT had no room for them in the memory that the port shares with it"
    )
    longest_stall_ns: float | None
    stalls: int = Field(default=0, description="how often the Tester was held up for 100 µs or more (docs/protocol.md)")
    lost_after_stall: int = Field(
        default=0, description="of those lost: left right after a stall of the Tester, faster than due"
    )
    last_lost: int | None = Field(default=None, description="number of the last lost frame, if known")
    longest_gap: GapRecord | None = None

    def classes(self) -> list[tuple[TrafficClass, ClassRecord]]:
        """The classes that the traffic has, by name."""
        each: tuple[tuple[TrafficClass, ClassRecord | None], ...] = (
            ("foreground", self.foreground),
            ("background", self.background),
        )
        return [(name, one) for name, one in each if one is not None]

    @property
    def all_frames(self) -> DelaysRecord:
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


class TrialReason(Record):
    """Why a trial is invalid."""

    code: str
    text: str


class TagsRecord(Record):
    """So many frames are tagged, uniformly from `from_s` on."""

    count: int
    from_s: float


class RateForRecord(Record):
    """A rate that follows without a pause."""

    rate_fps: float
    duration_s: float


class EventRecord(Record):
    """What was done to the DUT during a trial, in s after the trial was asked for."""

    kind: str
    started_s: float
    ended_s: float
    error: str | None


class MovedGatewayRecord(Record):
    """`given`: `sent_to` is the bench file's, so that frames kept going there; else they followed the answer."""

    side: SideName
    family: Literal["ipv4", "ipv6"]
    gateway: str
    sent_to: str
    answers_from: str
    given: bool


class TrialConnectionsRecord(Record):
    """What was asked of the connections: an experiment of RFC 9693 §4.4."""

    count: int
    phase: Literal["establish", "each_once", "steady"]
    establish_fps: float | None = Field(default=None, description="rate of phase 1 where another phase follows")
    wait_s: float = Field(default=0.0, description="between the phases")
    clear: bool = Field(default=False, description="deleting all is measured (RFC 9693 §4.8)")


class ChangeRecord(Record):
    """The field becomes (value & keep) ^ flip; numbers are hexadecimal."""

    field: str
    keep: str | None = None
    flip: str


class TrialRequestRecord(Record):
    """What was asked of the engine."""

    frame_size: int
    frame_size_of: Literal["ipv4", "ipv6"]
    rate_fps: float
    duration_s: float
    timeout_s: float
    directions: tuple[DirectionName, ...]
    frame_timeout_ms: float | None
    purpose: str = Field(description="what the procedure wanted to know: search, confirm, sweep, latency, burst ...")
    then: tuple[RateForRecord, ...] = ()
    tags: TagsRecord | None = None
    delay_variation: bool = False
    due_delays: bool = False
    histograms: bool = False
    raw_delays: bool = False
    tester_alone: bool = Field(default=False, description="in loopback, without the DUT")
    event: Literal["restart", "manual"] | None = None
    event_at_s: float | None = None
    connections: TrialConnectionsRecord | None = None
    alter: tuple[ChangeRecord, ...] = Field(default=(), description="what is changed in frames that must be refused")
    part: int | None = Field(default=None, description="which part of the technology alone sends: index of the domain")


class PhaseRecord(Record):
    """What the Tester saw in one phase; an ordinary trial is one phase."""

    valid: bool = Field(description="false: the trial says nothing about the DUT")
    reasons: tuple[TrialReason, ...]
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


class MappingsRecord(Record):
    """The DUT's mappings after phase 1, as the Responder saw them."""

    count: int
    learnt: int
    compared: int | None = Field(
        default=None, description="connections that were compared with others; fewer than learnt: a sample by hash"
    )
    shared: int = Field(description="of these, whose four tuple on the right side isn't their own")
    addresses: tuple[tuple[str, int], ...] = Field(description="translated sources with their connections, at most 64")
    other_addresses: int
    lowest_port: int | None
    highest_port: int | None
    ports_kept: int = Field(description="connections whose source port was not changed")
    examples: tuple[str, ...]


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
    mappings: MappingsRecord | None = None


class TrialRecord(PhaseRecord):
    """One trial, compact. `number` is its place in the journal, from 0.

    Without `forward` and `reverse` it did not come to what it measures: phase 1 failed, or nothing was to be sent.
    """

    number: int
    run: str = Field(description="key of the run that it belongs to")
    request: TrialRequestRecord
    event: EventRecord | None = None
    moved_gateways: tuple[MovedGatewayRecord, ...] = Field(
        default=(), description="who answered from another MAC address than the one to which frames went at first"
    )
    experiment: ExperimentRecord | None = None
    device_cpu: dict[str, float] = Field(
        default_factory=dict, description="cores' worth that each part of the DUT used while frames were sent"
    )

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
