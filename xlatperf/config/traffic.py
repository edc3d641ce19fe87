"""`[traffic]`: hosts, ports, header fields and mixes."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, get_args

from pydantic import Field, Strict, model_validator

from xlatperf.config.connections import ConnectionSpace
from xlatperf.engine.message import DIRECTIONS, DirectionName, TrafficClass
from xlatperf.keys.addresses import Network, NetworkIPv6
from xlatperf.keys.model import ConfigModel, Truth, Whole, key
from xlatperf.keys.not_allowed import refuse, toml
from xlatperf.keys.port_ranges import ClientPorts, ServerPorts
from xlatperf.procedures.series import PortBounds, Series
from xlatperf.procedures.trial_request import FrameSizeOf

Hops = Annotated[int, Strict(), Field(ge=0, le=254)] | Literal["learn"]
"""How often a DUT decrements hop limit or TTL."""
_HOPS = "a whole number, 0 to 254, or learn"
Acceptable = Literal["hop_limit", "traffic_class", "dont_fragment", "identification", "flow_label"]
"""Fields by which no router forwards, by the engine's names of frames that are wrong in them."""
_HOSTS_SOURCE = "RFC 2544 App. C.2.2 (198.18.0.0/15), RFC 5180 §5 (2001:2::/48)"


MOST_HOSTS = 65536
"""On one side, in all networks together: all their addresses are in a list."""
_HOSTS_IN_EACH = "number of hosts in each network, numbered from `host` on; at most 65536 in all networks together"


class Hosts(ConfigModel):
    """Simulated hosts behind the Tester on one side: `hosts` in each of `networks` consecutive networks."""

    prefix: Network = key(
        "198.18.0.0/24",
        "the first network; if it lies in that of the link, its host is the DUT's neighbour, and the Tester answers",
        allowed="a network such as 198.18.0.0/24",
        source=_HOSTS_SOURCE,
    )
    networks: Whole = key(
        1,
        "number of consecutive networks",
        ge=1,
        le=256,
        source="RFC 2544 §12: one address pair first, then 256 networks",
    )
    host: Whole = key(
        2,
        "number of the (first) host in each network; 0 in one of a single address, /32 or /128",
        ge=0,
        le=2**31 - 1,
        source="RFC 2544 App. C.2.2: test hosts are node 2",
    )
    hosts: Whole = key(1, _HOSTS_IN_EACH, ge=1, le=MOST_HOSTS, source="RFC 2544 §12: one in each network")

    @property
    def count(self) -> int:
        """How many there are."""
        return self.networks * self.hosts


class BackgroundHosts(ConfigModel):
    """The same for the native IPv6 background."""

    prefix: NetworkIPv6 = key(
        "2001:2:0:1000::/64", "the first network", allowed="a network such as 2001:2:0:1000::/64", source="RFC 5180 §5"
    )
    networks: Whole = key(1, "number of consecutive networks", ge=1, le=256, source="RFC 2544 §12")
    host: Whole = key(
        2,
        "number of the (first) host in each network; 0 in one of a single address, /128",
        ge=0,
        le=2**31 - 1,
        source="RFC 2544 App. C.2.2",
    )
    hosts: Whole = key(1, _HOSTS_IN_EACH, ge=1, le=MOST_HOSTS, source="RFC 2544 §12")


class TrafficSide(ConfigModel):
    """Hosts of one side."""

    hosts: Hosts = key(
        None,
        "hosts of the foreground, named by their IPv4 address where the DUT maps it to IPv6 (RFC 7915 §6); not where "
        "connections are, or subscribers, in their place",
        default_factory=Hosts,
    )
    background_hosts: BackgroundHosts = key(None, "hosts of the background", default_factory=BackgroundHosts)


class Ports(ConfigModel):
    """A range of UDP ports and its order."""

    order: Literal["fixed", "increasing", "decreasing", "pseudorandom"] = key(
        "pseudorandom",
        "order in which the ports are used; fixed: always the first",
        source="RFC 4814 §4.5: pseudorandom, uniform",
    )
    first: Whole = key(1024, "lowest port", ge=0, le=65535, source="RFC 4814 §4.5")
    last: Whole = key(65535, "highest port", ge=0, le=65535, source="RFC 4814 §4.5")

    @model_validator(mode="after")
    def _ordered(self) -> Ports:
        if self.first > self.last:
            refuse("first", self.first, f"at most last, which is {self.last}")
        return self


class SourcePorts(Ports):
    """RFC 4814 §4.5: 1024 to 65535."""


