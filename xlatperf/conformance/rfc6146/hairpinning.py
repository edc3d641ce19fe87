"""RFC 6146 §3.8 and §3.5: from a client to another one by the pool's address, and what would go round for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from xlatperf.conformance.bindings import Binding, ports_of
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.handshake import syn
from xlatperf.conformance.packet import Packet
from xlatperf.conformance.probe import describe, kept
from xlatperf.conformance.rfc6146.talk import Scenario, Talk
from xlatperf.conformance.rule import Finding, Level, Rule

MUST = Level.MUST
_UDP = Rule("RFC 6146 §3.8", MUST, "UDP to another client's mapping comes to it, from the sender's own mapping")
_TCP = Rule("RFC 6146 §3.8", MUST, "TCP to another client's mapping comes to it, from the sender's own mapping")


def _hairpin(talk: Talk, rule: Rule, make: Callable[[Ends], Packet]) -> Iterator[Finding]:
    sender, other = talk.client(), talk.client()
    own, others = talk.bound(make(sender)), talk.bound(make(other))
    if own is None or others is None:
        yield kept(rule, False, "to the server it didn't come out")
        return
    to = replace(sender, destination=talk.setup.outside(others.ipv4), ports=(sender.ports[0], others.ipv4_port))
    came = talk.out(make(to))
    if len(came.near) != 1 or came.error is not None:
        yield kept(rule, False, f"came out: {describe(came.far[0])}" if came.far else came.instead())
        return
    yield kept(rule, not (fault := _fault(talk, came.near[0], own, others)), fault)


def _fault(talk: Talk, came: Packet, own: Binding, others: Binding) -> str:
    seen = (came.source, came.destination, ports_of(came))
    wanted = (talk.setup.outside(own.ipv4), others.ipv6, (own.ipv4_port, others.ipv6_port))
    names = ("source", "destination", "ports")
    return "; ".join(f"{n} {one}, must be {two}" for n, one, two in zip(names, seen, wanted, strict=True) if one != two)


_LOOP = Rule("RFC 6146 §3.5", MUST, "a packet whose source is in the prefix is silently discarded")


def _loop(talk: Talk) -> Iterator[Finding]:
    packet = replace(talk.client(), source=talk.setup.outside(talk.setup.other)).udp()
    yield talk.silently_discarded(_LOOP, talk.out, packet)


SCENARIOS = (
    Scenario((_UDP,), lambda talk: _hairpin(talk, _UDP, lambda ends: ends.udp())),
    Scenario((_TCP,), lambda talk: _hairpin(talk, _TCP, syn)),
    Scenario((_LOOP,), _loop),
)
