"""The engine's answer to `trial` as frozen models, exactly as docs/protocol.md has it. Units are in the names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from xlatperf.engine.delays import Delay, Delays
from xlatperf.engine.mappings import Mappings
from xlatperf.engine.message import Clock, DirectionName, Message, SideName, TrafficClass

WRONG_COUNTERS = (
    "duplicate",
    "late",
    "after_wait",
    "beyond_window",
    "wrong_mac",
    "wrong_address",
    "wrong_port",
    "wrong_length",
    "hop_limit",
    "traffic_class",
    "ip_header",
    "ip_checksum",
    "udp_checksum",
    "payload",
    "fragment",
    "untranslated",
    "outside_pool",
    "mapping_changed",
)
"""Counters of frames that arrived but not as expected: each such frame counts in exactly one of them."""

TOO_LATE = frozenset({"late", "after_wait", "beyond_window"})
"""Of those: right, and not in time."""

REMARK_COUNTERS = ("overtaken", "reordered", "df_differs", "udp_checksum_zero", "encapsulation_limit")
"""Remarks on frames that also count as `expected`."""


LEAST_WAITED_NS = 1e6
"""Less may be the time in which the DUT is woken."""
STALL_MARGIN = 1.5
"""What was due in stalls is known to this: the rate is that of the whole trial."""
QUIET_S, QUIET_INTERVALS = 0.001, 4.0
"""Nothing has come for so long, and so many times the interval of the frames that came: then no more is to come."""


class ClassCounters(Delays):
    """Counters of the frames of one class (foreground or background) in one direction.

    `lost`: numbers that never arrived, in whatever condition. Frames that arrived but are wrong, and remarks on those
    that count as expected, are by reason (docs/verification.md), as far as there are any. `seen_hop_limit`,
    `seen_outer_hop_limit`: lowest and highest of frames with another hop limit than they must have.
    """

    sent: int
    expected: int
    lost: int
    wrong: Mapping[str, int] = Field(default_factory=dict)
    remarks: Mapping[str, int] = Field(default_factory=dict)
    seen_hop_limit: tuple[int, int] | None = None
    seen_outer_hop_limit: tuple[int, int] | None = None

    @model_validator(mode="before")
    @classmethod
    def _by_reason(cls, told: Any) -> Any:
        """The protocol has a member for each counter."""
        if not isinstance(told, dict):
            return told
        kinds = {"wrong": WRONG_COUNTERS, "remarks": REMARK_COUNTERS}
        found = {kind: {name: told[name] for name in names if told.get(name)} for kind, names in kinds.items()}
        return {**found, **told}

    @property
    def loss_ratio(self) -> float:
        """RFC 2544 §26.3: (input - output) / input, where what is wrong is no output; 0 when nothing was sent."""
        return (self.sent - self.expected) / self.sent if self.sent else 0.0


class Stamps(Message):
    """Whose clock times of departure and of arrival are of: the host's (`tsc`) or the NIC's."""

    departure: Literal["tsc", "nic"]
    arrival: Literal["tsc", "nic"]


class FrameSizes(Message):
    """Foreground frame size with FCS, as sent and as received, in bytes."""

    sent: int
    received: int


class Departure(Message):
    """How well the schedule was kept: `late` is actual minus due time of departure.

    `not_taken`: frames that were sent, but for which the DUT had no room in the memory that the port shares with it.
    `waited_ns`: one waited at least so long in the port, on a software link, until the DUT took it: delays contain it.
    `stalls`: of the Tester itself; `lost_after_stall`: lost frames that left right after one, faster than due.
    """

    late: Delay | None = None
    late_frames: int = 0
    not_taken: int = 0
    waited_ns: float | None = None
    stalls: int = 0
    lost_after_stall: int = 0
    longest_stall_ns: float | None = None
    smallest_gap_ns: float | None = None
    largest_burst: int | None = None


class Interval(Message):
    """The frames that were due in one interval of a long trial, both classes together, whenever they arrived.

    `delay`: without those of frames that arrived when the next interval but one had begun. `late_frames`, `stalls`: of
    the Tester itself, as in `Departure`.
    """

    sent: int
    expected: int
    lost: int
    wrong: Mapping[str, int] = Field(default_factory=dict)
    delay: Delay
    late_frames: int = 0
    stalls: int = 0

    @property
    def not_expected(self) -> int:
        """Frames that did not come back as they must."""
        return self.sent - self.expected

    @property
    def loss_percent(self) -> float:
        """RFC 2544 §26.3; 0 when nothing was sent."""
        return 100 * self.not_expected / self.sent if self.sent else 0.0


class Fence(Message):
    """What became of the last frames of a direction, which weren't altered; they are in its other counters too."""

    sent: int = 0
    expected: int = 0
    lost: int = 0
    wrong: Mapping[str, int] = Field(default_factory=dict)


