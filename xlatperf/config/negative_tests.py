"""What the DUT must refuse: what its technology says, and what only the whole bench file tells.

A DUT that takes the last 32 bits of any destination, or looks at a port alone, forwards all right frames rightly.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from xlatperf.config.bench import Bench
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.registry import AnyTechnology
from xlatperf.technologies.siit import Siit
from xlatperf.technologies.stateful import PoolTechnology

_DOCUMENTATION = (0x20010DB8, 0x3FFF0999)
"""The first 32 bits of IPv6 addresses for documentation (RFC 3849, RFC 9637)."""
_BELOW = 96


def negative_tests(bench: Bench) -> list[NegativeTest]:
    """All of them."""
    return [*bench.technology.negative_tests(), *_another_prefix(bench.technology), *_another_address(bench)]


def _another_prefix(technology: AnyTechnology) -> Iterator[NegativeTest]:
    """Right destinations, but for the first 32 bits: translation prefixes have at least so many (RFC 6052 §2.2)."""
    prefix = technology.translation_prefix
    if prefix is None:
        return
    own = [ipaddress.IPv6Network(prefix)]
    if isinstance(technology, Siit):
        own += [ipaddress.IPv6Network(row.ipv6) for row in technology.eam]
    first = next(
        (first for first in _DOCUMENTATION if not any(_network(first).overlaps(network) for network in own)), None
    )
    if first is None:
        return
    yield NegativeTest(
        "prefix",
        f"to IPv6 addresses under {_network(first)}, which isn't in the translation prefix",
        "RFC 6052 §2.3",
        must=False,
        direction="forward" if technology.families[0] == 6 else "reverse",
        changes=(Change("destination", flip=first << _BELOW, keep=(1 << _BELOW) - 1),),
        means=f"the DUT takes the IPv4 address out of a destination that isn't in {prefix}",
    )


def _network(first: int) -> ipaddress.IPv6Network:
    return ipaddress.IPv6Network((first << _BELOW, 128 - _BELOW))


def _another_address(bench: Bench) -> Iterator[NegativeTest]:
    """To the ports of open connections."""
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
        means="the DUT looks at the port alone, or has this address too: compare technology.pool with its "
        "configuration",
    )


def other_address(bench: Bench, technology: PoolTechnology) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The first address after the pool's that is neither a server's nor the Tester's or the DUT's own."""
    assert bench.traffic.connections is not None  # noqa: S101 - it was checked
    pool = technology.pool
    servers, right = bench.traffic.connections.servers, bench.tester.right
    address = ipaddress.ip_address(pool.first) + pool.addresses
    own = [ipaddress.ip_interface(one).ip for one in (right.ipv4, right.ipv6)]
    own += [ipaddress.ip_address(one) for one in (right.gateway_ipv4, right.gateway_ipv6)]
    while address in own or servers.holds_any(int(address), int(address)):
        address += 1
    return address
