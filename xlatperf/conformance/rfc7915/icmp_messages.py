"""Probes of ICMP that both ways have: types that are dropped, errors with a packet inside."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from xlatperf.conformance.differences import Field
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import Packet
from xlatperf.conformance.probe import Make, Probe, dropped, whole
from xlatperf.conformance.rule import Level, Rule

MESSAGE = frozenset({Field.ADDRESSES, Field.PROTOCOL, Field.MESSAGE, Field.CHECKSUM})
"""What the rule of a type and code is about."""
_HEADER = frozenset(Field) - MESSAGE - {Field.INSIDE}


def inner(ends: Ends) -> Packet:
    """The packet that an error from the source is about: as it came there, through the device."""
    return ends.back().udp()


def echo(ends: Ends, section: str, kind: int, says: str) -> Probe:
    """A request or a reply: identifier, sequence number and data stay."""
    packet = ends.echo(kind)
    return whole((packet,), (ends.translated(packet),), Rule(section, Level.MUST, says))


def one_error(ends: Ends, kind: tuple[int, int], rest: bytes, rule: Rule) -> Probe:
    """An error of that type and code with these bytes 4 to 7, or that it's dropped."""
    packet = ends.error(kind, inner(ends), rest)
    return whole((packet,), (ends.translated(packet),), rule, MESSAGE)


def nobodys_types(section: str, types: Mapping[int, str]) -> tuple[Make, ...]:
    """Messages that are for one link or obsolete: silently dropped."""

    def make(ends: Ends, number: int, says: str) -> Probe:
        data = bytes(inner(ends)) if number in (4, 5) else None
        return dropped((ends.icmp((number, 0), data=data),), Rule(section, Level.MUST, says), silently=True)

    return tuple(partial(make, number=number, says=f"{what} is silently dropped") for number, what in types.items())


def each_error(
    section: str,
    number: int,
    codes: Mapping[int, str],
    *,
    pointers: Mapping[int, str] | None = None,
    last: bool = False,
) -> tuple[Make, ...]:
    """Errors of that type, with what becomes of each code or pointer: byte 4, or all of 4 to 7 (`last`)."""

    def make(ends: Ends, code: int, says: str, pointer: int) -> Probe:
        rest = pointer.to_bytes(4, "big") if last else bytes([pointer, 0, 0, 0])
        return one_error(ends, (number, code), rest, Rule(section, Level.MUST, says))

    return tuple(
        partial(make, code=code, says=says.format(what), pointer=pointer)
        for code, says in codes.items()
        for pointer, what in (pointers or {0: ""}).items()
    )


def _header_of_an_error(ends: Ends, section: str) -> Probe:
    """An error about one packet, translated: what is around the message."""
    packet = ends.error(ends.unreachable, inner(ends))
    rule = Rule(section, Level.MUST, "the IP header of an ICMP error is translated like any other")
    return whole((packet,), (ends.translated(packet),), rule, _HEADER)


def _packet_inside(ends: Ends, section: str) -> Probe:
    """The same: the packet that it is about."""
    packet = ends.error(ends.unreachable, inner(ends))
    rule = Rule(
        section, Level.MUST, "the packet inside of an ICMP error is translated, its TTL or hop limit not decremented"
    )
    return whole((packet,), (ends.translated(packet),), rule, {Field.INSIDE})


def _an_error_inside(ends: Ends, section: str) -> Probe:
    """One level is translated, and a second one isn't looked for."""
    about = ends.back().error(ends.unreachable, ends.udp())
    packet = ends.error(ends.unreachable, about)
    return dropped((packet,), Rule(section, Level.MUST, "an error about an error is dropped"))


def around_and_inside(header: str, inside: str) -> tuple[Make, ...]:
    """What is around an error, and the packet in it, by these sections."""
    return (
        partial(_header_of_an_error, section=header),
        partial(_packet_inside, section=inside),
        partial(_an_error_inside, section=inside),
    )
