"""Both ways through a translator, from the first frames that the engine shows of a bench's traffic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address

from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Way
from xlatperf.conformance.packet import Ipv4, Ipv6, Packet, parse
from xlatperf.conformance.translate import Pairs
from xlatperf.engine.message import DirectionName, Family, SideName
from xlatperf.engine.messages import OpenAnswer, ResolveAnswer
from xlatperf.engine.shown import Shown

SIDES: dict[DirectionName, tuple[SideName, SideName]] = {"forward": ("left", "right"), "reverse": ("right", "left")}


def ways(shown: Sequence[Shown], opened: OpenAnswer, resolved: ResolveAnswer) -> tuple[Way, Way]:
    """From IPv4 to IPv6, and from IPv6 to IPv4.

    Of one frame of each direction. Raises ValueError for frames that aren't translated, or a device without an address.
    """
    found = each_way(shown, opened, resolved)
    pairs = Pairs({ipv4: ipv6 for way in found for ipv4, ipv6 in way.ends.pairs.ipv6.items()})
    found = [replace(way, ends=replace(way.ends, pairs=pairs)) for way in found]
    from_ipv4 = [one for one in found if isinstance(one.ends.source, IPv4Address)]
    from_ipv6 = [one for one in found if isinstance(one.ends.source, IPv6Address)]
    if len(from_ipv4) != 1 or len(from_ipv6) != 1:
        raise ValueError("no direction from IPv4 to IPv6, or none back")
    return from_ipv4[0], from_ipv6[0]


def each_way(shown: Sequence[Shown], opened: OpenAnswer, resolved: ResolveAnswer) -> list[Way]:
    """Of each frame, which knows the addresses of its own ends. Raises ValueError as `ways`."""
    return [_way(one, opened, resolved) for one in shown]


def _way(shown: Shown, opened: OpenAnswer, resolved: ResolveAnswer) -> Way:
    sent, expected = packet_of(shown.sent.hex), packet_of(shown.expected.hex)
    sent_from, comes_to = SIDES[shown.direction]
    port_mac, device_mac = link(sent_from, "ipv4" if isinstance(sent, Ipv4) else "ipv6", opened, resolved)
    pairs = Pairs(dict([_pair(sent.source, expected.source), _pair(sent.destination, expected.destination)]))
    ends = Ends(sent.source, sent.destination, first_ports(sent), pairs, hops_between(sent, expected))
    return Way(ends, sent_from, comes_to, port_mac, device_mac)


def link(sent_from: SideName, family: Family, opened: OpenAnswer, resolved: ResolveAnswer) -> tuple[bytes, bytes]:
    """The MAC addresses of Tester and device there. Raises ValueError: the device has none."""
    neighbours, port = (resolved.left, opened.left) if sent_from == "left" else (resolved.right, opened.right)
    mac = neighbours[family].mac if family in neighbours else None
    if mac is None:
        raise ValueError(f"{sent_from}: the device has no MAC address for {family}")
    return _mac(port.mac), _mac(mac)


def first_ports(packet: Packet) -> tuple[int, int]:
    """Source and destination port of a datagram."""
    return int.from_bytes(packet.payload[:2], "big"), int.from_bytes(packet.payload[2:4], "big")


def packet_of(frame: str) -> Packet:
    """What a frame that is shown has in it. Raises ValueError: no packet."""
    packet = parse(bytes.fromhex(frame)[14:])
    if packet is None:
        raise ValueError("neither IPv4 nor IPv6")
    return packet


def hops_between(sent: Packet, expected: Packet) -> int:
    """By how much the device decrements."""
    return _hop_limit(sent) - _hop_limit(expected)


def _hop_limit(packet: Packet) -> int:
    return packet.hop_limit if isinstance(packet, Ipv6) else packet.ttl


def _pair(one: IPv4Address | IPv6Address, other: IPv4Address | IPv6Address) -> tuple[IPv4Address, IPv6Address]:
    if isinstance(one, IPv4Address) and isinstance(other, IPv6Address):
        return one, other
    if isinstance(one, IPv6Address) and isinstance(other, IPv4Address):
        return other, one
    raise ValueError("not translated")


def _mac(text: str) -> bytes:
    return bytes.fromhex(text.replace(":", ""))
