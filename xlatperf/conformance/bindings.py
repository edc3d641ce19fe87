"""What a stateful translator has bound to each other (RFC 6146 §2): a client's address and port, and the pool's."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from xlatperf.conformance.packet import ICMP, ICMPV6, TCP, UDP, Ipv4, Packet, parse
from xlatperf.conformance.transport import icmp_error, protocol_of

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
class Binding:
    """`protocol`: UDP, TCP or ICMP, also of ICMPv6, whose ports are the identifiers of its queries."""

    protocol: int
    ipv6: IPv6Address
    ipv6_port: int
    ipv4: IPv4Address
    ipv4_port: int

    def end(self, like: IPv4Address | IPv6Address) -> tuple[IPv4Address | IPv6Address, int]:
        """Address and port of the client in that address's family."""
        return (self.ipv4, self.ipv4_port) if isinstance(like, IPv4Address) else (self.ipv6, self.ipv6_port)

    def is_of(self, protocol: int, address: IPv4Address | IPv6Address, port: int | None) -> bool:
        """Whether it is about that address, and that port if it's known."""
        own_address, own_port = self.end(address)
        return (protocol, address) == (self.protocol, own_address) and port in (None, own_port)

    def ports(self, packet: Packet) -> tuple[int, int] | None:
        """Those that a packet translated by it has on the other side; None: it has none to be seen."""
        old = ports_of(packet)
        if old is None:
            return None
        new = self.ipv6_port if isinstance(packet, Ipv4) else self.ipv4_port
        if self.protocol == ICMP:
            return new, new
        return (new, old[1]) if self.is_of(self.protocol, packet.source, old[0]) else (old[0], new)


def binding_of(packet: Packet, bindings: tuple[Binding, ...]) -> Binding | None:
    """By which one it is translated: an error by that of the packet inside (RFC 6146 §3.4)."""
    if icmp_error(packet) is not None:
        inner = parse(packet.payload[8:])
        return None if inner is None or icmp_error(inner) is not None else binding_of(inner, bindings)
    protocol = ICMP if protocol_of(packet) == ICMPV6 else protocol_of(packet)
    source, destination = ports_of(packet) or (None, None)
    ends = ((packet.source, source), (packet.destination, destination))
    return next((one for one in bindings for address, port in ends if one.is_of(protocol, address, port)), None)
