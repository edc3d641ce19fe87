"""Fragments inside and outside, and packets that are too large for the tunnel (RFC 2473 §7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from xlatperf.conformance.came import Came
from xlatperf.conformance.fragmented import DATA, ORDERS, cuts, fault
from xlatperf.conformance.nesting import carried
from xlatperf.conformance.packet import Ipv4, Packet, fragment_header
from xlatperf.conformance.probe import Probe, answered
from xlatperf.conformance.rule import Finding, Level, Rule, Says, Verdict
from xlatperf.conformance.through import PUT_TOGETHER, fragment_rules
from xlatperf.conformance.tunnel.ends import TunnelEnds, TunnelMake
from xlatperf.conformance.tunnel.standard import Standard

_LINK, _HEADER, _OPTION = 1500, 40, 8
"""Bytes of the longest packet on Ethernet; of the outer header; of a Tunnel Encapsulation Limit."""


def _wrong(came: Came, expected: Packet | None) -> str:
    """Empty: it came, whole or in fragments."""
    return fault(came.far, expected, PUT_TOGETHER) if came.far else came.instead()


def _outer_fragments(ends: TunnelEnds, says: Says, order: Sequence[int], how: str) -> Probe:
    """A packet of the tunnel in three: the device is their destination."""
    inner = ends.inside(data=DATA)
    whole = ends.outer.around(bytes(inner))
    identification = int.from_bytes(ends.mark[:4], "big")
    parts = [
        replace(whole, payload=part, extensions=(fragment_header(at, more=more, identification=identification),))
        for at, part, more in cuts(whole.payload)
    ]
    rule = says.rule(f"out of the tunnel: a tunnel's packet in fragments is put together{how}")

    def judge(came: Came) -> Iterable[Finding]:
        fault = _wrong(ends.opened(came), ends.translated(inner))
        yield Finding(rule, Verdict.NOT_KEPT if fault else Verdict.KEPT, fault)

    return Probe(tuple(parts[at] for at in order), (rule,), judge)


def _too_large_with_df(ends: TunnelEnds) -> Probe:
    """On links of 1500 bytes."""
    packet = ends.udp(_LINK - 28, dont_fragment=True)
    rule = Rule("RFC 2473 §7.2 a", Level.MUST, "DF 1 and too large for the tunnel: ICMP 3/4 with the tunnel's MTU")
    rights = {_LINK - _HEADER, _LINK - _HEADER - _OPTION}
    usual = answered(packet, (3, 4), rule)

    def judge(came: Came) -> Iterable[Finding]:
        told = 0 if came.error is None else int.from_bytes(came.error[2][2:], "big")
        if came.error is None or came.error[:2] != (3, 4):
            inner = carried(came.far[0]) if len(came.far) == 1 else None
            if inner is not None and len(bytes(inner)) == _LINK:
                yield Finding(rule, Verdict.NOT_TRIED, f"the tunnel takes {_LINK} bytes")
            else:
                yield from usual.judge(came)
        elif came.far:
            yield from usual.judge(came)
        elif told in rights:
            yield Finding(rule, Verdict.KEPT, f"it tells {told}")
        elif _LEAST <= told < min(rights):
            yield Finding(rule, Verdict.NOT_TRIED, f"it tells {told}, which is right if its tunnel takes no more")
        else:
            yield Finding(rule, Verdict.NOT_KEPT, f"it tells {told}, must be {_LINK - _HEADER}")

    return replace(usual, judge=judge)


_LEAST = 1280 - _HEADER - _OPTION
"""Of a tunnel over links of the least MTU that IPv6 allows."""


def _too_large_without_df(ends: TunnelEnds, says: Says) -> Probe:
    """RFC 2473 §7.2 b: the tunnel's packet is fragmented, and not the packet in it."""
    packet = ends.udp(_LINK - 28, identification=0x4567)
    rule = says.rule("DF 0 and too large for the tunnel: encapsulated, then fragmented as IPv6 (RFC 2473 §7.2 b)")

    def judge(raw: Came) -> Iterable[Finding]:
        came = ends.opened(raw)
        fault = _wrong(came, ends.translated(packet))
        if not came.far or fault:
            yield Finding(rule, Verdict.NOT_KEPT, fault)
        elif any(isinstance(one, Ipv4) and one.is_fragment for one in came.far):
            yield Finding(rule, Verdict.NOT_KEPT, f"fragmented inside: {len(came.far)} packets of the tunnel")
        elif len(raw.far) == 1:
            yield Finding(rule, Verdict.NOT_TRIED, f"the tunnel takes {_LINK} bytes")
        else:
            yield Finding(rule, Verdict.KEPT)

    return Probe((packet,), (rule,), judge)


def fragments_into(standard: Standard) -> tuple[TunnelMake, ...]:
    """Of what goes into the tunnel."""
    return (
        _too_large_with_df,
        partial(_too_large_without_df, says=standard.fragmentation),
        *fragment_rules(standard.into),
    )


def fragments_out(standard: Standard) -> tuple[TunnelMake, ...]:
    """Of what comes out of it."""
    return (*fragment_rules(standard.out), *outer_fragments(standard))


def outer_fragments(standard: Standard) -> tuple[TunnelMake, ...]:
    """Of the tunnel's packets."""
    return tuple(partial(_outer_fragments, says=standard.reassembly, order=order, how=how) for order, how in ORDERS)
