"""What NAT44 makes of packets of a client (RFC 3022 §4.1, RFC 5508 §4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from ipaddress import IPv4Address

from xlatperf.conformance.bindings import Binding, End, ports_of
from xlatperf.conformance.checksum_update import transport_updated
from xlatperf.conformance.nesting import quoted
from xlatperf.conformance.packet import ICMP, Ipv4
from xlatperf.conformance.transport import with_checksum


def rewritten(packet: Ipv4, bindings: Sequence[Binding], *, outward: bool) -> Ipv4:
    """The packet from a client or to it, as it is on the other side, but for its TTL; of no binding: unchanged."""
    about = quoted(packet)
    if not isinstance(about, Ipv4):
        return _moved(packet, bindings, outward=outward, of_source=outward)
    own = next((one for one in bindings if one.protocol == about.protocol), None)
    made = packet
    if own is not None:
        old, new = _ends(own, outward)
        if outward and packet.source == old.address:
            made = replace(packet, source=_ipv4(new))
        elif not outward and packet.destination == old.address:
            made = replace(packet, destination=_ipv4(new))
    message = packet.payload[:8] + bytes(quoted_rewritten(about, bindings, outward=outward))
    return replace(made, payload=with_checksum(made.source, made.destination, ICMP, message))


def quoted_rewritten(about: Ipv4, bindings: Sequence[Binding], *, outward: bool) -> Ipv4:
    """A packet that an error is about (RFC 5508 §4.2); `outward`: as the error goes, the packet went the other way."""
    return _moved(about, bindings, outward=outward, of_source=not outward)


def _ipv4(end: End) -> IPv4Address:
    return IPv4Address(end.address)


def _ends(own: Binding, outward: bool) -> tuple[End, End]:
    """As it is, and as it becomes."""
    return (own.inside, own.outside) if outward else (own.outside, own.inside)


def _moved(packet: Ipv4, bindings: Sequence[Binding], *, outward: bool, of_source: bool) -> Ipv4:
    own = next((one for one in bindings if one.protocol == packet.protocol), None)
    if own is None:
        return packet
    old, new = _ends(own, outward)
    if (packet.source if of_source else packet.destination) != old.address:
        return packet
    made = replace(packet, source=_ipv4(new)) if of_source else replace(packet, destination=_ipv4(new))
    ports = ports_of(packet)
    if ports is None:
        return made  # a later fragment
    if packet.protocol == ICMP:
        message = packet.payload[:4] + new.port.to_bytes(2, "big") + packet.payload[6:]
        return replace(made, payload=with_checksum(made.source, made.destination, ICMP, message))
    both = (new.port, ports[1]) if of_source else (ports[0], new.port)
    return replace(made, payload=transport_updated(packet, made, both))
