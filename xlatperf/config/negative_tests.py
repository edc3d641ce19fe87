"""What the DUT must refuse: what its technology says, and what only the whole bench file tells."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import replace

from xlatperf.config.bench import Bench
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.stateful import PoolTechnology

_NATIVE = "they are foreground, of which traffic.mix has none"


def negative_tests_of(bench: Bench) -> list[NegativeTest]:
    """All of them; none can be tried without foreground."""
    found = [*bench.technology.negative_tests(), *_another_address(bench)]
    return found if bench.traffic.has_foreground else [replace(test, impossible=_NATIVE) for test in found]


def _another_address(bench: Bench) -> Iterator[NegativeTest]:
    """To the ports of open connections: a DUT that looks at a port alone forwards all right frames rightly."""
    technology = bench.technology
    if not isinstance(technology, PoolTechnology):
        return
    to = other_address(bench, technology)
    yield NegativeTest(
        "pool",
        f"to {to}, which isn't in the pool, on ports of open connections",
        "RFC 4787 §4.1",
        must=False,
        direction="reverse",
        changes=(Change("destination", flip=int(to), keep=0),),
        routable=True,
        means="the DUT looks at the port alone, or has this address too: compare technology.pool with its "
        "configuration",
    )


def other_address(bench: Bench, technology: PoolTechnology) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The first address after the pool's that is a host's, but neither a server's nor the Tester's or the DUT's own."""
    assert bench.traffic.connections is not None  # noqa: S101 - it was checked
    pool = technology.pool
    servers, right = bench.traffic.connections.servers, bench.tester.right
    address = ipaddress.ip_address(pool.first) + pool.addresses
    own = [ipaddress.ip_interface(one).ip for one in (right.ipv4, right.ipv6)]
    own += [ipaddress.ip_address(one) for one in (right.gateway_ipv4, right.gateway_ipv6)]
    link = ipaddress.ip_interface(right.ipv4).network
    own += [link.network_address, link.broadcast_address]
    while address in own or servers.holds_any(int(address), int(address)):
        address += 1
    return address
