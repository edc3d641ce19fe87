"""The engine's answers to all requests but `trial`, as frozen models, exactly as docs/protocol.md has them.

Keys that a newer engine adds are tolerated; a missing or wrong one is an error. Units are in the names.
"""

from __future__ import annotations

from pydantic import Field

from xlatperf.engine.message import Clock, Family, Message, SideName
from xlatperf.engine.shown import Shown


class Port(Message):
    """An opened port and what it can do. `speed_mbps`, `mtu` 0: unknown.

    `promiscuous`: it takes frames to any MAC address. `receive_ring`: how many frames can wait in one of its queues for
    a receiver; 0: unknown. `why_down`: why it has no link, in words; None: it has one.
    """

    port: str
    driver: str
    mac: str
    link_up: bool
    why_down: str | None = None
    speed_mbps: int = 0
    mtu: int = 0
    rx_timestamp: bool = False
    send_on_timestamp: bool = False
    rate_limit: bool = False
    promiscuous: bool = False
    receive_drops_known: bool = False
    receive_ring: int = 0


class CounterOffset(Message):
    """A worker's time stamp counter against the main thread's; None: both share a core, so it can't be told."""

    core: int
    offset_ns: float | None
    uncertainty_ns: float | None


class WorkerRoles(Message):
    """What a worker core does in a trial of both directions: `left sender`, with several queues `left sender 1`."""

    core: int
    does: tuple[str, ...]


class OpenAnswer(Message):
    """Answer to `open`."""

    version: str
    dpdk: str
    hugepages: bool = False
    nice: int | None = None
    cores: tuple[int, ...] = ()
    clock: Clock | None = None
    counters: tuple[CounterOffset, ...] = ()
    roles: tuple[WorkerRoles, ...] = ()
    left: Port
    right: Port

    @property
    def media_mbps(self) -> float | None:
        """Speed of the slower port in Mbit/s; None if a port does not know its speed."""
        speeds = (self.left.speed_mbps, self.right.speed_mbps)
        return float(min(speeds)) if all(speeds) else None


class Route(Message):
    """A network that the DUT must route to the Tester on one side; `via` None: it's on the link, where the Tester
    answers for it."""

    prefix: str
    via: str | None
    class_: str = Field(alias="class")


class DescribedHosts(Message):
    """First and last simulated host of one side."""

    family: Family
    first_host: str
    last_host: str


class DescribedSide(Message):
    """What one side needs from the DUT."""

    families: tuple[Family, ...]
    routes: tuple[Route, ...]
    foreground: DescribedHosts | None = None


class Describe(Message):
    """The networks each side needs routed."""

    left: DescribedSide
    right: DescribedSide


class ConfigureAnswer(Message):
    """Answer to `configure` and `describe`."""

    describe: Describe


class SoftwiresAnswer(Message):
    """How many rows a binding table has that was written."""

    path: str
    count: int


class ShowAnswer(Message):
    """Answer to `show`."""

    frames: tuple[Shown, ...]


class Neighbour(Message):
    """A gateway and its MAC address; None: no answer."""

    gateway: str
    mac: str | None = None


class AddressConflict(Message):
    """Several stations claim one address, or another one claims the Tester's (`own`)."""

    text: str
    own: bool


class ReceivedFrame(Message):
    """A frame without FCS, and when it was seen."""

    hex: str
    after_us: float


class ExchangeAnswer(Message):
    """Frames that came on each side. `sent`: how many the ports took; `more`: came, and aren't told."""

    sent: int
    left: tuple[ReceivedFrame, ...] = ()
    right: tuple[ReceivedFrame, ...] = ()
    more: int = 0
    until_seen: bool = False


class ResolveAnswer(Message):
    """Answer to `resolve`: per side and family, the DUT's MAC address.

    `down`: of a side's port, why it has no link. `conflicts`: addresses on a side that several stations claim.
    `other_tags`: that frames had on a side in place of the link's VLAN tag, in words.
    """

    left: dict[str, Neighbour] = Field(default_factory=dict)
    right: dict[str, Neighbour] = Field(default_factory=dict)
    down: dict[SideName, str] = Field(default_factory=dict)
    conflicts: dict[SideName, tuple[AddressConflict, ...]] = Field(default_factory=dict)
    other_tags: dict[SideName, tuple[str, ...]] = Field(default_factory=dict)

    def silent(self) -> list[tuple[SideName, str, str]]:
        """Side, family and address of every gateway that did not answer."""
        sides: list[tuple[SideName, dict[str, Neighbour]]] = [("left", self.left), ("right", self.right)]
        return [
            (side, family, neighbour.gateway)
            for side, families in sides
            for family, neighbour in families.items()
            if neighbour.mac is None
        ]
