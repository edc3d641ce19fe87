"""All rules of RFC 7915 that single packets show."""

from __future__ import annotations

from collections.abc import Iterator

from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.rfc7915 import from_ipv4, from_ipv6, icmp_from_ipv4, icmp_from_ipv6
from xlatperf.conformance.rule import Finding

FROM_IPV4 = (*from_ipv4.PROBES, *icmp_from_ipv4.PROBES)
FROM_IPV6 = (*from_ipv6.PROBES, *icmp_from_ipv6.PROBES)
STATEFUL_FROM_IPV4 = tuple(one for one in FROM_IPV4 if one not in from_ipv4.STATELESS)
STATEFUL_FROM_IPV6 = tuple(one for one in FROM_IPV6 if one not in from_ipv6.STATELESS)
"""Those that a NAT64 keeps too (RFC 6146 §3.7)."""

SHARED_FROM_IPV4 = tuple(one for one in FROM_IPV4 if one not in from_ipv4.WITHOUT_PORTS)
SHARED_FROM_IPV6 = tuple(one for one in FROM_IPV6 if one not in from_ipv6.WITHOUT_PORTS)
"""Those that MAP-T keeps too (RFC 7599 §8)."""

CLIENTS_FROM_IPV4 = tuple(one for one in SHARED_FROM_IPV4 if one not in icmp_from_ipv4.OF_SERVERS)
CLIENTS_FROM_IPV6 = tuple(one for one in SHARED_FROM_IPV6 if one not in icmp_from_ipv6.OF_CLIENTS)
"""Those that a MAP-T CE with NAPT44 keeps too, in its clients' sessions."""


def findings(exchanges: Exchanges, from_ipv4_way: Way, from_ipv6_way: Way) -> Iterator[Finding]:
    """In the RFC's order. Raises EngineError, EngineDied."""
    yield from exchanges.findings(from_ipv4_way, FROM_IPV4)
    yield from exchanges.findings(from_ipv6_way, FROM_IPV6)
