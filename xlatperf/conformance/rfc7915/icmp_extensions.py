"""RFC 7915 §4.2, §5.2: ICMP extensions (RFC 4884) behind the packet that an error is about."""

from __future__ import annotations

from collections.abc import Iterable

from xlatperf.conformance.came import Came
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import Ipv4, Packet
from xlatperf.conformance.probe import Probe, kept
from xlatperf.conformance.rfc7915.icmp_messages import inner
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict
from xlatperf.conformance.transport import icmp_error

_EXTENSION = bytes.fromhex("20007a5d00080101186a1101")
"""Version 2, its checksum; an object of 8 bytes: an MPLS label (RFC 4950)."""
_QUOTED, _LEAST = 168, 128
"""Bytes of the packet inside, also when 20 are taken from it more than there must be (RFC 4884 §4)."""
_TIME_EXCEEDED = {4: 11, 6: 3}
_AT, _WORD = {4: 5, 6: 4}, {4: 4, 6: 8}
"""Of the length attribute: where it is in the message, and the bytes of its unit (RFC 4884 §4.2, §4.5)."""


def _family(packet: Packet) -> int:
    return 4 if isinstance(packet, Ipv4) else 6


def extension(ends: Ends, section: str) -> Probe:
    """Time Exceeded with one."""
    plain = inner(ends)
    about = ends.back().udp(18 + _QUOTED - len(bytes(plain)))
    family = _family(about)
    rest = bytearray(4)
    rest[_AT[family] - 4] = _QUOTED // _WORD[family]
    packet = ends.icmp((_TIME_EXCEEDED[family], 0), bytes(rest), bytes(about) + _EXTENSION)
    rule = Rule(section, Level.MUST, "ICMP extensions (RFC 4884): the length attribute follows the packet inside")

    def judge(came: Came) -> Iterable[Finding]:
        if len(came.far) != 1 or icmp_error(came.far[0]) is None:
            yield Finding(rule, Verdict.NOT_KEPT, came.instead())
            return
        message = came.far[0].payload
        family = _family(came.far[0])
        length = message[_AT[family]] * _WORD[family]
        if _EXTENSION not in message:
            yield Finding(rule, Verdict.NOT_KEPT, f"the extension is gone, the length attribute is {length} bytes")
        else:
            at = message.index(_EXTENSION) - 8
            yield kept(rule, length == at >= _LEAST, f"it is {length} bytes, the extension is behind {at}")

    return Probe((packet,), (rule,), judge)
