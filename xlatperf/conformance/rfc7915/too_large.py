"""RFC 7915 §4.1: packets that are too large for the IPv6 side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from xlatperf.conformance.came import Came
from xlatperf.conformance.differences import differences
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import Packet
from xlatperf.conformance.probe import Probe, answered
from xlatperf.conformance.reassembly import identification_of, reassembled
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict
from xlatperf.conformance.translate import LONGEST_WITHOUT_DF

_SECTION = "RFC 7915 §4.1"
_LARGE, _LINK = 1400, 1500
"""Bytes of IPv4 that are more than 1280 as IPv6; of the longest packet on Ethernet."""
_LEAST_MTU = 1280
_IDENTIFICATION = 0x4567


def too_large_without_df(ends: Ends) -> Probe:
    """Fragments of at most lowest-ipv6-mtu, 1280 unless configured."""
    packet = ends.udp(_LARGE - 28, identification=_IDENTIFICATION)
    expected = ends.translated(packet)
    rule = Rule(_SECTION, Level.SHOULD, "DF 0 and more than 1280 bytes as IPv6: fragmented to at most lowest-ipv6-mtu")

    def judge(came: Came) -> Iterable[Finding]:
        longest = max((len(bytes(one)) for one in came.far), default=0)
        if not came.far or expected is None:
            yield Finding(rule, Verdict.NOT_KEPT, came.instead())
        elif fault := _fault(came.far, expected, ends):
            yield Finding(rule, Verdict.NOT_KEPT, fault)
        elif longest > _LEAST_MTU:
            told = "whole" if len(came.far) == 1 else f"in fragments of up to {longest} bytes"
            yield Finding(rule, Verdict.DECIDED, f"forwarded {told}: its lowest-ipv6-mtu is more than 1280")
        else:
            yield Finding(rule, Verdict.KEPT)

    return Probe((packet,), (rule,), judge)


def _fault(came: Sequence[Packet], expected: Packet, ends: Ends) -> str:
    """What is wrong with the packet, or with the fragments that it came in; empty: nothing.

    Whose address hosts share may give their packets other identifications (RFC 6864 §5.3).
    """
    if len(came) > 1 and not all(one.is_fragment for one in came):
        return "not all are fragments"
    whole = reassembled(came)
    if whole is None:
        return "the fragments don't join"
    if len(came) > 1 and not ends.natted and identification_of(came[0]) != _IDENTIFICATION:
        return f"identification 0x{identification_of(came[0]):08x}, must be 0x{_IDENTIFICATION:08x}"
    return "; ".join(differences(expected, whole).values())


def too_large_with_df(ends: Ends) -> Probe:
    """On links of 1500 bytes on both sides: what the next link takes isn't known."""
    packet = ends.udp(_LINK - 28, dont_fragment=True)
    rule = Rule(_SECTION, Level.MUST, "DF 1 and 20 bytes more than the next link takes: ICMP 3/4 with its MTU less 20")
    usual = answered(packet, (3, 4), rule, (_LINK - 20).to_bytes(4, "big"))

    def judge(came: Came) -> Iterable[Finding]:
        told = 0 if came.error is None else int.from_bytes(came.error[2], "big")
        if len(came.far) == 1 and not came.far[0].is_fragment:
            yield Finding(rule, Verdict.NOT_TRIED, "the IPv6 link takes 1520 bytes")
        elif came.error is not None and came.error[:2] == (3, 4) and LONGEST_WITHOUT_DF <= told < _LINK - 20:
            why = f"it tells {told}, which is right if its IPv6 link takes {told + 20} bytes"
            yield Finding(rule, Verdict.NOT_TRIED, why)
        else:
            yield from usual.judge(came)

    return replace(usual, judge=judge)
