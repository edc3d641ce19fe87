"""The packet in the tunnel: unchanged but for its TTL (RFC 2473 §3.1, §3.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from xlatperf.conformance.differences import Field
from xlatperf.conformance.packet import EXPERIMENT, Packet
from xlatperf.conformance.probe import Probe, answered, decided, fields_of, whole
from xlatperf.conformance.rule import Level, Rule, Says
from xlatperf.conformance.transport import ECHO, ECHO_REPLY, without_checksum
from xlatperf.conformance.tunnel.ends import TunnelEnds
from xlatperf.conformance.tunnel.standard import UNCHANGED, Standard

TunnelMake = Callable[[TunnelEnds], Probe]
TRANSLATED = Says("RFC 3022 §4.1", Level.STATES)
"""Of a NAT."""
_NO_OPERATION, _END = 1, 0
_ECHOES = {ECHO: "Echo Request", ECHO_REPLY: "Echo Reply"}


_HEADER = {
    Field.TRAFFIC_CLASS: "its TOS is unchanged",
    Field.DONT_FRAGMENT: "its DF is unchanged",
    Field.HOP_LIMIT: "its TTL is decremented as ever",
    Field.HEADER_CHECKSUM: "its header checksum is right",
}
BUT_ITS_HEADER = frozenset(Field) - _HEADER.keys()
"""What other rules look at: those of the header have rows of their own."""
_OF_OTHERS = {
    Field.ADDRESSES: "its addresses are unchanged",
    Field.CHECKSUM: "its UDP checksum is unchanged",
    Field.DATA: "its ports and its data are unchanged",
}
_OF_A_NAT = {
    Field.ADDRESSES: "its address is that of the session",
    Field.CHECKSUM: "its UDP checksum follows the address and the port",
    Field.DATA: "its port is that of the session, its data are unchanged",
}


def opened(make: TunnelMake) -> TunnelMake:
    """A probe whose rule looks at what came out of tunnels, as if there were none."""

    def made(ends: TunnelEnds) -> Probe:
        probe = make(ends)
        return replace(probe, judge=lambda came: probe.judge(ends.opened(came)))

    return made


def _fields(ends: TunnelEnds) -> Probe:
    packet = ends.udp(tos=0xB8, identification=0x1234, dont_fragment=True)
    rules = {about: UNCHANGED.rule(f"{ends.way}: {says}") for about, says in _HEADER.items()}
    where, more = (TRANSLATED, _OF_A_NAT) if ends.natted else (UNCHANGED, _OF_OTHERS)
    rules |= {about: where.rule(f"{ends.way}: {says}") for about, says in more.items()}
    return fields_of(packet, ends.translated(packet), rules)


def _same(ends: TunnelEnds, packet: Packet, says: Says, what: str) -> Probe:
    return whole((packet,), (ends.translated(packet),), says.rule(f"{ends.way}: {what}"), BUT_ITS_HEADER)


def _tcp(ends: TunnelEnds) -> Probe:
    if ends.natted:
        return _same(ends, ends.tcp(), TRANSLATED, "TCP comes through, and its checksum follows the address")
    return _same(ends, ends.tcp(), UNCHANGED, "TCP comes through unchanged")


def _no_checksum(ends: TunnelEnds) -> Probe:
    datagram = ends.udp()
    packet = replace(datagram, payload=without_checksum(datagram))
    says = TRANSLATED if ends.natted else UNCHANGED
    return _same(ends, packet, says, "UDP without a checksum comes through without one")


def _options(ends: TunnelEnds) -> Probe:
    packet = ends.udp(options=bytes([_NO_OPERATION] * 3 + [_END]))
    return _same(ends, packet, UNCHANGED, "IPv4 options stay")


def _ttl_runs_out(ends: TunnelEnds) -> Probe:
    rule = Rule("RFC 1812 §5.3.1", Level.MUST, f"{ends.way}: a TTL of 1 draws ICMP 11/0")
    return answered(ends.udp(ttl=1), (11, 0), rule)


def _other_protocol(ends: TunnelEnds, standard: Standard) -> Probe:
    packet = ends.packet(EXPERIMENT, ends.data(24))
    if not standard.shared:
        return _same(ends, packet, UNCHANGED, "protocols that it doesn't know come through")
    return decided(packet, UNCHANGED.rule(f"{ends.way}: a protocol without ports"))


def _echo(ends: TunnelEnds, standard: Standard, kind: int) -> Probe:
    says = standard.way(ends.enters).echo
    return _same(ends, ends.echo(kind), says, f"an {_ECHOES[kind]} goes where it belongs")


def _error(ends: TunnelEnds, standard: Standard, kind: tuple[int, int], rest: bytes, name: str) -> Probe:
    packet = ends.error(kind, ends.back().udp(dont_fragment=True), rest)
    says = standard.way(ends.enters).errors
    return _same(ends, packet, says, f"ICMP's {name} goes where it belongs")


_ERRORS = (
    ((3, 3), b"\0\0\0\0", "port unreachable (3/3)"),
    ((3, 4), b"\0\0" + (1400).to_bytes(2, "big"), "fragmentation needed (3/4)"),
    ((11, 0), b"\0\0\0\0", "time exceeded (11/0)"),
)


def inside_rules(standard: Standard, *, enters: bool) -> tuple[TunnelMake, ...]:
    """Of one way through the tunnel's end."""
    makes: tuple[TunnelMake, ...] = (
        _fields,
        _tcp,
        _no_checksum,
        _options,
        _ttl_runs_out,
        partial(_other_protocol, standard=standard),
        *(partial(_echo, standard=standard, kind=kind) for kind in standard.way(enters).echoes),
        *(partial(_error, standard=standard, kind=kind, rest=rest, name=name) for kind, rest, name in _ERRORS),
    )
    return tuple(opened(make) for make in makes)
