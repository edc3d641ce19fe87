"""What the drivers of stateful gateways refuse before they make anything."""

from __future__ import annotations

import pytest

from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench

OF = {
    "nft-nat44": 'name = "nat44"',
    "nft-nat66": 'name = "nat66"',
    "nft-masquerade": 'name = "nat44"',
    "tayga-map-t-ce": 'name = "map-t-ce"',
    "464xlat": 'name = "nat44"\ndouble_translation = true',
    "tayga-nat64": 'name = "nat64"',
}


@pytest.mark.parametrize("driver", OF)
@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("table_size = 0", r"device\.table_size: 0 is not allowed: a whole number, 1 to 2147483647"),
        ('hash_size = "big"', r"device\.hash_size: \"big\" is not allowed"),
        ("udp_timeout_s = -1", r"device\.udp_timeout_s: -1 is not allowed"),
        ("table_sice = 7", r"device\.table_sice: .* did you mean table_size\?"),
        ("mtu = 1000", r"device\.mtu: 1000 is not allowed: a whole number, 1280 to 65535"),
    ],
)
def test_options(driver: str, option: str, message: str) -> None:
    with pytest.raises(BenchError, match=message):
        parse_bench(f'[technology]\n{OF[driver]}\n[device]\ndriver = "{driver}"\n{option}', "b.toml")