class Gap(Message):
    """The longest time between the arrivals of two right frames, and their numbers (RFC 6201 §1.3)."""

    ns: float
    before: int
    after: int


class Direction(Message):
    """One direction of a trial. `together`: the delays of all frames, where there are both classes.

    `dropped_at_most`: of the lost frames so many may have found no room in the Tester's own receive ring, on a port
    that doesn't count them. `quiet_s`: when the wait ended, no right frame had come for so long; None: none has at all.
    `arrival_interval_s`: the mean one of those that had come.
    """

    intended: int
    sent: int
    offered_fps: float
    sending_s: float
    frame_size: FrameSizes
    stamps: Stamps | None = None
    foreground: ClassCounters
    background: ClassCounters | None = None
    together: Delays | None = None
    lost_ranges: tuple[tuple[int, int], ...] = ()
    lost_ranges_complete: bool = True
    last_lost: int | None = None
    dropped_at_most: int = 0
    quiet_s: float | None = None
    arrival_interval_s: float | None = None
    longest_gap: Gap | None = None
    departure: Departure | None = None
    intervals: tuple[Interval, ...] = ()
    fence: Fence | None = None

    def classes(self) -> list[tuple[TrafficClass, ClassCounters]]:
        """The classes that the traffic has, by name."""
        found: list[tuple[TrafficClass, ClassCounters]] = [("foreground", self.foreground)]
        if self.background is not None:
            found.append(("background", self.background))
        return found

    @property
    def all_frames(self) -> Delays:
        """Delays of both classes together."""
        return self.foreground if self.together is None else self.together

    def delays(self) -> list[tuple[TrafficClass | None, Delays]]:
        """Of all frames (None), then of each class where there are both (RFC 8219 §7.3)."""
        each = [] if self.together is None else self.classes()
        return [(None, self.all_frames), *each]

    @property
    def after_wait(self) -> int:
        """Right frames that came when the wait for them was over."""
        return sum(counters.wrong.get("after_wait", 0) for _, counters in self.classes())

    @property
    def still_arriving(self) -> bool:
        """Whether frames that count as lost may only have been late: some came after the wait, or right up to its end.

        Up to its end is: within a few of the intervals at which they came.
        """
        if self.after_wait:
            return True
        if self.quiet_s is None or not any(counters.lost for _, counters in self.classes()):
            return False
        return self.quiet_s < max(QUIET_S, QUIET_INTERVALS * (self.arrival_interval_s or 0.0))

    @property
    def waited_ns(self) -> float:
        """So long one waited in the port until the DUT took it, where that is more than a moment."""
        waited = self.departure.waited_ns if self.departure is not None else None
        return waited if waited is not None and waited >= LEAST_WAITED_NS else 0.0

    def short_by(self, share: float) -> bool:
        """Less was sent than intended, by more than this share, and not because the Tester was held up."""
        return self.sent < (1 - share) * self.intended and self.intended - self.sent > self._due_in_stalls

    @property
    def _due_in_stalls(self) -> float:
        """About as many frames were due while the Tester was held up, at most."""
        departure = self.departure
        if departure is None or not departure.longest_stall_ns or not self.sending_s:
            return 0.0
        stalled_s = 1e-9 * departure.longest_stall_ns * departure.stalls
        return STALL_MARGIN * self.intended * stalled_s / self.sending_s


class IcmpErrors(Message):
    """ICMP (`version` 4) or ICMPv6 (6) errors of one type, code and sender."""

    version: int
    type: int
    code: int
    count: int
    sender: str | None = Field(default=None, alias="from")


class PortCounts(Message):
    """What arrived on one side and belongs to no class, and the port's own counters.

    `waiting_before`: frames of earlier trials that had not left this port when the trial began.
    """

    received: int
    received_by_queue: tuple[int, ...] = ()
    arp_nd: int = 0
    stale: int = 0
    returned: int = 0
    foreign: int = 0
    malformed: int = 0
    icmp_errors: tuple[IcmpErrors, ...] = ()
    receive_drops: int = 0
    transmit_errors: int = 0
    no_buffers: int = 0
    waiting_before: int = 0
    link_up: bool = True


