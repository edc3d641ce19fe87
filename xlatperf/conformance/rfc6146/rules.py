"""All rules of a stateful NAT64 that single packets show: those of RFC 6146, and of RFC 7915 in its sessions."""

from __future__ import annotations

from collections.abc import Iterator

from xlatperf.conformance.exchange import Exchanges
from xlatperf.conformance.rfc6146 import loop, packets
from xlatperf.conformance.rfc6146.setup import Nat64Setup
from xlatperf.conformance.rfc7915 import rules as rfc7915
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.stateful.hairpinning import hairpinning_scenarios
from xlatperf.conformance.stateful.icmp import icmp_scenarios
from xlatperf.conformance.stateful.scenarios import told
from xlatperf.conformance.stateful.sessions import Sessions
from xlatperf.conformance.stateful.standard import NAT64
from xlatperf.conformance.stateful.tcp import tcp_scenarios
from xlatperf.conformance.stateful.udp import udp_scenarios

SCENARIOS = (
    *packets.SCENARIOS,
    *hairpinning_scenarios(NAT64),
    *loop.SCENARIOS,
    *udp_scenarios(NAT64),
    *tcp_scenarios(NAT64),
    *icmp_scenarios(NAT64),
)
COUNT = len(SCENARIOS) + len(rfc7915.STATEFUL_FROM_IPV4) + len(rfc7915.STATEFUL_FROM_IPV6)


def of_nat64(exchanges: Exchanges, setup: Nat64Setup) -> Iterator[Finding]:
    """RFC 6146 first. Raises EngineError, EngineDied."""
    yield from told(exchanges, setup, SCENARIOS)
    sessions = Sessions(exchanges, setup.clients)
    yield from exchanges.findings(setup.clients.inward, rfc7915.STATEFUL_FROM_IPV4, sessions.inward)
    yield from exchanges.findings(setup.clients.outward, rfc7915.STATEFUL_FROM_IPV6, sessions.outward)
