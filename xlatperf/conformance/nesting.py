"""Packets in packets: IPv4 in a tunnel (RFC 2473), and what ICMP errors are about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from xlatperf.conformance.packet import IPV4, Ipv4, Ipv6, Packet, parse
from xlatperf.conformance.reassembly import identification_of, reassembled
from xlatperf.conformance.transport import icmp_error


def carried(packet: Packet) -> Packet | None:
    """The IPv4 packet that a whole packet of a tunnel carries; None: it is none of a tunnel."""
    if not isinstance(packet, Ipv6) or packet.next_header != IPV4 or packet.is_fragment:
        return None
    inner = parse(packet.payload)
    return inner if isinstance(inner, Ipv4) else None


def quoted(packet: Packet) -> Packet | None:
    """What an ICMP error is about."""
    return None if icmp_error(packet) is None else parse(packet.payload[8:])


def nested(packet: Packet) -> Iterator[Packet]:
    """The packet, what is in it, and so on."""
    inside: Packet | None = packet
    while inside is not None:
        yield inside
        inside = carried(inside) or quoted(inside)


def out_of_tunnels(packets: Sequence[Packet]) -> tuple[Packet, ...]:
    """Those in tunnels by what they carry, fragments of tunnels' packets put together first; others as they are."""
    parts = [one for one in packets if isinstance(one, Ipv6) and one.is_fragment]
    others = [one for one in packets if one not in parts]
    return tuple(carried(one) or one for one in (*others, *_wholes(parts)))


def _wholes(parts: Sequence[Packet]) -> Iterator[Packet]:
    """Of fragments; those that don't join as they came."""
    for _, same in groupby(sorted(parts, key=identification_of), identification_of):
        own = list(same)
        whole = reassembled(own)
        if whole is None:
            yield from own
        else:
            yield whole
