"""Hosts on the DUT's own links, and a pool of the DUT's own address (RFC 9693 §3.1, RFC 2544 §12)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.keys.toml_text import toml_value

Keys = Mapping[str, object]
LINKS: Keys = {
    "tester.left.ipv4": "198.18.0.2/24",
    "tester.left.gateway_ipv4": "198.18.0.1",
    "tester.left.ipv6": "2001:2::2/64",
    "tester.left.gateway_ipv6": "2001:2::1",
    "tester.right.ipv4": "198.19.0.2/24",
    "tester.right.gateway_ipv4": "198.19.0.1",
}
NATIVE = {**LINKS, "technology.name": "native", "technology.family": "ipv4"}
SIIT = {**LINKS, "technology.name": "siit", "technology.eam": [{"ipv4": "198.18.0.2/32", "ipv6": "2001:2::2/128"}]}
NAT44 = {
    **LINKS,
    "technology.name": "nat44",
    "technology.pool": {"first": "198.19.0.1"},
    "traffic.connections.clients": {"first": "198.18.0.2"},
    "traffic.connections.servers": {"first": "198.19.0.2"},
}
DSLITE = {**LINKS, "technology.name": "dslite", "technology.b4s": {"first": "2001:2::2", "count": 1}}


def text_of(keys: Keys) -> str:
    return "\n".join(f"{name} = {toml_value(value)}" for name, value in keys.items())


@pytest.mark.parametrize(
    "keys",
    [
        NATIVE,
        {**NATIVE, "traffic.left.hosts.networks": 256, "traffic.right.hosts.networks": 256},
        {**NATIVE, "traffic.left.hosts.host": 254},
        {**NATIVE, "traffic.left.hosts.hosts": 253},
        {**NATIVE, "traffic.left.hosts.prefix": "198.18.0.64/28"},
        SIIT,
        NAT44,
        {**NAT44, "technology.pool": {"first": "198.19.0.8", "addresses": 4}},
        {**NAT44, "traffic.connections.clients": {"first": "198.18.0.2", "addresses": 253}},
        DSLITE,
    ],
)
def test_neighbours(keys: Keys) -> None:
    """R9693-3.1: hosts with addresses of the link, the Tester's own among them; the DUT's own address as the pool."""
    parse_bench(text_of(keys), "b.toml")


@pytest.mark.parametrize(
    ("keys", "place", "value", "allowed"),
    [
        (
            {**NATIVE, "traffic.left.hosts.host": 1},
            "traffic.left.hosts.prefix",
            "198.18.0.0/24",
            "1 network(s) from there on without the DUT's address on the link 198.18.0.0/24, 198.18.0.1",
        ),
        (
            {**NATIVE, "traffic.left.hosts.host": 255},
            "traffic.left.hosts.prefix",
            "198.18.0.0/24",
            "1 network(s) from there on without the broadcast address on the link 198.18.0.0/24, 198.18.0.255",
        ),
        (
            {**NATIVE, "traffic.left.hosts.hosts": 254},
            "traffic.left.hosts.prefix",
            "198.18.0.0/24",
            "1 network(s) from there on without the broadcast address on the link 198.18.0.0/24, 198.18.0.255",
        ),
        (
            {**NATIVE, "traffic.left.hosts": {"prefix": "198.18.0.0/30", "networks": 2, "host": 0, "hosts": 4}},
            "traffic.left.hosts.host",
            "0",
            "1 to 3, as 198.18.0.0/30 has 4 addresses",
        ),
        (
            {
                **NATIVE,
                "tester.left.gateway_ipv4": "198.18.0.38",
                "traffic.left.hosts": {"prefix": "198.18.0.0/28", "networks": 4, "host": 3, "hosts": 4},
            },
            "traffic.left.hosts.prefix",
            "198.18.0.0/28",
            "4 network(s) from there on without the DUT's address on the link 198.18.0.0/24, 198.18.0.38",
        ),
        (
            {**NATIVE, "traffic.left.hosts.prefix": "198.18.0.0/23"},
            "traffic.left.hosts.prefix",
            "198.18.0.0/23",
            "1 network(s) from there on outside of the link 198.18.0.0/24, or inside of it",
        ),
        (
            {
                **SIIT,
                "technology.eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}],
                "traffic.left.hosts.host": 1,
            },
            "traffic.left.hosts.prefix",
            "198.18.0.0/24",
            "1 network(s) from there on without 198.18.0.1, which technology.eam[0] maps to the DUT's address on the "
            "link 2001:2::/64, 2001:2::1",
        ),
        (
            {**NAT44, "traffic.connections.clients": {"first": "198.18.0.2", "addresses": 254}},
            "traffic.connections.clients.first",
            "198.18.0.2",
            "254 address(es) from there on without the broadcast address on the link 198.18.0.0/24, 198.18.0.255",
        ),
        (
            {**NAT44, "traffic.connections.clients": {"first": "198.18.0.1"}},
            "traffic.connections.clients.first",
            "198.18.0.1",
            "1 address(es) from there on without the DUT's address on the link 198.18.0.0/24, 198.18.0.1",
        ),
        (
            {
                **NAT44,
                "technology.pool": {"first": "198.19.0.2"},
                "traffic.connections.servers": {"first": "198.19.0.3"},
            },
            "technology.pool.first",
            "198.19.0.2",
            "1 address(es) from there on without the Tester's address on the link 198.19.0.0/24, 198.19.0.2",
        ),
        (
            {**NAT44, "technology.pool": {"first": "198.18.0.9"}},
            "technology.pool.first",
            "198.18.0.9",
            "1 address(es) from there on outside of the link 198.18.0.0/24 of tester.left",
        ),
        (
            {**NAT44, "traffic.connections.servers": {"first": "198.18.0.9"}},
            "traffic.connections.servers.first",
            "198.18.0.9",
            "1 address(es) from there on outside of the link 198.18.0.0/24 of tester.left",
        ),
        *(
            (
                {**DSLITE, "technology.b4s": {"first": "2001:2::", "count": count}},
                "technology.b4s.first",
                "2001:2::",
                f"{count} address(es) from there on without the routers' address on the link 2001:2::/64, 2001:2::",
            )
            for count in (1, 2)
        ),
        (
            {**SIIT, "technology.eam": [{"ipv4": "198.18.0.2/32", "ipv6": "2001:2::/128"}]},
            "traffic.left.hosts.prefix",
            "198.18.0.0/24",
            "1 network(s) from there on without 198.18.0.2, which technology.eam[0] maps to the routers' address on "
            "the link 2001:2::/64, 2001:2::",
        ),
        (
            {**DSLITE, "technology.b4s": {"first": "2001:2::1", "count": 1}},
            "technology.b4s.first",
            "2001:2::1",
            "1 address(es) from there on without the DUT's address on the link 2001:2::/64, 2001:2::1",
        ),
    ],
)
def test_lines(keys: Keys, place: str, value: str, allowed: str) -> None:
    """Nobody has the DUT's address, nor one that is nobody's; a network is routed, or on the link, as a whole."""
    with pytest.raises(BenchError) as failed:
        parse_bench(text_of(keys), "b.toml")
    assert str(failed.value) == f"b.toml: {place}: {value} is not allowed: {allowed}"


@pytest.mark.parametrize(
    "eam",
    [
        [{"ipv4": "198.18.0.0/16", "ipv6": "2001:2::/112"}],
        [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}, {"ipv4": "198.19.0.0/24", "ipv6": "2001:2:0:1::/120"}],
        [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/112"}],
        [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}, {"ipv4": "198.18.0.1/32", "ipv6": "2001:2:0:1::1/128"}],
    ],
)
def test_a_mapping_may_have_addresses_that_no_host_has(eam: list[dict[str, str]]) -> None:
    """RFC 7757 §3.2: of a network's mapping, the DUT's own address is one as well; hosts are what counts."""
    hosts = {"traffic.left.hosts.host": 1} if len(eam) > 1 and eam[1]["ipv4"] == "198.18.0.1/32" else {}
    parse_bench(text_of({**SIIT, "technology.eam": eam, **hosts}), "b.toml")
