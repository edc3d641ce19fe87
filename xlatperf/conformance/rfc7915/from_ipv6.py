"""RFC 7915 §5.1, §5.1.1 and §5.5: headers from IPv6 to IPv4."""

from __future__ import annotations

from functools import partial

from xlatperf.conformance.differences import Field
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import (
    DESTINATION,
    HOP_BY_HOP,
    ROUTING,
    UDP,
    Extension,
    Packet,
    fragment_header,
)
from xlatperf.conformance.probe import Make, Probe, answered, dropped, fields_of, whole
from xlatperf.conformance.rfc7915.transport_rules import transport_rules, unknown_protocol
from xlatperf.conformance.rule import Level, Rule
from xlatperf.conformance.transport import ECHO_V6

_HEADER, _FRAGMENT, _TRANSPORT = "RFC 7915 §5.1", "RFC 7915 §5.1.1", "RFC 7915 §5.5"
MUST, SHOULD, STATES = Level.MUST, Level.SHOULD, Level.STATES
_PADDING = b"\0\1\4\0\0\0\0"
"""Of an options header of 8 bytes, behind its Next Header: its length, and PadN (RFC 8200 §4.2)."""
_ROUTING_TYPE = 253
"""For experiments (RFC 3692 §2.2)."""
_SEGMENTS_LEFT_AT = 43


def _plain(ends: Ends) -> Probe:
    """One datagram, field by field."""
    packet = ends.udp(traffic_class=0xB8, flow_label=0x12345)
    rules = {
        Field.ADDRESSES: Rule(_HEADER, MUST, "both addresses are mapped as configured"),
        Field.TRAFFIC_CLASS: Rule(_HEADER, MUST, "all 8 bits of the traffic class become the TOS"),
        Field.LENGTH: Rule(_HEADER, MUST, "total length: payload length and the IPv4 header"),
        Field.PROTOCOL: Rule(_HEADER, MUST, "protocol: the next header"),
        Field.HOP_LIMIT: Rule(_HEADER, MUST, "TTL: the hop limit, decremented"),
        Field.DONT_FRAGMENT: Rule(_HEADER, MUST, "DF is 0 up to 1260 bytes"),
        Field.FRAGMENT: Rule(_HEADER, MUST, "what isn't a fragment has offset 0 and MF 0"),
        Field.HEADER_CHECKSUM: Rule(_HEADER, MUST, "the header checksum is computed"),
        Field.HEADERS: Rule(_HEADER, MUST, "no IPv4 options"),
        Field.CHECKSUM: Rule(_TRANSPORT, MUST, "the checksum of UDP follows the addresses"),
        Field.DATA: Rule("RFC 7915 §5", MUST, "the data are unchanged"),
    }
    return fields_of(packet, ends.translated(packet), rules)


def _of_1280(ends: Ends) -> Probe:
    packet = ends.udp(1280 - 48)
    rule = Rule(_HEADER, MUST, "DF is 0 of 1260 bytes, which are 1280 as IPv6")
    return fields_of(packet, ends.translated(packet), {Field.DONT_FRAGMENT: rule})


def _of_1281(ends: Ends) -> Probe:
    packet = ends.udp(1281 - 48)
    rule = Rule(_HEADER, MUST, "DF is 1 of more than 1260 bytes")
    return fields_of(packet, ends.translated(packet), {Field.DONT_FRAGMENT: rule})


def _hop_limit_runs_out(ends: Ends) -> Probe:
    return answered(ends.udp(hop_limit=1), (3, 0), Rule(_HEADER, MUST, "a hop limit of 1 draws ICMPv6 3/0"))


def _with_extension(ends: Ends, extension: Extension, what: str) -> Probe:
    packet = ends.udp(extensions=(extension,))
    bare = ends.udp()
    rule = Rule(_HEADER, MUST, f"{what} is ignored, and the packet is translated")
    return whole((packet,), (ends.translated(bare),), rule)


