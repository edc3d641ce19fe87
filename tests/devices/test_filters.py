"""Filters of a kernel that forwards (RFC 2544 §11.4)."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.load import parse_bench
from xlatperf.devices.filters import FilterKeys, rules
from xlatperf.lab.programs import NFT

NAT44 = 'technology.name = "nat44"\n[device]\ndriver = "nft-nat44"\n'


def test_one_lets_everything_pass() -> None:
    """RFC 2544 §11.4: of each family a table of its own."""
    assert rules(1) == "".join(
        f"""table {family} xlatperf-filters {{
    chain forward {{
        type filter hook forward priority filter; policy drop;
        accept
    }}
}}
"""
        for family in ("ip", "ip6")
    )


def test_the_last_one_of_many_does() -> None:
    """RFC 2544 §11.4: 25, of which 24 are for addresses that don't occur."""
    text = rules(25)
    assert text.count(" drop\n") == 48
    for line in ("ip saddr 240.0.0.1 drop", "ip saddr 240.0.0.24 drop", "ip6 saddr 100::18 drop"):
        assert line in text
    assert "240.0.0.25" not in text
    assert text.index("240.0.0.24") < text.index("accept")


@pytest.mark.parametrize("driver", ["linux", "nft-nat44", "nft-nat66"])
def test_on_another_host_it_needs_what_sets_them(driver: str) -> None:
    """It's looked for there before anything starts."""
    technology = {"linux": "native", "nft-nat44": "nat44", "nft-nat66": "nat66"}[driver]
    device = parse_bench(f'technology.name = "{technology}"\n[device]\ndriver = "{driver}"\nfilters = 1', "b").device
    assert isinstance(device, FilterKeys)
    assert NFT in device.needed_there().programs


def test_how_many() -> None:
    """One line."""
    line = "b.toml: device.filters: 10001 is not allowed: a whole number, 0 to 10000"
    assert fault(NAT44 + "filters = 10001") == line
