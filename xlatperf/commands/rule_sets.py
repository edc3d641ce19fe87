"""Which technologies have rules that `check --all` tries, and by what of a bench file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface, IPv6Network

from xlatperf.config.bench import Bench
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.rfc6146 import rules as rfc6146
from xlatperf.conformance.rfc6146.setup import Pool, Setup
from xlatperf.conformance.rfc7915 import rules as rfc7915
from xlatperf.conformance.rule import Finding
from xlatperf.technologies.nat64 import Nat64

LEAST_POOL = 2048
"""Of a stateful device: more than what `check` and all rules together open, also when each is tried three times."""


@dataclass(frozen=True)
class Rules:
    """A technology's own: of which standards, and how they are tried."""

    standards: str
    count: int
    found: Callable[[Exchanges, Bench, Way, Way], Iterator[Finding]]


def _of_siit(exchanges: Exchanges, _: Bench, from_ipv4: Way, from_ipv6: Way) -> Iterator[Finding]:
    return rfc7915.findings(exchanges, from_ipv4, from_ipv6)


def _of_nat64(exchanges: Exchanges, bench: Bench, from_ipv4: Way, from_ipv6: Way) -> Iterator[Finding]:
    technology = bench.technology
    if not isinstance(technology, Nat64):
        raise TypeError(technology.name)
    own = technology.pool
    pool = Pool(IPv4Address(own.first), own.addresses, own.first_port, own.last_port)
    other = IPv4Interface(bench.tester.right.ipv4).ip  # the Tester's port: a host that the device has a way to
    return rfc6146.of_nat64(exchanges, Setup(from_ipv6, from_ipv4, other, IPv6Network(technology.prefix), pool))


RULES = {
    "siit": Rules("RFC 7915", len(rfc7915.FROM_IPV4) + len(rfc7915.FROM_IPV6), _of_siit),
    "nat64": Rules("RFC 6146 and RFC 7915", rfc6146.COUNT, _of_nat64),
}
"""Technologies with rules of their own."""
