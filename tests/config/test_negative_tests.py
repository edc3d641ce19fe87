"""R6052-2.2, R9693-3.1: negative tests that follow from all of the bench file."""

from __future__ import annotations

import ipaddress

import pytest

from xlatperf.config.load import parse_bench
from xlatperf.config.negative_tests import negative_tests_of
from xlatperf.procedures.negative import NegativeTest

ANY = int(ipaddress.ip_address("2001:2:0:6464::c613:2"))


def found(technology: str) -> dict[str, NegativeTest]:
    return {one.name: one for one in negative_tests_of(parse_bench(f"[technology]\n{technology}", "b"))}


def changed(test: NegativeTest, value: int) -> str:
    """As the engine changes it: (value & keep) ^ flip."""
    (change,) = test.changes
    assert change.keep is not None
    return str(ipaddress.ip_address((value & change.keep) ^ change.flip))


@pytest.mark.parametrize(
    ("keys", "address"),
    [
        ("", "2001:db8:0:6464::c613:2"),
        ('prefix = "2001:db8:1::/96"', "3fff:999:0:6464::c613:2"),
        ('prefix = "2001:db8::/32"', "3fff:999:0:6464::c613:2"),
        ('eam = [{ ipv4 = "198.18.0.0/24", ipv6 = "2001:db8:4::/120" }]', "3fff:999:0:6464::c613:2"),
    ],
)
def test_another_prefix_than_any(keys: str, address: str) -> None:
    """What the DUT may translate has other first 32 bits, and everything behind them stays."""
    test = found(f'name = "siit"\n{keys}')["prefix"]
    assert changed(test, ANY) == address
    assert test.direction == "forward"
    assert found(f'name = "siit"\nipv6_side = "right"\n{keys}')["prefix"].direction == "reverse"


def test_nothing_where_nothing_can_be_told() -> None:
    left = '{ ipv4 = "198.18.0.0/24", ipv6 = "2001:db8::/120" }'
    right = '{ ipv4 = "198.19.0.0/24", ipv6 = "3fff:999::/120" }'
    both = found(f'name = "siit"\neam = [{left}, {right}]')["prefix"]
    assert (both.changes, both.impossible) == ((), "technology has both prefixes for documentation")
    assert not found('name = "native"\nfamily = "ipv6"')


@pytest.mark.parametrize(
    ("keys", "address"),
    [
        ("", "198.19.0.3"),
        ('pool = { first = "198.18.0.1", addresses = 4 }', "198.18.0.5"),
        ('pool = { first = "192.168.18.255" }', "192.168.19.4"),
    ],
)
def test_another_address_than_anybodys(keys: str, address: str) -> None:
    """The server has 198.19.0.2, Tester and DUT 192.168.19.2 and .1 on the right."""
    test = found(f'name = "nat44"\n{keys}')["pool"]
    assert changed(test, 0xFFFFFFFF) == address
    assert test.direction == "reverse"


def test_what_each_technology_has() -> None:
    assert set(found('name = "nat64"')) == {"prefix", "pool"}
    assert set(found('name = "nat66"')) == {"pool"}
    assert {"softwire", "outer_source"} < set(found('name = "lw4o6"'))
