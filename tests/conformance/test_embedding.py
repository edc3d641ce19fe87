"""RFC 6052 §2.4: the addresses that the RFC prints."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network

import pytest

from xlatperf.conformance.embedding import embedded


@pytest.mark.parametrize(
    ("prefix", "address"),
    [
        ("2001:db8::/32", "2001:db8:c000:221::"),
        ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
        ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"),
        ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
        ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
        ("2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"),
    ],
)
def test_vectors(prefix: str, address: str) -> None:
    assert embedded(IPv4Address("192.0.2.33"), IPv6Network(prefix)) == IPv6Address(address)
