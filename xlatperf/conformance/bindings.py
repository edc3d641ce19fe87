"""What a stateful translator has bound to each other (RFC 6146 §2, RFC 3022 §2.2): a client's end, and the pool's."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from xlatperf.conformance.packet import ICMP, ICMPV6, TCP, UDP, Ipv4, Packet, parse
from xlatperf.conformance.transport import Address, icmp_error, protocol_of

ECHOES = frozenset({(ICMP, 0), (ICMP, 8), (ICMPV6, 128), (ICMPV6, 129)})


def ports_of(packet: Packet) -> tuple[int, int] | None:
    """Source and destination port; of a query of ICMP, its identifier, twice. None: there are none to be seen."""
    protocol, payload = protocol_of(packet), packet.payload
    offset = packet.offset if isinstance(packet, Ipv4) else packet.fragment.offset if packet.fragment else 0
    if offset or len(payload) < 8:
        return None
    if protocol in (TCP, UDP):
        return int.from_bytes(payload[:2], "big"), int.from_bytes(payload[2:4], "big")
    if (protocol, payload[0]) in ECHOES:
        identifier = int.from_bytes(payload[4:6], "big")
        return identifier, identifier
    return None


@dataclass(frozen=True)
class End:
    """An address, and a port or the identifier of a query of ICMP."""

    address: Address
    port: int

    def __str__(self) -> str:
        return f"{self.address} port {self.port}"


@dataclass(frozen=True)
class Binding:
    """A client's end as it is inside, and as it is seen outside. `protocol`: UDP, TCP or ICMP, also of ICMPv6."""

    protocol: int
    inside: End
    outside: End

    @property
    def pair(self) -> tuple[IPv4Address, IPv6Address]:
        """A NAT64's client by both addresses. Raises TypeError: it isn't a NAT64's."""
        if isinstance(self.outside.address, IPv4Address) and isinstance(self.inside.address, IPv6Address):
            return self.outside.address, self.inside.address
        raise TypeError("not a NAT64's")

    def end(self, like: Address) -> End:
        """The client of a NAT64 in that address's family."""
        return self.outside if isinstance(like, IPv4Address) else self.inside

    def is_of(self, protocol: int, address: Address, port: int | None) -> bool:
        """Whether it is about that address, and that port if it's known."""
        own = self.end(address)
        return (protocol, address) == (self.protocol, own.address) and port in (None, own.port)

    def ports(self, packet: Packet) -> tuple[int, int] | None:
        """Those that a packet translated by a NAT64 has on the other side; None: it has none to be seen."""
        old = ports_of(packet)
        if old is None:
            return None
        new = (self.inside if isinstance(packet, Ipv4) else self.outside).port
        if self.protocol == ICMP:
            return new, new
        return (new, old[1]) if self.is_of(self.protocol, packet.source, old[0]) else (old[0], new)


def binding_of(packet: Packet, bindings: tuple[Binding, ...]) -> Binding | None:
    """By which one a NAT64 translates it: an error by that of the packet inside (RFC 6146 §3.4)."""
    if icmp_error(packet) is not None:
        inner = parse(packet.payload[8:])
        return None if inner is None or icmp_error(inner) is not None else binding_of(inner, bindings)
    protocol = ICMP if protocol_of(packet) == ICMPV6 else protocol_of(packet)
    source, destination = ports_of(packet) or (None, None)
    ends = ((packet.source, source), (packet.destination, destination))
    return next((one for one in bindings for address, port in ends if one.is_of(protocol, address, port)), None)
