"""The outer header that the device writes (RFC 2473 §3.1, §6; RFC 6040 §4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from xlatperf.conformance.came import Came
from xlatperf.conformance.nesting import carried
from xlatperf.conformance.packet import DESTINATION, IPV4, Ipv4, Ipv6
from xlatperf.conformance.probe import Probe, kept
from xlatperf.conformance.rule import Finding, Level, Rule, Says, Verdict
from xlatperf.conformance.tunnel.ends import TunnelEnds, TunnelMake
from xlatperf.conformance.tunnel.standard import Standard

_TOS, _CODE_POINT = 0xB8, 0xFC
_ECN = 3
_LIMIT = 4
"""The option of RFC 2473 §4.1.1."""
_TTLS = (64, 33)
STATES = Level.STATES
_ENDS = Rule("RFC 2473 §6.1, §6.2", STATES, "the outer addresses are the tunnel's ends")
_NEXT = Rule("RFC 2473 §3.1", STATES, "the outer next header is 4, behind all extension headers")
_LENGTH = Rule("RFC 2473 §3.1", STATES, "the outer payload length is that of the packet and of extension headers")
_EXTENSIONS = Rule("RFC 2473 §6.6", STATES, "extension headers of the tunnel")
_LABEL = Rule("RFC 2473 §6.5", STATES, "the flow label")
_HOP_LIMIT = Rule("RFC 2473 §6.3", STATES, "the outer hop limit")


def _outer(ends: TunnelEnds, traffic_class: Says | None) -> Probe:
    """One datagram."""
    says = traffic_class or Says("RFC 2473 §6.4", STATES)
    carried_over = says.rule("the TOS becomes the outer traffic class")
    rules = (_ENDS, _NEXT, _LENGTH, _EXTENSIONS, carried_over, _LABEL, _HOP_LIMIT)

    def judge(came: Came) -> Iterable[Finding]:
        outer = came.far[0] if len(came.far) == 1 else None
        if not isinstance(outer, Ipv6):
            text = came.instead() if outer is None else "not encapsulated"
            yield from (Finding(rule, Verdict.NOT_KEPT, text) for rule in rules)
            return
        wanted = ends.written
        texts = [
            f"{name} {seen}, must be {must}"
            for name, seen, must in (
                ("source", outer.source, wanted.source),
                ("destination", outer.destination, wanted.destination),
            )
            if seen != must
        ]
        yield kept(_ENDS, not texts, "; ".join(texts))
        yield kept(_NEXT, outer.next_header == IPV4, f"next header {outer.next_header}")
        inner = carried(outer)
        right = isinstance(inner, Ipv4) and inner.total_length is None and len(bytes(inner)) == len(outer.payload)
        yield kept(_LENGTH, right and outer.payload_length is None, f"it carries {len(outer.payload)} bytes")
        yield Finding(_EXTENSIONS, Verdict.DECIDED, _extensions(outer))
        text = f"traffic class 0x{outer.traffic_class:02x}, of a TOS of 0x{_TOS:02x}"
        if traffic_class is None:
            yield Finding(carried_over, Verdict.DECIDED, text)
        else:
            yield kept(carried_over, outer.traffic_class & _CODE_POINT == _TOS, text)
        yield Finding(_LABEL, Verdict.DECIDED, "not 0" if outer.flow_label else "0")
        yield Finding(_HOP_LIMIT, Verdict.DECIDED, str(outer.hop_limit))

    return Probe((ends.udp(tos=_TOS, dont_fragment=True, ttl=_TTLS[0]),), rules, judge)


def _extensions(outer: Ipv6) -> str:
    options = [one for one in outer.extensions if one.kind == DESTINATION]
    if any(one.rest[1] == _LIMIT for one in options if len(one.rest) > _LIMIT):
        return f"Tunnel Encapsulation Limit {options[0].rest[3]}"
    return ", ".join(f"type {one.kind}" for one in outer.extensions) or "none"


def _outers(came: Came) -> list[Ipv6]:
    return [one for one in came.far if isinstance(one, Ipv6)]


def _hop_limit_is_its_own(ends: TunnelEnds) -> Probe:
    """Of two packets."""
    rule = Rule("RFC 2473 §6.3", Level.SHOULD, "the outer hop limit doesn't follow the TTL")
    packets = tuple(ends.udp(ttl=ttl) for ttl in _TTLS)

    def judge(came: Came) -> Iterable[Finding]:
        seen = [one.hop_limit for one in _outers(came)]
        if len(seen) != len(packets):
            yield Finding(rule, Verdict.NOT_KEPT, f"{len(seen)} of {len(packets)} packets came")
        else:
            yield kept(rule, len(set(seen)) == 1, f"{seen[0]} and {seen[1]}, of TTLs of {_TTLS[0]} and {_TTLS[1]}")

    return Probe(packets, (rule,), judge)


def _congestion(ends: TunnelEnds, codepoint: int, name: str) -> Probe:
    rule = Rule("RFC 6040 §4.1", Level.MUST, f"ECN: {name} is copied to the outer header, unless in compatibility mode")

    def judge(came: Came) -> Iterator[Finding]:
        seen = _outers(came)
        own = seen[0].traffic_class & _ECN if len(seen) == 1 else None
        if own is None:
            yield Finding(rule, Verdict.NOT_KEPT, came.instead())
        elif own == 0:
            yield Finding(rule, Verdict.DECIDED, "the outer header has 0: compatibility mode")
        else:
            yield kept(rule, own == codepoint, f"the outer header has {own}, must be {codepoint}")

    return Probe((ends.udp(tos=_TOS | codepoint),), (rule,), judge)


def encapsulation_rules(standard: Standard) -> tuple[TunnelMake, ...]:
    """Of what goes into the tunnel."""
    return (
        partial(_outer, traffic_class=standard.traffic_class),
        _hop_limit_is_its_own,
        partial(_congestion, codepoint=2, name="ECT(0)"),
        partial(_congestion, codepoint=3, name="CE"),
    )