class Sample(Message):
    """A frame that came back wrong, with its bytes."""

    side: SideName
    direction: DirectionName | None = None
    reason: str
    number: int | None = None
    class_: str | None = Field(default=None, alias="class")
    received: str | None = None
    expected: str | None = None
    text: str = ""


class InvalidReason(Message):
    """Why a trial says nothing about the DUT."""

    code: str
    text: str


class Event(Message):
    """What was done to the DUT during the trial (RFC 6201). The campaign adds it to the engine's answer.

    Times in s after the trial was asked for; `error`: why it could not be done.
    """

    kind: str
    started_s: float
    ended_s: float
    error: str | None = None


class MovedGateway(Message):
    """Who answered for the DUT's address from another MAC address than the one to which frames went at first.

    `given`: that one is of the bench file, so frames kept going there.
    """

    side: SideName
    family: Literal["ipv4", "ipv6"]
    gateway: str
    sent_to: str
    answers_from: str
    given: bool


class TrialConnections(Message):
    """Which connections a trial's frames belonged to (RFC 9693 §4). `learnt`: of how many the Responder knows."""

    count: int
    phase: Literal["establish", "each_once", "steady"]
    learnt: int
    server_ports: tuple[int, int]
    bytes_per_connection: int | None = None


JoinedOver = Literal["ports", "memory"]
"""Where the Tester was measured alone: the ports in use joined without a DUT, or ports in memory (net_ring)."""


class LoadSample(Message):
    """CPU cores' worth that each part of the DUT used between two times, in s after the first frame was due."""

    from_s: float
    to_s: float
    cores: dict[str, float]


class TrialAnswer(Message):
    """Answer to `trial`. A direction that was not asked for is None.

    The campaign adds `event`, `experiment`, `device_cpu` (cores' worth that each part of the DUT used while frames were
    sent; `device_load`: from sample to sample), and `over`: where a trial of the Tester alone took place. `raw_delays`:
    files with each frame's delay. `starts_at_s`: when the first frame was due, by the host's CLOCK_MONOTONIC.
    `waited_s`: for frames, after the last one left; `fence_came`: then because the fence was back whole and no frame
    had overtaken another. `settled_s`: how long it went on receiving then.
    """

    number: int
    valid: bool
    reasons: tuple[InvalidReason, ...] = ()
    elapsed_s: float
    starts_at_s: float | None = None
    waited_s: float | None = None
    settled_s: float = 0.0
    fence_came: bool | None = None
    clock: Clock | None = None
    forward: Direction | None = None
    reverse: Direction | None = None
    left: PortCounts
    right: PortCounts
    samples: tuple[Sample, ...] = ()
    moved_gateways: tuple[MovedGateway, ...] = ()
    connections: TrialConnections | None = None
    raw_delays: tuple[str, ...] = ()
    event: Event | None = None
    experiment: ExperimentAnswer | None = None
    device_cpu: dict[str, float] = Field(default_factory=dict)
    device_load: tuple[LoadSample, ...] = ()
    over: JoinedOver | None = None

    @property
    def complete(self) -> bool:
        """Whether it was valid, frames were sent, and every one came back as it must."""
        return (
            self.valid
            and bool(self.directions())
            and all(
                counters.sent > 0 and counters.expected == counters.sent
                for _, direction in self.directions()
                for _, counters in direction.classes()
            )
        )

    def directions(self) -> list[tuple[DirectionName, Direction]]:
        """The directions that ran, by name."""
        found: list[tuple[DirectionName, Direction]] = []
        if self.forward is not None:
            found.append(("forward", self.forward))
        if self.reverse is not None:
            found.append(("reverse", self.reverse))
        return found


class ExperimentAnswer(Message):
    """What an experiment of RFC 9693 §4.4 consists of beside its last phase, which is the trial that has it.

    `first_phase`: the engine's answer to phase 1, where another phase follows or should have followed; `attempts`:
    those before it, which were invalid, so that each frame that the DUT got is in the journal. `may_lose`: the share
    of its frames that may be lost; `reopened`: the answer to the frames that then opened the rest.
    """

    first_phase: TrialAnswer | None = None
    attempts: tuple[TrialAnswer, ...] = ()
    may_lose: float | None = None
    reopened: TrialAnswer | None = None
    held_before: int | None = None
    held: int | None = None
    old_tried: int | None = None
    gap_s: float | None = None
    cleared_s: float | None = None
    collapsed: str | None = None
    mappings: Mappings | None = None


TrialAnswer.model_rebuild()
