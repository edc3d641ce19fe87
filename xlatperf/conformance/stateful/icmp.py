"""Queries of ICMP, and errors about what is in no session (RFC 6146 §3.5.3, §3.4; RFC 5508 §3, §4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xlatperf.conformance.probe import kept
from xlatperf.conformance.rule import Finding, Verdict
from xlatperf.conformance.stateful.standard import Standard
from xlatperf.conformance.stateful.talk import Scenario, Talk, several
from xlatperf.conformance.transport import ECHO, ECHO_REPLY


def _echo(standard: Standard) -> Scenario:
    rule = standard.query.rule("a client's Echo Request is translated, and the reply comes to its identifier")

    def told(talk: Talk) -> Iterator[Finding]:
        client = talk.client()
        binding = talk.bound(client.query())
        if binding is None:
            yield Finding(rule, Verdict.NOT_KEPT, "the request didn't come out")
            return
        came = talk.back(talk.server(binding).echo(ECHO_REPLY)).far
        right = len(came) == 1 and came[0].payload[4:6] == client.ports[0].to_bytes(2, "big")
        yield kept(rule, right, "the reply came to another identifier" if came else "the reply was dropped")

    return Scenario((rule,), told)


def _one_mapping(standard: Standard) -> Scenario:
    rule = standard.one_mapping_of_queries.rule("a client's identifier has one mapping, whatever it sends to")

    def told(talk: Talk) -> Iterator[Finding]:
        texts = []
        for client in talk.whose_ports():
            other = replace(client, destination=talk.setup.outside(talk.setup.other))
            bound = [talk.bound(one.query()) for one in (client, other)]
            if bound[0] is None or bound[0] != bound[1]:
                texts.append(f"identifier {client.ports[0]} became {several(bound)}")
        yield kept(rule, not texts, "; ".join(texts))

    return Scenario((rule,), told)


def _unmapped(standard: Standard) -> Scenario:
    rule = standard.query_from_outside.rule("an Echo Request to an identifier without a mapping isn't translated")

    def told(talk: Talk) -> Iterator[Finding]:
        server = talk.unbound()
        came = talk.back(replace(server, ports=server.ports[::-1]).echo(ECHO))
        yield kept(rule, not came.far, "translated")

    return Scenario((rule,), told)


def _about_nothing(standard: Standard) -> Scenario:
    says = "about a packet of no session is silently discarded"
    outside, inside = (one.rule(f"{name} {says}") for one, name in zip(standard.strange, standard.names, strict=True))

    def told(talk: Talk) -> Iterator[Finding]:
        server, client = talk.unbound(), talk.client()
        for rule, send, ends in ((outside, talk.back, server), (inside, talk.out, client)):
            yield talk.silently_discarded(rule, send, ends.error(ends.unreachable, ends.back().udp()))

    return Scenario((outside, inside), told)


def _after_an_error(standard: Standard) -> Scenario:
    rule = standard.stays.rule("an ICMP error doesn't end a mapping (REQ-12)")

    def told(talk: Talk) -> Iterator[Finding]:
        client = talk.client()
        binding = talk.bound(client.udp())
        if binding is None:
            yield Finding(rule, Verdict.NOT_KEPT, "the client's own didn't come out")
            return
        server = talk.server(binding)
        talk.back(server.error(server.unreachable, server.back().udp()))
        talk.out(client.error(client.unreachable, client.back().udp()))
        came = talk.back(server.udp())
        yield kept(rule, len(came.far) == 1, came.instead())

    return Scenario((rule,), told)


def icmp_scenarios(standard: Standard) -> tuple[Scenario, ...]:
    """All of ICMP."""
    return (
        _echo(standard),
        _one_mapping(standard),
        _unmapped(standard),
        _about_nothing(standard),
        _after_an_error(standard),
    )
