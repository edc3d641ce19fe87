"""Sessions of TCP (RFC 6146 §3.5.2; RFC 5382 §4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xlatperf.conformance.handshake import segment, syn
from xlatperf.conformance.probe import kept
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict
from xlatperf.conformance.stateful.standard import Standard
from xlatperf.conformance.stateful.talk import Scenario, Talk, several
from xlatperf.conformance.transport import ACK, PUSH


def _connection(standard: Standard) -> Scenario:
    handshake = standard.handshake.rule("a client's SYN, its answer and the segments behind them are translated")
    pool = standard.pool_of_tcp.rule("TCP of a client comes from an address and port of the pool")

    def told(talk: Talk) -> Iterator[Finding]:
        binding = talk.connected(talk.client())
        yield kept(handshake, binding is not None, "not all of them came through")
        foreign = "nothing came" if binding is None else str(binding.outside)
        yield kept(pool, binding is not None and talk.setup.pool.has(binding), foreign)

    return Scenario((handshake, pool), told)


def _one_mapping(standard: Standard) -> Scenario:
    rule = standard.one_mapping_of_tcp.rule("a client's port of TCP has one mapping, whatever it connects to")

    def told(talk: Talk) -> Iterator[Finding]:
        texts = []
        for client in talk.whose_ports():
            other = replace(client, ports=(client.ports[0], client.ports[1] ^ 1))
            bound = [talk.bound(syn(one)) for one in (client, other)]
            if bound[0] is None or bound[0] != bound[1]:
                texts.append(f"port {client.ports[0]} became {several(bound)}")
        yield kept(rule, not texts, "; ".join(texts))

    return Scenario((rule,), told)


def _of_no_connection(standard: Standard) -> Scenario:
    says = "a segment of no connection that isn't a SYN "
    strict = standard.no_syn
    if strict is None:
        out = Rule(standard.handshake.section, Level.STATES, says.strip() + ", from a client")
    else:
        out = strict.rule(says + "is silently discarded, from a client")
    back = standard.tcp_from_outside.rule(says + "isn't translated, from outside")

    def told(talk: Talk) -> Iterator[Finding]:
        packet = segment(talk.client(), ACK | PUSH, numbers=(1, 1))
        if strict is None:
            came = talk.until_one_comes(talk.out, packet)
            yield Finding(out, Verdict.DECIDED, "translated" if came.far else came.instead())
        else:
            yield talk.silently_discarded(out, talk.out, packet)
        yield kept(back, not talk.back(segment(talk.unbound(), ACK | PUSH, numbers=(1, 1))).far, "translated")

    return Scenario((out, back), told)


def _from_outside(standard: Standard) -> Scenario:
    """What the device says of it after 6 s (TCP_INCOMING_SYN; RFC 5382 REQ-4) isn't waited for."""
    rule = standard.tcp_from_outside.rule("a SYN to a port of the pool without a mapping isn't translated")
    return Scenario((rule,), lambda talk: [kept(rule, not talk.back(syn(talk.unbound())).far, "translated")])


def tcp_scenarios(standard: Standard) -> tuple[Scenario, ...]:
    """All of TCP."""
    return _connection(standard), _one_mapping(standard), _of_no_connection(standard), _from_outside(standard)
