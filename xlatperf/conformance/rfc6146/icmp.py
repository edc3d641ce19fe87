"""RFC 6146 §3.5.3 and §3.4: queries of ICMP, and errors about what is in no session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xlatperf.conformance.probe import kept
from xlatperf.conformance.rfc6146.talk import Scenario, Talk
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict
from xlatperf.conformance.transport import ECHO, ECHO_REPLY, ECHO_V6

_SESSION, _TUPLE = "RFC 6146 §3.5.3", "RFC 6146 §3.4"
MUST, STATES = Level.MUST, Level.STATES

_ECHO = Rule(_SESSION, MUST, "a client's Echo Request is translated, and the reply comes to its identifier")


def _echo(talk: Talk) -> Iterator[Finding]:
    client = talk.client()
    binding = talk.bound(client.echo(ECHO_V6))
    if binding is None:
        yield Finding(_ECHO, Verdict.NOT_KEPT, "the request didn't come out")
        return
    reply = talk.server(binding).echo(ECHO_REPLY)
    came = talk.back(reply).far
    right = len(came) == 1 and came[0].payload[4:6] == client.ports[0].to_bytes(2, "big")
    yield kept(_ECHO, right, "the reply came to another identifier" if came else "the reply was dropped")


_ONE_MAPPING = Rule(_SESSION, MUST, "a client's identifier has one mapping, whatever it sends to")


def _one_mapping(talk: Talk) -> Iterator[Finding]:
    client = talk.client()
    other = replace(client, destination=talk.setup.outside(talk.setup.other))
    bound = [talk.bound(one.echo(ECHO_V6)) for one in (client, other)]
    told = " and ".join("nothing" if one is None else f"identifier {one.ipv4_port}" for one in bound)
    yield kept(_ONE_MAPPING, bound[0] is not None and bound[0] == bound[1], told)


_UNMAPPED = Rule(_SESSION, STATES, "an Echo Request to an identifier without a mapping isn't translated")


def _unmapped(talk: Talk) -> Iterator[Finding]:
    server = talk.unbound()
    came = talk.back(replace(server, ports=server.ports[::-1]).echo(ECHO))
    yield kept(_UNMAPPED, not came.far, "translated")


_STRANGE = Rule(_TUPLE, STATES, "an ICMP error about a packet of no session is silently discarded")
_STRANGE_V6 = Rule(_TUPLE, STATES, "an ICMPv6 error about a packet of no session is silently discarded")


def _about_nothing(talk: Talk) -> Iterator[Finding]:
    server, client = talk.unbound(), talk.client()
    for rule, send, ends in ((_STRANGE, talk.back, server), (_STRANGE_V6, talk.out, client)):
        yield talk.silently_discarded(rule, send, ends.error(ends.unreachable, ends.back().udp()))


_STAYS = Rule("RFC 4787 §9", MUST, "an ICMP error doesn't end a mapping (REQ-10)")


def _after_an_error(talk: Talk) -> Iterator[Finding]:
    client = talk.client()
    binding = talk.bound(client.udp())
    if binding is None:
        yield Finding(_STAYS, Verdict.NOT_KEPT, "the client's own didn't come out")
        return
    server = talk.server(binding)
    talk.back(server.error(server.unreachable, server.back().udp()))
    talk.out(client.error(client.unreachable, client.back().udp()))
    came = talk.back(server.udp())
    yield kept(_STAYS, len(came.far) == 1, came.instead())


SCENARIOS = (
    Scenario((_ECHO,), _echo),
    Scenario((_ONE_MAPPING,), _one_mapping),
    Scenario((_UNMAPPED,), _unmapped),
    Scenario((_STRANGE, _STRANGE_V6), _about_nothing),
    Scenario((_STAYS,), _after_an_error),
)
