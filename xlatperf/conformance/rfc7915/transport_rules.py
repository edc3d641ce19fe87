"""Rules of the transport layer that both ways have (RFC 7915 §4.5, §5.5)."""

from __future__ import annotations

from functools import partial

from xlatperf.conformance.differences import Field
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import EXPERIMENT
from xlatperf.conformance.probe import Make, Probe, fields_of, whole
from xlatperf.conformance.rule import Level, Rule
from xlatperf.conformance.transport import checksum_of


def transport_rules(section: str) -> tuple[Make, ...]:
    """Of one way."""
    return tuple(partial(make, section=section) for make in (_tcp, _checksum_zero))


def _tcp(ends: Ends, section: str) -> Probe:
    packet = ends.tcp()
    rule = Rule(section, Level.MUST, "the checksum of TCP follows the addresses")
    return fields_of(packet, ends.translated(packet), {Field.CHECKSUM: rule})


def _checksum_zero(ends: Ends, section: str) -> Probe:
    """A datagram whose checksum is computed to 0 on the other side."""
    data = ends.data(26)
    plain = ends.translated(ends.udp(data))
    last = int.from_bytes(data[-2:], "big") + (0 if plain is None else checksum_of(plain) or 0)
    packet = ends.udp(data[:-2] + ((last & 0xFFFF) + (last >> 16)).to_bytes(2, "big"))
    rule = Rule(section, Level.MUST, "a checksum of UDP that comes to 0 is sent as 0xffff (RFC 768)")
    return fields_of(packet, ends.translated(packet), {Field.CHECKSUM: rule})


def unknown_protocol(ends: Ends, section: str) -> Probe:
    """Forwarded as it is."""
    packet = ends.packet(EXPERIMENT, ends.data(24))
    rule = Rule(section, Level.MUST, "protocols that it doesn't know are forwarded")
    return whole((packet,), (ends.translated(packet),), rule)
