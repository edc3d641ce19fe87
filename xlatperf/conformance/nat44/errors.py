"""RFC 5508 §4.1: which ICMP errors a NAT takes."""

from __future__ import annotations

from dataclasses import replace

from xlatperf.conformance.ends import Ends
from xlatperf.conformance.probe import Make, Probe, dropped, whole
from xlatperf.conformance.rule import Level, Rule
from xlatperf.conformance.through import BUT_ITS_HEADER

_SECTION = "RFC 5508 §4.1"
_NO_OPERATION = b"\1" * 4
_CHECKSUM, _HEADER_CHECKSUM = slice(2, 4), slice(10, 12)
"""Of a message of ICMP; of IPv4."""


_PORT_UNREACHABLE = (3, 3)


def _wrong_checksum(ends: Ends) -> Probe:
    """REQ-3."""
    right = ends.error(_PORT_UNREACHABLE, ends.back().udp())
    wrong = bytearray(right.payload)
    wrong[_CHECKSUM] = (int.from_bytes(wrong[_CHECKSUM], "big") ^ 0x0101).to_bytes(2, "big")
    rule = Rule(_SECTION, Level.SHOULD, f"{ends.way}: an ICMP error with a wrong checksum is silently dropped (REQ-3)")
    return dropped((replace(right, payload=bytes(wrong)),), rule, silently=True)


def _wrong_inside(ends: Ends) -> Probe:
    """REQ-3 a."""
    about = bytearray(bytes(ends.back().udp()))
    about[_HEADER_CHECKSUM] = (int.from_bytes(about[_HEADER_CHECKSUM], "big") ^ 0x0101).to_bytes(2, "big")
    rule = Rule(
        _SECTION,
        Level.SHOULD,
        f"{ends.way}: an ICMP error about a packet with a wrong header checksum is silently dropped (REQ-3 a)",
    )
    return dropped((ends.icmp(_PORT_UNREACHABLE, data=bytes(about)),), rule, silently=True)


def _options_inside(ends: Ends) -> Probe:
    """REQ-3 b."""
    packet = ends.error(_PORT_UNREACHABLE, ends.back().udp(options=_NO_OPERATION))
    rule = Rule(
        _SECTION,
        Level.MUST,
        f"{ends.way}: in an ICMP error ports are found behind the IPv4 options of the packet inside (REQ-3 b)",
    )
    return whole((packet,), (ends.translated(packet),), rule, BUT_ITS_HEADER)


ERRORS: tuple[Make, ...] = (_wrong_checksum, _wrong_inside, _options_inside)
"""Of one way."""
