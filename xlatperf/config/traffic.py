"""`[traffic]`: hosts, ports, header fields and mixes."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from xlatperf.config.addresses import Network, NetworkIPv6
from xlatperf.config.connections import ConnectionSpace
from xlatperf.config.model import ConfigModel, Truth, Whole, key

_HOSTS_SOURCE = "RFC 2544 App. C.2.2 (198.18.0.0/15), RFC 5180 §5 (2001:2::/48)"


class Hosts(ConfigModel):
    """Simulated hosts behind the Tester on one side: one in each of `networks` consecutive networks."""

    prefix: Network = key(
        "198.18.0.0/24", "the first network", allowed="a network such as 198.18.0.0/24", source=_HOSTS_SOURCE
    )
    networks: Whole = key(
        1,
        "number of consecutive networks",
        ge=1,
        le=256,
        source="RFC 2544 §12: one address pair first, then 256 networks",
    )
    host: Whole = key(
        2, "number of the host in each network", ge=1, le=2**31 - 1, source="RFC 2544 App. C.2.2: test hosts are node 2"
    )


class BackgroundHosts(ConfigModel):
    """The same for the native IPv6 background."""

    prefix: NetworkIPv6 = key(
        "2001:2:0:1000::/64", "the first network", allowed="a network such as 2001:2:0:1000::/64", source="RFC 5180 §5"
    )
    networks: Whole = key(1, "number of consecutive networks", ge=1, le=256, source="RFC 2544 §12")
    host: Whole = key(2, "number of the host in each network", ge=1, le=2**31 - 1, source="RFC 2544 App. C.2.2")


class TrafficSide(ConfigModel):
    """Hosts of one side."""

    hosts: Hosts = key(
        None,
        "hosts of the foreground (with siit: named by their IPv4 address; not with connections, nor left with MAP)",
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
            raise ValueError(f"first: {self.first} is not allowed: at most last, which is {self.last}")
        return self


class SourcePorts(Ports):
    """RFC 4814 §4.5: 1024 to 65535."""


class DestinationPorts(Ports):
    """RFC 4814 §4.5: 1 to 49151."""

    first: Whole = key(1, "lowest port", ge=0, le=65535, source="RFC 4814 §4.5")
    last: Whole = key(49151, "highest port", ge=0, le=65535, source="RFC 4814 §4.5")


class TrafficDirection(ConfigModel):
    """Ports of one direction."""

    source_ports: SourcePorts = key(None, "source ports", default_factory=SourcePorts)
    destination_ports: DestinationPorts = key(None, "destination ports", default_factory=DestinationPorts)


class Traffic(ConfigModel):
    """`[traffic]`."""

    frame_size_of: Literal["ipv4", "ipv6"] = key(
        "ipv6",
        "which side's frame a frame size names; the other side's follows",
        source="RFC 8219 §5.1 leaves it open; it must be stated",
    )
    mix: tuple[tuple[Whole, Whole], ...] = key(
        ((1, 1),),
        "mixes [take, of]: `take` of `of` frames are translated, the rest is native IPv6",
        allowed="a list of pairs [take, of], 1 <= take <= of <= 1000, such as [[1, 1], [9, 10], [5, 10], [1, 10]]",
        source="RFC 8219 §5.3: 100 %, 90 %, 50 %, 10 %",
        min_length=1,
    )
    hop_limit: Whole = key(
        10, "hop limit (TTL) of the frames sent", ge=2, le=255, source="RFC 2544 App. C.2.6.4: TTL 10"
    )
    hops: Whole = key(
        1,
        "how many times the DUT decrements it; 2 for two devices in a row",
        ge=0,
        le=254,
        source="RFC 7915 §4.1, §5.1",
    )
    background_hops: Whole | None = key(
        None,
        "the same for background frames; not set: as hops. A translator behind the kernel: 3 hops, native IPv6 1",
        ge=0,
        le=254,
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
        "with nat44, nat64 and nat66, in place of hosts: what connections are made of",
        allowed="a table",
        source="RFC 9693 §3.2, §4.1",
    )

    @model_validator(mode="after")
    def _sensible(self) -> Traffic:
        for index, (take, of) in enumerate(self.mix):
            if not 1 <= take <= of <= 1000:
                raise ValueError(f"mix[{index}]: [{take}, {of}] is not allowed: [take, of], 1 <= take <= of <= 1000")
        if len(set(self.mix)) != len(self.mix):
            raise ValueError(f"mix: {[list(pair) for pair in self.mix]} is not allowed: each mix once")
        for name, hops in (("hops", self.hops), ("background_hops", self.background_hops or 0)):
            if hops >= self.hop_limit:
                raise ValueError(f"{name}: {hops} is not allowed: less than hop_limit, which is {self.hop_limit}")
        return self
