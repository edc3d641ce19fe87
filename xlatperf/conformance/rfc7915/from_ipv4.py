"""RFC 7915 §4.1 and §4.5: headers from IPv4 to IPv6."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from xlatperf.conformance.came import Came
from xlatperf.conformance.differences import Field
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import UDP, Packet
from xlatperf.conformance.probe import Make, Probe, answered, dropped, fields_of, whole
from xlatperf.conformance.rfc7915.too_large import too_large_with_df, too_large_without_df
from xlatperf.conformance.rfc7915.transport_rules import transport_rules, unknown_protocol
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict
from xlatperf.conformance.transport import ECHO, checksum_of, right_checksum, without_checksum

_HEADER, _TRANSPORT = "RFC 7915 §4.1", "RFC 7915 §4.5"
MUST, SHOULD, STATES = Level.MUST, Level.SHOULD, Level.STATES
_NO_OPERATION, _END = 1, 0
_LOOSE_SOURCE_ROUTE = 131


def _plain(ends: Ends) -> Probe:
    """One datagram, field by field."""
    packet = ends.udp(tos=0xB8, identification=0x1234, dont_fragment=True)
    rules = {
        Field.ADDRESSES: Rule(_HEADER, MUST, "both addresses are mapped as configured"),
        Field.TRAFFIC_CLASS: Rule(_HEADER, MUST, "all 8 bits of the TOS become the traffic class"),
        Field.FLOW_LABEL: Rule(_HEADER, MUST, "the flow label is 0"),
        Field.LENGTH: Rule(_HEADER, MUST, "payload length: total length less the IPv4 header"),
        Field.PROTOCOL: Rule(_HEADER, MUST, "next header: the protocol"),
        Field.HOP_LIMIT: Rule(_HEADER, MUST, "hop limit: the TTL, decremented"),
        Field.FRAGMENT_HEADER: Rule("RFC 7915 §4", MUST, "no Fragment Header for what isn't a fragment (DF 1)"),
        Field.CHECKSUM: Rule(_TRANSPORT, MUST, "the checksum of UDP follows the addresses"),
        Field.DATA: Rule("RFC 7915 §4", MUST, "the data are unchanged"),
    }
    return fields_of(packet, ends.translated(packet), rules)


def _without_df(ends: Ends) -> Probe:
    packet = ends.udp(identification=0x1234)
    rule = Rule("RFC 7915 §4", MUST, "no Fragment Header for what isn't a fragment (DF 0)")
    return fields_of(packet, ends.translated(packet), {Field.FRAGMENT_HEADER: rule})


def _without_checksum(ends: Ends) -> Probe:
    """§4.5: dropped or computed, as configured."""
    datagram = ends.udp(dont_fragment=True)
    packet = replace(datagram, payload=without_checksum(datagram))
    rule = Rule(_TRANSPORT, SHOULD, "UDP without a checksum: dropped, or its checksum computed")

    def judge(came: Came) -> Iterable[Finding]:
        if not came.far:
            yield Finding(rule, Verdict.DECIDED, came.instead())
        elif len(came.far) == 1 and checksum_of(came.far[0]) == right_checksum(came.far[0]) != 0:
            yield Finding(rule, Verdict.DECIDED, "computed")
        else:
            yield Finding(rule, Verdict.NOT_KEPT, f"came with the checksum 0x{checksum_of(came.far[0]) or 0:04x}")

    return Probe((packet,), (rule,), judge)


def _first_fragment_without_checksum(ends: Ends) -> Probe:
    datagram = ends.udp(40, more_fragments=True, identification=0x2345)
    packet = replace(datagram, payload=without_checksum(datagram))
    return dropped((packet,), Rule(_TRANSPORT, SHOULD, "a first fragment of UDP without a checksum is dropped"))


def _fragments(ends: Ends) -> Probe:
    """Of one datagram: the first, one in the middle, the last."""
    datagram = ends.udp(104).payload
    parts = [(0, datagram[:48], True), (48, datagram[48:96], True), (96, datagram[96:], False)]
    packets = [
        ends.packet(UDP, part, offset=offset, more_fragments=more, identification=0x3456)
        for offset, part, more in parts
    ]
    rule = Rule(_HEADER, MUST, "fragments: offset, M flag and the low 16 bits of the identification are kept")
    return whole(packets, [ends.translated(one) for one in packets], rule)


def _ttl_runs_out(ends: Ends) -> Probe:
    return answered(ends.udp(ttl=1), (11, 0), Rule(_HEADER, MUST, "a TTL of 1 draws ICMP 11/0"))


def _options(ends: Ends) -> Probe:
    packet = ends.udp(dont_fragment=True, options=bytes([_NO_OPERATION] * 3 + [_END]))
    rule = Rule(_HEADER, MUST, "IPv4 options are ignored, and the packet is translated")
    return whole((packet,), (ends.translated(packet),), rule)


def _source_routed(ends: Ends) -> Packet:
    route = bytes([_LOOSE_SOURCE_ROUTE, 7, 4]) + ends.destination.packed + bytes([_END])
    return ends.udp(dont_fragment=True, options=route)


def _source_route_discarded(ends: Ends) -> Probe:
    rule = Rule(_HEADER, MUST, "a packet with an unexpired source route is discarded")
    return dropped((_source_routed(ends),), rule)


def _source_route_told(ends: Ends) -> Probe:
    return answered(_source_routed(ends), (3, 5), Rule(_HEADER, SHOULD, "an unexpired source route draws ICMP 3/5"))


def _fragmented_icmp(ends: Ends) -> Probe:
    packet = ends.echo(ECHO, more_fragments=True, identification=0x5678)
    return dropped((packet,), Rule("RFC 7915 §1.2", STATES, "fragments of ICMP aren't translated"))


_unknown_protocol = partial(unknown_protocol, section=_TRANSPORT)

PROBES: tuple[Make, ...] = (
    _plain,
    _without_df,
    _options,
    _source_route_discarded,
    _source_route_told,
    _ttl_runs_out,
    _fragments,
    too_large_without_df,
    too_large_with_df,
    *transport_rules(_TRANSPORT),
    _unknown_protocol,
    _without_checksum,
    _first_fragment_without_checksum,
    _fragmented_icmp,
)
"""From IPv4 to IPv6, all but ICMP's messages."""
STATELESS = frozenset(
    {_fragments, _unknown_protocol, _without_checksum, _first_fragment_without_checksum, _fragmented_icmp}
)
"""Of these a stateful translator does something else (RFC 6146 §1, §3.4)."""
WITHOUT_PORTS = frozenset({_fragments, _unknown_protocol})
"""Those that nobody who shares an address can have (RFC 7599 §8)."""