class DestinationPorts(Ports):
    """RFC 4814 §4.5: 1 to 49151."""

    first: Whole = key(1, "lowest port", ge=0, le=65535, source="RFC 4814 §4.5")
    last: Whole = key(49151, "highest port", ge=0, le=65535, source="RFC 4814 §4.5")


class TrafficDirection(ConfigModel):
    """Ports and hops of one direction."""

    source_ports: SourcePorts = key(None, "source ports", default_factory=SourcePorts)
    destination_ports: DestinationPorts = key(None, "destination ports", default_factory=DestinationPorts)
    flows: Whole | None = key(
        None,
        "so many flows of hosts, each of other networks or ports; of background frames as many, or all that theirs "
        "make; not set: each frame draws its own",
        ge=1,
        le=2**32 - 1,
        source="RFC 8219 §10.2.1: 1 network flow, then n",
    )
    hops: Hops | None = key(None, "`traffic.hops` of this direction alone", allowed=_HOPS, source="RFC 7915 §4.1, §5.1")
    background_hops: Hops | None = key(
        None, "`traffic.background_hops` of this direction alone", allowed=_HOPS, source="RFC 8200 §3"
    )

    def most_flows(self, pairs: int) -> int:
        """How many different flows there can be between so many pairs of hosts."""
        most = pairs
        for ports in (self.source_ports, self.destination_ports):
            most *= 1 if ports.order == "fixed" else ports.last - ports.first + 1
        return most


def _range(bounds: PortBounds) -> dict[str, int]:
    return dict(zip(("first", "last"), bounds, strict=True))


