"""Between whom packets are sent through a tunnel's end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv6Address

from xlatperf.conformance.came import Came
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.nesting import out_of_tunnels
from xlatperf.conformance.packet import IPV4, Ipv4, Ipv6, Packet
from xlatperf.conformance.probe import Make, Probe


@dataclass(frozen=True)
class Outer:
    """What an outer header must have. `another`: another subscriber's address. `router`: one between both ends."""

    source: IPv6Address
    destination: IPv6Address
    router: IPv6Address
    hop_limit: int = 64
    another: IPv6Address | None = None

    def around(self, inner: bytes, **fields: object) -> Ipv6:
        """A packet of the tunnel; the traffic class is of the packet in it (RFC 6333 §7.1)."""
        made = Ipv6(self.source, self.destination, IPV4, inner, traffic_class=inner[1], hop_limit=self.hop_limit)
        return replace(made, **fields)  # type: ignore[arg-type]

    def back(self) -> Outer:
        """The other way."""
        return replace(self, source=self.destination, destination=self.source)


@dataclass(frozen=True, kw_only=True)
class TunnelEnds(Ends):
    """The ends are of the packets inside. `enters`: the device encapsulates."""

    outer: Outer
    enters: bool

    @property
    def way(self) -> str:
        """In words."""
        return "into the tunnel" if self.enters else "out of the tunnel"

    @property
    def written(self) -> Outer:
        """What the device must write where it encapsulates."""
        return self.outer

    def inside(self, **fields: object) -> Ipv4:
        """A datagram as it is inside, with these fields. Raises TypeError where the ends aren't IPv4."""
        return self.ipv4(self.udp(**fields))  # type: ignore[arg-type]

    def on_link(self, packet: Packet) -> Packet:
        """IPv4 that leaves the tunnel comes in it."""
        if self.enters or not isinstance(packet, Ipv4):
            return packet
        return self.outer.around(bytes(packet))

    def translated(self, packet: Packet) -> Packet | None:
        """What must come on the other side, in a tunnel or out of it: the same, a hop later (RFC 2473 §3.1, §3.3)."""
        made = self.rewritten(packet)
        return replace(made, ttl=made.ttl - self.hops)

    def opened(self, came: Came) -> Came:
        """What came, out of its tunnels."""
        return replace(came, far=out_of_tunnels(came.far))


TunnelMake = Callable[[TunnelEnds], Probe]
"""A probe through a tunnel's end."""


def makes(of_tunnels: Sequence[TunnelMake]) -> tuple[Make, ...]:
    """The same, of ways whose ends are a tunnel's."""
    return tuple(_of_a_tunnel(make) for make in of_tunnels)


def _of_a_tunnel(make: TunnelMake) -> Make:
    def made(ends: Ends) -> Probe:
        if not isinstance(ends, TunnelEnds):
            raise TypeError("not a tunnel's")
        return make(ends)

    return made
