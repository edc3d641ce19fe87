"""An IPv4 packet that stays one, unchanged but for its TTL, and for what a NAT44 on the way does to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from xlatperf.conformance.differences import Field
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.fragmented import CHOSEN, ORDERS, come_through
from xlatperf.conformance.packet import EXPERIMENT, Packet
from xlatperf.conformance.probe import Make, Probe, answered, decided, fields_of, whole
from xlatperf.conformance.rule import Level, Rule, Says
from xlatperf.conformance.transport import ECHO, ECHO_REPLY, without_checksum

TRANSLATED = Says("RFC 3022 §4.1", Level.STATES)
"""Of a NAT."""


@dataclass(frozen=True)
class Through:
    """What a standard says of one way.

    `header`: that it's unchanged. `parts`: of fragments. `echo`: whose an echo is; `echoes`: ICMP's types of those.
    `errors`: of ICMP. `twice`: there is IPv6 in the middle, by RFC 7915 (RFC 6877).
    """

    header: Says
    parts: Says
    echo: Says
    errors: Says
    echoes: tuple[int, ...] = (ECHO, ECHO_REPLY)
    twice: bool = False


CLIENTS = Through(
    TRANSLATED,
    Says("RFC 4787 §11", Level.MUST),
    Says("RFC 5508 §3.1", Level.MUST),
    Says("RFC 5508 §4.2", Level.MUST),
    echoes=(ECHO,),
)
"""From clients of a NAT44: an echo begins at a client, or opens no session."""
_NO_CHECKSUM = Says("RFC 7915 §4.5", Level.SHOULD)
"""Dropped, or computed."""
_Ends = TypeVar("_Ends", bound=Ends)
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
PUT_TOGETHER = CHOSEN | _HEADER.keys()
"""What isn't looked at in packets that were fragments."""
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


def opened(make: Callable[[_Ends], Probe]) -> Callable[[_Ends], Probe]:
    """A probe whose rule looks at what came out of tunnels, as if there were none."""

    def made(ends: _Ends) -> Probe:
        probe = make(ends)
        return replace(probe, judge=lambda came: probe.judge(ends.opened(came)))

    return made


def _fields(ends: Ends, says: Through) -> Probe:
    packet = ends.udp(tos=0xB8, identification=0x1234, dont_fragment=True)
    header = {**_HEADER, Field.DONT_FRAGMENT: "its DF is 0 up to 1260 bytes"} if says.twice else _HEADER
    rules = {about: says.header.rule(f"{ends.way}: {text}") for about, text in header.items()}
    where, more = (TRANSLATED, _OF_A_NAT) if ends.natted else (says.header, _OF_OTHERS)
    rules |= {about: where.rule(f"{ends.way}: {text}") for about, text in more.items()}
    return fields_of(packet, ends.translated(packet), rules)


def _same(ends: Ends, packet: Packet, says: Says, what: str) -> Probe:
    return whole((packet,), (ends.translated(packet),), says.rule(f"{ends.way}: {what}"), BUT_ITS_HEADER)


def _tcp(ends: Ends, says: Through) -> Probe:
    if ends.natted:
        return _same(ends, ends.tcp(), TRANSLATED, "TCP comes through, and its checksum follows the address")
    return _same(ends, ends.tcp(), says.header, "TCP comes through unchanged")


def _no_checksum(ends: Ends, says: Through) -> Probe:
    datagram = ends.udp()
    packet = replace(datagram, payload=without_checksum(datagram))
    if says.twice:
        return decided(packet, _NO_CHECKSUM.rule(f"{ends.way}: UDP without a checksum"))
    where = TRANSLATED if ends.natted else says.header
    return _same(ends, packet, where, "UDP without a checksum comes through without one")


def _options(ends: Ends, says: Through) -> Probe:
    packet = ends.udp(options=bytes([_NO_OPERATION] * 3 + [_END]))
    return _same(ends, packet, says.header, "IPv4 options are ignored" if says.twice else "IPv4 options stay")


def _ttl_runs_out(ends: Ends) -> Probe:
    rule = Rule("RFC 1812 §5.3.1", Level.MUST, f"{ends.way}: a TTL of 1 draws ICMP 11/0")
    return answered(ends.udp(ttl=1), (11, 0), rule)


def _other_protocol(ends: Ends, says: Through, shared: bool) -> Probe:
    packet = ends.packet(EXPERIMENT, ends.data(24))
    if not shared:
        return _same(ends, packet, says.header, "protocols that it doesn't know come through")
    return decided(packet, Rule(says.header.section, Level.STATES, f"{ends.way}: a protocol without ports"))


def _echo(ends: Ends, says: Through, kind: int) -> Probe:
    return _same(ends, ends.echo(kind), says.echo, f"an {_ECHOES[kind]} goes where it belongs")


def _error(ends: Ends, says: Through, kind: tuple[int, int], rest: bytes, name: str) -> Probe:
    packet = ends.error(kind, ends.back().udp(dont_fragment=True), rest)
    return _same(ends, packet, says.errors, f"ICMP's {name} goes where it belongs")


_ERRORS = (
    ((3, 3), b"\0\0\0\0", "port unreachable (3/3)"),
    ((3, 4), b"\0\0" + (1400).to_bytes(2, "big"), "fragmentation needed (3/4)"),
    ((11, 0), b"\0\0\0\0", "time exceeded (11/0)"),
)


def through_rules(says: Through, *, shared: bool) -> tuple[Make, ...]:
    """Of one way. `shared`: hosts have ports, so that what has none is nobody's."""
    makes: tuple[Make, ...] = (
        *(partial(make, says=says) for make in (_fields, _tcp, _no_checksum, _options)),
        _ttl_runs_out,
        partial(_other_protocol, says=says, shared=shared),
        *(partial(_echo, says=says, kind=kind) for kind in says.echoes),
        *(partial(_error, says=says, kind=kind, rest=rest, name=name) for kind, rest, name in _ERRORS),
    )
    return tuple(opened(make) for make in makes)


def _fragments(ends: Ends, says: Through, order: Sequence[int], how: str) -> Probe:
    """Fragments of IPv4, which only the first tells the ports of."""
    return come_through(ends, says.parts.rule(f"{ends.way}: fragments of IPv4 come through{how}"), order, PUT_TOGETHER)


def fragment_rules(says: Through) -> tuple[Make, ...]:
    """Of one way, in both orders."""
    return tuple(opened(partial(_fragments, says=says, order=order, how=how)) for order, how in ORDERS)
