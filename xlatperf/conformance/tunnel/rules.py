"""All rules of a tunnel's end that single packets show."""

from __future__ import annotations

from collections.abc import Iterator

from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.nat44.clients import Nat44Clients
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.stateful.sessions import Sessions
from xlatperf.conformance.through import through_rules
from xlatperf.conformance.tunnel.decapsulation import decapsulation_rules
from xlatperf.conformance.tunnel.encapsulation import encapsulation_rules
from xlatperf.conformance.tunnel.ends import TunnelMake, makes
from xlatperf.conformance.tunnel.fragments import fragments_into, fragments_out
from xlatperf.conformance.tunnel.natted import natted
from xlatperf.conformance.tunnel.relay import relay_rules
from xlatperf.conformance.tunnel.standard import Standard


def into(standard: Standard) -> tuple[TunnelMake, ...]:
    """What goes into the tunnel."""
    return (
        *encapsulation_rules(standard),
        *through_rules(standard.into, shared=standard.shared),
        *fragments_into(standard),
    )


def out_of(standard: Standard) -> tuple[TunnelMake, ...]:
    """What comes out of it, and what a router inside says of what went in."""
    return (
        *through_rules(standard.out, shared=standard.shared),
        *decapsulation_rules(standard),
        *fragments_out(standard),
        *relay_rules(standard),
    )


def count(standard: Standard) -> int:
    """Exchanges with the device; what opens sessions as one."""
    return len(into(standard)) + len(out_of(standard)) + int(standard.nat)


def findings(exchanges: Exchanges, standard: Standard, into_way: Way, out_way: Way) -> Iterator[Finding]:
    """First of what goes into the tunnel; of a NAT in sessions of a client. Raises EngineError, EngineDied."""
    into_renewed, out_renewed = None, None
    if standard.nat:
        into_way, out_way = natted(into_way, out_way, edge=standard.edge)
        out, back = (into_way, out_way) if standard.edge else (out_way, into_way)
        sessions = Sessions(exchanges, Nat44Clients(out, back))
        renewed = (sessions.outward, sessions.inward)
        into_renewed, out_renewed = renewed if standard.edge else renewed[::-1]
        yield from sessions.opened()
    yield from exchanges.findings(into_way, makes(into(standard)), into_renewed)
    yield from exchanges.findings(out_way, makes(out_of(standard)), out_renewed)