def _hop_by_hop(ends: Ends) -> Probe:
    return _with_extension(ends, Extension(HOP_BY_HOP, _PADDING), "a Hop-by-Hop Options header")


def _destination_options(ends: Ends) -> Probe:
    return _with_extension(ends, Extension(DESTINATION, _PADDING), "a Destination Options header")


def _routing(segments_left: int) -> Extension:
    return Extension(ROUTING, bytes([0, _ROUTING_TYPE, segments_left]) + b"\0\0\0\0")


def _routing_at_its_end(ends: Ends) -> Probe:
    return _with_extension(ends, _routing(0), "a Routing header with no segments left")


def _routed_on(ends: Ends) -> Packet:
    return ends.udp(extensions=(_routing(1),))


def _routing_not_translated(ends: Ends) -> Probe:
    return dropped(
        (_routed_on(ends),), Rule(_HEADER, MUST, "a packet with a Routing header with segments left isn't translated")
    )


def _routing_told(ends: Ends) -> Probe:
    rule = Rule(_HEADER, SHOULD, "a Routing header with segments left draws ICMPv6 4/0 with a pointer to their number")
    return answered(_routed_on(ends), (4, 0), rule, _SEGMENTS_LEFT_AT.to_bytes(4, "big"))


def _fragments(ends: Ends) -> Probe:
    """Of one datagram: the first, one in the middle, the last."""
    datagram = ends.udp(104).payload
    parts = [(0, datagram[:48], True), (48, datagram[48:96], True), (96, datagram[96:], False)]
    packets = [
        ends.packet(UDP, part, extensions=(fragment_header(offset, more=more, identification=0x01023456),))
        for offset, part, more in parts
    ]
    rule = Rule(_FRAGMENT, MUST, "fragments: offset, MF and the low 16 bits of the identification are kept, DF is 0")
    return whole(packets, [ends.translated(one) for one in packets], rule)


def _alone(ends: Ends) -> Probe:
    packet = ends.udp(extensions=(fragment_header(0, more=False, identification=0x01024567),))
    rule = Rule(_FRAGMENT, MUST, "a Fragment Header of a whole packet: it is translated, and DF is 0")
    return whole((packet,), (ends.translated(packet),), rule)


def _behind_the_fragment_header(ends: Ends) -> Probe:
    extensions = (fragment_header(0, more=True, identification=0x01025678), Extension(DESTINATION, _PADDING))
    packet = ends.udp(40, extensions=extensions)
    rule = Rule(_FRAGMENT, SHOULD, "a fragment that begins with one more extension header is dropped")
    return dropped((packet,), rule)


def _fragmented_icmp(ends: Ends) -> Probe:
    fragment = fragment_header(0, more=True, identification=0x01026789)
    packet = ends.echo(ECHO_V6, extensions=(fragment,))
    return dropped((packet,), Rule("RFC 7915 §1.2", STATES, "fragments of ICMPv6 aren't translated"))


_unknown_protocol = partial(unknown_protocol, section=_TRANSPORT)

PROBES: tuple[Make, ...] = (
    _plain,
    _of_1280,
    _of_1281,
    _hop_limit_runs_out,
    _hop_by_hop,
    _destination_options,
    _routing_at_its_end,
    _routing_not_translated,
    _routing_told,
    _fragments,
    _alone,
    _behind_the_fragment_header,
    *transport_rules(_TRANSPORT),
    _unknown_protocol,
    _fragmented_icmp,
)
"""From IPv6 to IPv4, all but ICMPv6's messages."""
STATELESS = frozenset({_fragments, _unknown_protocol, _fragmented_icmp})
"""Of these a stateful translator does something else (RFC 6146 §1, §3.4)."""
WITHOUT_PORTS = frozenset({_fragments, _unknown_protocol})
"""Those that nobody who shares an address can have (RFC 7599 §8)."""
