"""What NAT44 makes of packets of a client (RFC 3022 §4.1, RFC 5508 §4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Address

from xlatperf.conformance.bindings import ports_of
from xlatperf.conformance.checksum_update import transport_updated
from xlatperf.conformance.nesting import quoted
from xlatperf.conformance.packet import ICMP, Ipv4
from xlatperf.conformance.transport import with_checksum

End = tuple[IPv4Address, int]
"""An address, and a port or the identifier of an ICMP query."""


@dataclass(frozen=True)
class NatBinding:
    """A client's end as it is inside, and as it is seen outside."""

    protocol: int
    inside: End
    outside: End


def rewritten(packet: Ipv4, bindings: Sequence[NatBinding], *, outward: bool) -> Ipv4:
    """The packet from a client or to it, as it is on the other side, but for its TTL; of no binding: unchanged."""
    about = quoted(packet)
    if isinstance(about, Ipv4):
        return _error(packet, rewritten(about, bindings, outward=not outward), bindings, outward=outward)
    own = next((one for one in bindings if one.protocol == packet.protocol), None)
    if own is None:
        return packet
    old, new = (own.inside, own.outside) if outward else (own.outside, own.inside)
    if (packet.source if outward else packet.destination) != old[0]:
        return packet
    made = replace(packet, source=new[0]) if outward else replace(packet, destination=new[0])
    ports = ports_of(packet)
    if ports is None:
        return made  # a later fragment
    if packet.protocol == ICMP:
        message = packet.payload[:4] + new[1].to_bytes(2, "big") + packet.payload[6:]
        return replace(made, payload=with_checksum(made.source, made.destination, ICMP, message))
    both = (new[1], ports[1]) if outward else (ports[0], new[1])
    return replace(made, payload=transport_updated(packet, made, both))


def _error(packet: Ipv4, about: Ipv4, bindings: Sequence[NatBinding], *, outward: bool) -> Ipv4:
    """RFC 5508 §4.2: its own address by that of the packet inside."""
    own = next((one for one in bindings if one.protocol == about.protocol), None)
    made = packet
    if own is not None:
        if outward and packet.source == own.inside[0]:
            made = replace(packet, source=own.outside[0])
        elif not outward and packet.destination == own.outside[0]:
            made = replace(packet, destination=own.inside[0])
    message = packet.payload[:8] + bytes(about)
    return replace(made, payload=with_checksum(made.source, made.destination, ICMP, message))
