"""What a translator must make of a packet (RFC 7915 §4 and §5), computed from the RFC alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address

from xlatperf.conformance import icmp_types
from xlatperf.conformance.bindings import Binding, binding_of, ports_of
from xlatperf.conformance.checksum_update import transport_updated
from xlatperf.conformance.packet import (
    ICMP,
    ICMPV6,
    Extension,
    Ipv4,
    Ipv6,
    fragment_header,
    parse,
)
from xlatperf.conformance.transport import icmp_error, with_checksum

LONGEST_WITHOUT_DF = 1260
"""Bytes of an IPv4 packet (RFC 7915 §5): 1280 as IPv6."""


@dataclass(frozen=True)
class Pairs:
    """Which IPv6 address stands for which IPv4 address, of the hosts that are used.

    `bindings`: those of a stateful translator's clients.
    """

    ipv6: Mapping[IPv4Address, IPv6Address]
    bindings: tuple[Binding, ...] = ()

    def by(self, binding: Binding | None) -> Pairs:
        """With the addresses of this one."""
        if binding is None:
            return self
        ipv4, ipv6 = binding.pair
        return replace(self, ipv6={**self.ipv6, ipv4: ipv6})

    def to_ipv6(self, address: IPv4Address) -> IPv6Address:
        """Raises KeyError for an address of nobody."""
        return self.ipv6[address]

    def to_ipv4(self, address: IPv6Address) -> IPv4Address:
        """Raises KeyError for an address of nobody."""
        return {of: to for to, of in self.ipv6.items()}[address]


def to_ipv6(packet: Ipv4, pairs: Pairs, hops: int) -> Ipv6 | None:
    """§4.1; `hops` 0: the packet inside of an ICMP error (§4.3). None: silently dropped."""
    own = binding_of(packet, pairs.bindings)
    known = pairs.by(own)
    extensions: tuple[Extension, ...] = ()
    if packet.is_fragment:
        extensions = (fragment_header(packet.offset, more=packet.more_fragments, identification=packet.identification),)
    length = None
    if packet.total_length is not None:
        length = packet.total_length - packet.header_length + 8 * len(extensions)
    made = Ipv6(
        source=known.to_ipv6(packet.source),
        destination=known.to_ipv6(packet.destination),
        next_header=ICMPV6 if packet.protocol == ICMP else packet.protocol,
        payload=packet.payload,
        traffic_class=packet.tos,
        flow_label=0,
        hop_limit=packet.ttl - hops,
        extensions=extensions,
        payload_length=length,
    )
    payload = (
        _icmp(packet, made, pairs, own)
        if packet.protocol == ICMP
        else transport_updated(packet, made, ports_of(packet) if own is None else own.ports(packet))
    )
    return None if payload is None else replace(made, payload=payload)


def to_ipv4(packet: Ipv6, pairs: Pairs, hops: int) -> Ipv4 | None:
    """§5.1; the identification of what isn't a fragment is the translator's choice, here 0."""
    own, fragment = binding_of(packet, pairs.bindings), packet.fragment
    known = pairs.by(own)
    length = None
    if packet.payload_length is not None:
        length = packet.payload_length - sum(1 + len(one.rest) for one in packet.extensions) + 20
    size = 20 + len(packet.payload) if length is None else length
    made = Ipv4(
        source=known.to_ipv4(packet.source),
        destination=known.to_ipv4(packet.destination),
        protocol=ICMP if packet.next_header == ICMPV6 else packet.next_header,
        payload=packet.payload,
        tos=packet.traffic_class,
        identification=0 if fragment is None else fragment.identification & 0xFFFF,
        dont_fragment=fragment is None and size > LONGEST_WITHOUT_DF,
        more_fragments=fragment is not None and fragment.more_fragments,
        offset=0 if fragment is None else fragment.offset,
        ttl=packet.hop_limit - hops,
        total_length=length,
    )
    payload = (
        _icmp(packet, made, pairs, own)
        if packet.next_header == ICMPV6
        else transport_updated(packet, made, ports_of(packet) if own is None else own.ports(packet))
    )
    return None if payload is None else replace(made, payload=payload)


def _icmp(packet: Ipv4 | Ipv6, made: Ipv4 | Ipv6, pairs: Pairs, own: Binding | None) -> bytes | None:
    """§4.2, §4.3, §5.2, §5.3."""
    if len(packet.payload) < 8 or packet.is_fragment:
        return None
    kind, rest, data = (packet.payload[0], packet.payload[1]), packet.payload[4:8], packet.payload[8:]
    forward = isinstance(packet, Ipv4)
    inner = parse(data)
    message = icmp_types.to_ipv6(kind, rest) if forward else icmp_types.to_ipv4(kind, rest)
    if message is None:
        return None
    if own is not None and (ports := own.ports(packet)):
        message = replace(message, rest=ports[0].to_bytes(2, "big") + message.rest[2:])
    if message.error:
        translated: Ipv4 | Ipv6 | None = None
        if isinstance(inner, Ipv4) and forward and icmp_error(inner) is None:
            translated = to_ipv6(inner, pairs, hops=0)
        elif isinstance(inner, Ipv6) and not forward and icmp_error(inner) is None:
            translated = to_ipv4(inner, pairs, hops=0)
        if translated is None:
            return None  # §4.3, §5.3: nothing to translate, or one more inside
        data = bytes(translated)
    protocol = ICMPV6 if forward else ICMP
    segment = bytes(message.kind) + b"\0\0" + message.rest + data
    return with_checksum(made.source, made.destination, protocol, segment)
