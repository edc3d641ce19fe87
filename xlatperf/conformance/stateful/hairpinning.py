"""From a client to another one by the pool's address (RFC 6146 §3.8; RFC 4787 §6, RFC 5382 §7.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from xlatperf.conformance.bindings import Binding, ports_of
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.handshake import syn
from xlatperf.conformance.packet import Packet
from xlatperf.conformance.probe import describe, kept
from xlatperf.conformance.rule import Finding, Rule
from xlatperf.conformance.stateful.standard import Standard
from xlatperf.conformance.stateful.talk import Scenario, Talk


def _hairpin(rule: Rule, make: Callable[[Ends], Packet]) -> Scenario:
    def told(talk: Talk) -> Iterator[Finding]:
        sender, other = talk.client(), talk.client()
        own, others = talk.bound(make(sender)), talk.bound(make(other))
        if own is None or others is None:
            yield kept(rule, False, "to the server it didn't come out")
            return
        address, ports = talk.setup.outside(others.outside.address), (sender.ports[0], others.outside.port)
        came = talk.out(make(replace(sender, destination=address, ports=ports)))
        if len(came.near) != 1 or came.error is not None:
            yield kept(rule, False, f"came out: {describe(came.far[0])}" if came.far else came.instead())
            return
        yield kept(rule, not (fault := _fault(talk, came.near[0], own, others)), fault)

    return Scenario((rule,), told)


def _fault(talk: Talk, came: Packet, own: Binding, others: Binding) -> str:
    seen = (came.source, came.destination, ports_of(came))
    ports = (own.outside.port, others.inside.port)
    wanted = (talk.setup.outside(own.outside.address), others.inside.address, ports)
    names = ("source", "destination", "ports")
    return "; ".join(f"{n} {one}, must be {two}" for n, one, two in zip(names, seen, wanted, strict=True) if one != two)


def hairpinning_scenarios(standard: Standard) -> tuple[Scenario, ...]:
    """Of UDP and TCP."""
    says = "to another client's mapping comes to it, from the sender's own mapping"
    return (
        _hairpin(standard.hairpinning.rule(f"UDP {says}"), lambda ends: ends.udp()),
        _hairpin(standard.hairpinning_of_tcp.rule(f"TCP {says}"), syn),
    )
