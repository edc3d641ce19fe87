"""All rules of a stateful NAT64 that single packets show: those of RFC 6146, and of RFC 7915 in its sessions."""

from __future__ import annotations

from collections.abc import Iterator

from xlatperf.conformance.exchange import Exchanges
from xlatperf.conformance.rfc6146 import hairpinning, icmp, packets, tcp, udp
from xlatperf.conformance.rfc6146.setup import Setup
from xlatperf.conformance.rfc6146.talk import Scenario, Sessions, Silent, Talk
from xlatperf.conformance.rfc7915 import rules as rfc7915
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.trying import Attempt, findings

SCENARIOS = (*packets.SCENARIOS, *hairpinning.SCENARIOS, *udp.SCENARIOS, *tcp.SCENARIOS, *icmp.SCENARIOS)
COUNT = len(SCENARIOS) + len(rfc7915.STATEFUL_FROM_IPV4) + len(rfc7915.STATEFUL_FROM_IPV6)


def of_nat64(exchanges: Exchanges, setup: Setup) -> Iterator[Finding]:
    """RFC 6146 first. Raises EngineError, EngineDied."""
    known = setup.known()
    yield from findings((_attempt(exchanges, known, one) for one in SCENARIOS), exchanges.sleep)
    sessions = Sessions(exchanges, known)
    yield from exchanges.findings(known.inward, rfc7915.STATEFUL_FROM_IPV4, sessions.inward)
    yield from exchanges.findings(known.outward, rfc7915.STATEFUL_FROM_IPV6, sessions.outward)


def _attempt(exchanges: Exchanges, setup: Setup, scenario: Scenario) -> Attempt:
    def once() -> list[Finding] | None:
        try:
            return list(scenario.told(Talk(exchanges, setup)))
        except Silent:
            return None

    return Attempt(scenario.rules, once, scenario.answered)
