"""All rules of a tunnel's end that single packets show."""

from __future__ import annotations

from collections.abc import Iterator

from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.probe import Make, Probe
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.tunnel.decapsulation import decapsulation_rules
from xlatperf.conformance.tunnel.encapsulation import encapsulation_rules
from xlatperf.conformance.tunnel.ends import TunnelEnds
from xlatperf.conformance.tunnel.fragments import fragments_into, fragments_out
from xlatperf.conformance.tunnel.inside import TunnelMake, inside_rules
from xlatperf.conformance.tunnel.relay import relay_rules
from xlatperf.conformance.tunnel.standard import Standard


def into(standard: Standard) -> tuple[TunnelMake, ...]:
    """What goes into the tunnel."""
    return (*encapsulation_rules(standard), *inside_rules(standard), *fragments_into(standard))


def out_of(standard: Standard) -> tuple[TunnelMake, ...]:
    """What comes out of it, and what a router inside says of what went in."""
    return (
        *inside_rules(standard),
        *decapsulation_rules(standard),
        *fragments_out(standard),
        *relay_rules(standard),
    )


def findings(exchanges: Exchanges, standard: Standard, into_way: Way, out_way: Way) -> Iterator[Finding]:
    """First of what goes into the tunnel. Raises EngineError, EngineDied."""
    yield from exchanges.findings(into_way, [_of_a_tunnel(make) for make in into(standard)])
    yield from exchanges.findings(out_way, [_of_a_tunnel(make) for make in out_of(standard)])


def _of_a_tunnel(make: TunnelMake) -> Make:
    def made(ends: Ends) -> Probe:
        if not isinstance(ends, TunnelEnds):
            raise TypeError("not a tunnel's")
        return make(ends)

    return made
