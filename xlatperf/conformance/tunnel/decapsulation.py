"""What comes in a tunnel: which outer headers are taken (RFC 2473 §3.3, RFC 8200), and what is discarded."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from ipaddress import IPv6Address

from xlatperf.conformance.came import Came
from xlatperf.conformance.packet import DESTINATION, Extension, Ipv4, Packet, ones_complement_sum
from xlatperf.conformance.probe import Probe, dropped, kept, untried, whole
from xlatperf.conformance.rule import Finding, Level, Rule, Says, Verdict
from xlatperf.conformance.through import BUT_ITS_HEADER, opened
from xlatperf.conformance.tunnel.ends import TunnelEnds, TunnelMake
from xlatperf.conformance.tunnel.standard import Standard

_TOS, _OTHER_TOS = 0xB8, 0x28
_ECN, _CE, _ECT = 3, 3, 2
_LIMIT_OPTION = Extension(DESTINATION, bytes([0, 4, 1, 4, 1, 1, 0]))
"""Tunnel Encapsulation Limit 4 (RFC 2473 §4.1.1), padded, as Linux writes it."""


def _taken(ends: TunnelEnds, rule: Rule, **fields: object) -> Probe:
    """A datagram in an outer header with these fields."""
    inner = ends.inside()
    return whole((ends.outer.around(bytes(inner), **fields),), (ends.translated(inner),), rule, BUT_ITS_HEADER)


def _hop_limit_of_one(ends: TunnelEnds) -> Probe:
    rule = Rule("RFC 8200 §3", Level.SHOULD, "an outer hop limit of 1 is taken: the tunnel ends here")
    return _taken(ends, rule, hop_limit=1)


def _encapsulation_limit(ends: TunnelEnds) -> Probe:
    rule = Rule("RFC 2473 §3.3", Level.STATES, "a Tunnel Encapsulation Limit in front of the packet is taken")
    return _taken(ends, rule, extensions=(_LIMIT_OPTION,))


def _flow_label(ends: TunnelEnds) -> Probe:
    rule = Rule("RFC 2473 §3.3", Level.STATES, "an outer flow label changes nothing")
    return _taken(ends, rule, flow_label=0x12345)


def _code_point(ends: TunnelEnds) -> Probe:
    """DSCP that differ: those of the packet, or those of the tunnel."""
    rule = Rule("RFC 2983 §5.1", Level.STATES, "DSCP that differ: which of both leaves the tunnel")
    packet = ends.outer.around(bytes(ends.inside(tos=_TOS)), traffic_class=_OTHER_TOS)
    texts = {_TOS: "that of the packet inside", _OTHER_TOS: "that of the outer header"}

    def judge(came: Came) -> Iterable[Finding]:
        seen = came.far[0].tos if len(came.far) == 1 and isinstance(came.far[0], Ipv4) else None
        if seen is None or seen not in texts:
            yield Finding(rule, Verdict.NOT_KEPT, came.instead() if seen is None else f"TOS 0x{seen:02x}")
        else:
            yield Finding(rule, Verdict.DECIDED, texts[seen])

    return Probe((packet,), (rule,), judge)


def _congestion(ends: TunnelEnds, inner: int, outer: int, says: str) -> Probe:
    """RFC 6040, figure 4: CE where either has it."""
    rule = Rule("RFC 6040 §4.2", Level.MUST, says)
    packet = ends.outer.around(bytes(ends.inside(tos=_TOS | inner)), traffic_class=_TOS | outer)

    def judge(came: Came) -> Iterable[Finding]:
        seen = came.far[0].tos & _ECN if len(came.far) == 1 and isinstance(came.far[0], Ipv4) else None
        yield kept(rule, seen == _CE, came.instead() if seen is None else f"ECN {seen} came out, must be {_CE}")

    return Probe((packet,), (rule,), judge)


def _congestion_of_others(ends: TunnelEnds) -> Probe:
    packet = ends.outer.around(bytes(ends.inside(tos=_TOS)), traffic_class=_TOS | _CE)
    return dropped((packet,), Rule("RFC 6040 §4.2", Level.MUST, "ECN: CE outside, Not-ECT inside: dropped"))


def _spoilt(ends: TunnelEnds, what: str) -> Probe:
    """RFC 1812 §5.2.2: what isn't IPv4, or isn't right."""
    inner = ends.inside()
    data = bytearray(bytes(inner))
    if what == "version":
        data[0] = 0x65
    elif what == "header length":
        data[0] = 0x44
    elif what == "header checksum":
        data[10:12] = (int.from_bytes(data[10:12], "big") ^ 0x0101).to_bytes(2, "big")
    else:
        data[2:4] = (len(data) + 8).to_bytes(2, "big")
    if what != "header checksum":
        size = 4 * (data[0] & 15)
        data[10:12] = b"\0\0"
        data[10:12] = (0xFFFF ^ ones_complement_sum(bytes(data[:size]))).to_bytes(2, "big")
    packet = ends.outer.around(bytes(data))
    return dropped((packet,), Rule("RFC 1812 §5.2.2", Level.MUST, _SPOILT[what]))


_SPOILT = {
    "version": "inside a packet whose version isn't 4 is discarded",
    "header length": "inside a header length of less than 20 bytes is discarded",
    "header checksum": "inside a wrong header checksum is discarded",
    "total length": "inside a total length of more than what came is discarded",
}


_ALONE = "the traffic has just one subscriber"


def _of_another(ends: TunnelEnds, another: IPv6Address) -> Packet:
    return ends.outer.around(bytes(ends.inside()), source=another)


def _spoofed(ends: TunnelEnds, says: Says, silently: bool) -> Probe:
    """A subscriber's packet from another's address."""
    what = "what another subscriber sends with this one's IPv4 address and port is "
    rule = says.rule(what + ("silently discarded" if silently else "discarded"))
    another = ends.outer.another
    return untried(rule, _ALONE) if another is None else dropped((_of_another(ends, another),), rule, silently=silently)


def _told(ends: TunnelEnds, says: Says) -> Probe:
    """RFC 7596 §6.2: it may be."""
    rule = Rule(says.section, Level.STATES, "an error to who sends what isn't theirs")
    if ends.outer.another is None:
        return untried(rule, _ALONE)

    def judge(came: Came) -> Iterable[Finding]:
        yield Finding(rule, Verdict.DECIDED, "none" if came.error is None else came.instead())

    return Probe((_of_another(ends, ends.outer.another),), (rule,), judge)


def decapsulation_rules(standard: Standard) -> tuple[TunnelMake, ...]:
    """Of what comes out of the tunnel."""
    makes: list[TunnelMake] = [
        _hop_limit_of_one,
        _encapsulation_limit,
        _flow_label,
        _code_point,
        partial(_congestion, inner=_ECT, outer=_CE, says="ECN: CE outside, ECT(0) inside: CE comes out"),
        partial(_congestion, inner=_CE, outer=0, says="ECN: CE inside, Not-ECT outside: CE comes out"),
        _congestion_of_others,
        *(partial(_spoilt, what=what) for what in _SPOILT),
    ]
    if standard.spoofed is not None:
        makes.append(partial(_spoofed, says=standard.spoofed, silently=standard.silently))
        if not standard.silently:
            makes.append(partial(_told, says=standard.spoofed))
    return tuple(opened(make) for make in makes)