class Traffic(ConfigModel):
    """`[traffic]`."""

    frame_size_of: FrameSizeOf = key(
        "ipv6",
        "which side's frame a frame size names; the other side's follows. sender: each frame leaves the Tester in this "
        "size, whichever side that is, as RFC 2544's Testers send",
        source="RFC 8219 §5.1 leaves it open; it must be stated",
    )
    mix: tuple[tuple[Whole, Whole], ...] = key(
        ((1, 1),),
        "mixes [take, of]: `take` of `of` frames are translated, the rest is native IPv6; [0, 1]: native IPv6 alone",
        allowed="a list of pairs [take, of], 0 <= take <= of <= 1000, such as [[1, 1], [9, 10], [5, 10], [1, 10]]",
        source="RFC 8219 §5.3: 100 %, 90 %, 50 %, 10 %",
        min_length=1,
    )
    hop_limit: Whole = key(
        10, "hop limit (TTL) of the frames sent", ge=2, le=255, source="RFC 2544 App. C.2.6.4: TTL 10"
    )
    hops: Hops = key(
        1,
        "how many times the DUT decrements it; 2 for two devices in a row; learn: what it does with the first frames "
        "is required of all others",
        allowed=_HOPS,
        source="RFC 7915 §4.1, §5.1; with a tunnel: learn, as RFC 2473 §3.1 leaves it to its ends",
    )
    background_hops: Hops | None = key(
        None,
        "the same for background frames; not set: as hops. A translator behind the kernel: 3 hops, native IPv6 1",
        allowed=_HOPS,
        source="RFC 8200 §3",
    )
    traffic_class: Whole = key(
        0, "traffic class (TOS) of the frames sent, all eight bits", ge=0, le=255, source="RFC 2544 App. C.2.6.4: TOS 0"
    )
    dont_fragment: Truth = key(
        True,
        "DF of IPv4 frames; 0 makes a translator fragment what exceeds 1280 bytes as IPv6",
        source="RFC 7915 §4.1; differs from RFC 2544 App. C.2.6.4 (DF 0)",
    )
    reassemble: Truth = key(
        False,
        "frames that come back in fragments are put together: those that are right as a whole count as one frame, "
        "which came when its last fragment did; false: each counts as a fragment, which is wrong. IPv4 frames with "
        "DF 0 leave with different identifications then. The Tester looks at each fragment by itself, which takes up "
        "to 1 µs",
        source="RFC 7915 §4.1: what exceeds 1280 bytes as IPv6; RFC 6333 §5.3: what doesn't fit as a tunnel's packet",
    )
    udp_checksum: Truth = key(
        True,
        "UDP checksum of IPv4 frames, also of those in a tunnel; false: they are sent with none, which a tunnel or "
        "NAT44 must leave so; a translator to IPv6 must compute it, or drops the frame",
        source="RFC 768; RFC 7915 §4.5",
    )
    source_macs: Literal["port", "pseudorandom"] = key(
        "port",
        "source MAC addresses of the frames sent; port: that of the Tester's port, as if a router were there; "
        "pseudorandom: each source address has one of its own, 30 of its bits by the seed, and the port's number "
        "within; what comes back goes to the port's. Not where a switch or virtual port lets only its own address pass",
        source="RFC 4814 §4.2, §4.2.1",
    )
    accept: tuple[Acceptable, ...] = key(
        (),
        "frames that the DUT spoils in these header fields alone count as received, and are told; check names those "
        "that it sees. The Tester looks at each such frame by itself, which takes up to 1 µs",
        allowed=f"a list of {', '.join(map(toml, get_args(Acceptable)))}",
        source="no router forwards by them; RFC 7915 §4.1, §5.1 and RFC 2474 §3 say what they must be",
    )
    left: TrafficSide = key(None, "the customer's side", default_factory=TrafficSide)
    right: TrafficSide = key(None, "the Internet's side", default_factory=TrafficSide)
    forward: TrafficDirection = key(
        None, "left to right; with connections: of the background", default_factory=TrafficDirection
    )
    reverse: TrafficDirection = key(
        None, "right to left; with connections: of the background", default_factory=TrafficDirection
    )
    connections: ConnectionSpace | None = key(
        None,
        "with stateful technologies, in place of hosts: what connections are made of",
        allowed="a table",
        source="RFC 9693 §3.2, §4.1",
    )

    @model_validator(mode="after")
    def _sensible(self) -> Traffic:
        for index, (take, of) in enumerate(self.mix):
            if not 0 <= take <= of <= 1000 or not of:
                refuse(f"mix[{index}]", [take, of], "[take, of], 0 <= take <= of <= 1000, of not 0")
            if not take and self.connections is not None:
                refuse(f"mix[{index}]", [take, of], "[take, of], 1 <= take: connections are made of the foreground")
        if len({Fraction(take, of) for take, of in self.mix}) != len(self.mix):
            refuse("mix", self.mix, "each proportion once")
        if len(set(self.accept)) != len(self.accept):
            refuse("accept", self.accept, "each field once")
        for place, table in (("", self), ("forward.", self.forward), ("reverse.", self.reverse)):
            for name, hops in (("hops", table.hops), ("background_hops", table.background_hops)):
                if isinstance(hops, int) and hops >= self.hop_limit:
                    refuse(f"{place}{name}", hops, f"less than hop_limit, which is {self.hop_limit}")
        return self

    def at(self, series: Series) -> Traffic:
        """With the ports, networks and flows that a series has in place of its own."""
        changed: dict[str, object] = {}
        if series.flows is not None:
            changed |= {name: self.of(name).model_copy(update={"flows": series.flows}) for name in DIRECTIONS}
        if series.networks is not None:
            for name in ("left", "right"):
                side: TrafficSide = getattr(self, name)
                hosts = side.hosts.model_copy(update={"networks": series.networks})
                changed[name] = side.model_copy(update={"hosts": hosts})
        if self.connections is not None and (series.client_ports, series.server_ports) != (None, None):
            client = ClientPorts(**_range(series.client_ports)) if series.client_ports else None
            server = ServerPorts(**_range(series.server_ports)) if series.server_ports else None
            changed["connections"] = self.connections.with_ports(client, server)
        return self.model_copy(update=changed) if changed else self

    @property
    def mixed(self) -> bool:
        """Whether some mix has native background."""
        return any(take < among for take, among in self.mix)

    @property
    def has_foreground(self) -> bool:
        """Whether some mix has frames that are translated."""
        return any(take > 0 for take, _ in self.mix)

    @property
    def richest_mix(self) -> tuple[int, int]:
        """One with all classes of frames that any mix has."""
        both = self.mixed and self.has_foreground
        return next((mix for mix in self.mix if 0 < mix[0] < mix[1]), (1, 2)) if both else self.mix[0]

    def of(self, direction: DirectionName) -> TrafficDirection:
        """The direction's table."""
        return self.forward if direction == "forward" else self.reverse

    def hops_of(self, direction: DirectionName, traffic_class: TrafficClass) -> int | Literal["learn"]:
        """How often the DUT decrements hop limit or TTL of such frames."""
        own = self.of(direction)
        hops = self.hops if own.hops is None else own.hops
        if traffic_class == "foreground":
            return hops
        background = self.background_hops if own.background_hops is None else own.background_hops
        return hops if background is None else background
