"""The engine's answer to `trial` as frozen models, exactly as docs/protocol.md has it. Units are in the names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from xlatperf.engine.counters import SideCounters
from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.mappings import Mappings
from xlatperf.engine.message import Clock, DirectionName, Message, SideName, TrafficClass


class IcmpErrors(Message):
    """ICMP (`version` 4) or ICMPv6 (6) errors of one type, code and sender."""

    version: int
    type: int
    code: int
    count: int
    sender: str | None = Field(default=None, alias="from")


class PortCounts(SideCounters):
    """What arrived on one side and belongs to no class, and the port's own counters."""

    received: int
    received_by_queue: tuple[int, ...] = ()
    icmp_errors: tuple[IcmpErrors, ...] = ()
    link_up: bool = True


class Sample(Message):
    """A frame that came back wrong, with its bytes as hex, without FCS."""

    side: SideName
    direction: DirectionName | None = None
    reason: str
    number: int | None = None
    traffic_class: TrafficClass | None = Field(default=None, alias="class")
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


class IdleSample(Message):
    """Share of the time between two times, in s after the first frame was due, that each core of the DUT was idle."""

    from_s: float
    to_s: float
    idle: dict[str, float]


class TrialAnswer(Message):
    """Answer to `trial`. A direction that was not asked for is None. An invalid one says nothing about the DUT.

    There is no direction if it did not come to what it measures: phase 1 of an experiment failed, or the table was
    emptied and nothing else. The campaign adds `event`, `experiment`, `device_cpu` (cores' worth that each part of the
    DUT used while frames were sent; `device_load`: from sample to sample; `device_idle`: share of the time that each
    core of the DUT was idle; `core_idle`: second by second; `device_vectors`: packets that each thread took at once,
    where it takes vectors of them), and `over`: where a trial of the Tester alone took place. `frame_tag`: the number
    that its frames carried; results.json, which doesn't depend on how often a campaign was started, has none.
    `raw_delays`: files with each frame's delay. `starts_at_s`: when the first frame was due, by the host's
    CLOCK_MONOTONIC. `waited_s`: for frames, after the last one left; `fence_came`: then because the fence was back
    whole and no frame had overtaken another. `settled_s`: how long it went on receiving then.
    """

    frame_tag: SkipJsonSchema[int | None] = Field(default=None, alias="number", exclude_if=lambda tag: tag is None)
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
    experiment: Experiment | None = None
    device_cpu: dict[str, float] = Field(default_factory=dict)
    device_load: tuple[LoadSample, ...] = ()
    device_idle: dict[str, float] = Field(default_factory=dict)
    core_idle: tuple[IdleSample, ...] = ()
    device_vectors: dict[str, float] = Field(default_factory=dict)
    over: JoinedOver | None = None

    @property
    def complete(self) -> bool:
        """Whether it was valid, frames were sent, and every one came back as it must."""
        return (
            self.valid
            and bool(self.directions)
            and all(
                counters.sent > 0 and counters.expected == counters.sent
                for direction in self.directions.values()
                for counters in direction.classes.values()
            )
        )

    @property
    def why(self) -> str:
        """Its reasons in one line, for people; empty if it's valid."""
        return "; ".join(reason.text for reason in self.reasons)

    @property
    def why_invalid(self) -> tuple[str, ...]:
        """Its reasons in words, one line each."""
        return tuple(f"{reason.code}: {reason.text}" for reason in self.reasons)

    @property
    def sides(self) -> dict[SideName, PortCounts]:
        """What arrived on each and belongs to no class."""
        return {"left": self.left, "right": self.right}

    @property
    def directions(self) -> dict[DirectionName, Direction]:
        """Those that ran."""
        return {
            **({"forward": self.forward} if self.forward is not None else {}),
            **({"reverse": self.reverse} if self.reverse is not None else {}),
        }

    def passed(self, tolerance: Mapping[DirectionName, float]) -> bool:
        """Whether each direction passes by itself: the sum would hide an asymmetry (RFC 9693 §4.7).

        Without any direction nothing was measured, so nothing passed.
        """
        return (
            self.valid
            and bool(self.directions)
            and all(
                direction.loss_ratio <= tolerance.get(name, 0.0) and direction.sent > 0
                for name, direction in self.directions.items()
            )
        )

    @property
    def lost(self) -> int:
        """Frames that did not come back as they must, all directions together."""
        return sum(direction.loss for direction in self.directions.values())

    @property
    def sent(self) -> int:
        """Frames sent, all directions together."""
        return sum(direction.sent for direction in self.directions.values())

    @property
    def offered_fps(self) -> float:
        """The rate that counts: what was really sent per second, in the direction that got less; 0 without any."""
        return min((direction.offered_fps for direction in self.directions.values()), default=0.0)

    @property
    def something_came(self) -> bool:
        """Whether in each direction frames came back as they must, valid or not."""
        return bool(self.directions) and all(direction.expected > 0 for direction in self.directions.values())


class Experiment(Message):
    """What an experiment of RFC 9693 §4.4 consists of beside its last phase, which is the trial that has it.

    `first_phase`: the engine's answer to phase 1, where another phase follows or should have followed; `attempts`:
    those before it, which were invalid, so that each frame that the DUT got is in the journal. `may_lose`: the share
    of its frames that may be lost; `reopened`: the answer to the frames that then opened the rest. `held_before`,
    `held`: entries of the DUT's table after it was emptied and after phase 1, where the driver can count them.
    `old_tried`: frames that were sent on connections of the experiment before, and didn't come in, before phase 1.
    `gap_s`: from the end of phase 1 until the next phase could have begun. `cleared_s`: how long deleting all took.
    `collapsed`: why we think that the DUT no longer works. `mappings`: what the engine says of them.
    """

    first_phase: TrialAnswer | None = None
    attempts: tuple[TrialAnswer, ...] = ()
    may_lose: float = 0.0
    reopened: TrialAnswer | None = None
    held_before: int | None = None
    held: int | None = None
    old_tried: int | None = None
    gap_s: float | None = None
    cleared_s: float | None = None
    collapsed: str | None = None
    mappings: Mappings | None = None


TrialAnswer.model_rebuild()
