"""Hosts on the DUT's own links, and NAT to the DUT's own address, as routers are and as RFC 9693 §3.1 draws them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.requirements import needs_nft, needs_root, needs_tayga
from tests.system.trials import RELAXED
from xlatperf.keys.toml_text import toml_value

CHECK = ("--rate", "1000", "--duration", "0.1", "--timeout", "0.3", "--hold", "0")
LINKS: Mapping[str, object] = {
    "tester.left.ipv4": "10.0.0.9/16",
    "tester.left.gateway_ipv4": "10.0.0.1",
    "tester.left.ipv6": "2001:2::9/64",
    "tester.left.gateway_ipv6": "2001:2::1",
    "tester.right.ipv4": "198.19.0.9/24",
    "tester.right.gateway_ipv4": "198.19.0.1",
    "tester.right.ipv6": "2001:2:0:8000::9/64",
    "tester.right.gateway_ipv6": "2001:2:0:8000::1",
}
CLIENTS4 = {"traffic.connections.clients": {"first": "10.0.0.2", "addresses": 3}}
CLIENTS6 = {"traffic.connections.clients": {"first": "2001:2::2", "addresses": 3}}
SERVERS4 = {"traffic.connections.servers": {"first": "198.19.0.2", "addresses": 3}}
SERVERS6 = {"traffic.connections.servers": {"first": "2001:2:0:8000::2", "addresses": 3}}
OWN4, OWN6 = ({"technology.pool": {"first": first}} for first in ("198.19.0.1", "2001:2:0:8000::1"))
NAT44 = {"technology.name": "nat44", **OWN4, **CLIENTS4, **SERVERS4}
NAT64 = {"technology.name": "nat64", **OWN4, **CLIENTS6, **SERVERS4}
NAT66 = {"technology.name": "nat66", **OWN6, **CLIENTS6, **SERVERS6}
HOSTS4 = {"traffic.left.hosts.prefix": "10.0.0.0/24", "traffic.right.hosts.prefix": "198.19.0.0/24"}
BACKGROUND = {
    "traffic.mix": [[1, 2]],
    "traffic.left.background_hosts.prefix": "2001:2::/64",
    "traffic.right.background_hosts.prefix": "2001:2:0:8000::/64",
}
HOSTS6 = {"traffic.left.hosts.prefix": "2001:2::/64", "traffic.right.hosts.prefix": "2001:2:0:8000::/64"}
SIIT = {
    "technology.name": "siit",
    "technology.eam": [
        {"ipv4": "198.18.0.2/32", "ipv6": "2001:2::2/128"},
        {"ipv4": "198.19.0.2/32", "ipv6": "2001:2:0:1000::2/128"},
    ],
    "traffic.right.hosts.prefix": "198.19.0.0/24",
}
OF_CES = {"tester.left.ipv6": "2001:2:0:3fff:ffff::9/51", "tester.left.gateway_ipv6": "2001:2:0:3fff:ffff::1"}
"""A link with the addresses of all that have one of 2001:2:0:2000::/51."""
RIGHT4 = {"traffic.right.hosts.prefix": "198.19.0.0/24"}
SETUPS: Mapping[str, Mapping[str, object]] = {
    "linux ipv4": {"technology.name": "native", "technology.family": "ipv4", **HOSTS4, **BACKGROUND},
    "linux ipv6": {"technology.name": "native", "technology.family": "ipv6", **HOSTS6},
    "nft-nat44": NAT44,
    "nft-nat66": NAT66,
    "tayga": {**SIIT, "traffic.hops": 3},
    "tayga-nat64": {**NAT64, "traffic.hops": 3},
    "464xlat": {**NAT44, "technology.double_translation": True, "traffic.hops": 6},
    "reference siit": SIIT,
    "reference nat44": NAT44,
    "reference nat64": NAT64,
    "reference nat66": NAT66,
    "reference dslite": {
        "technology.name": "dslite",
        **OWN4,
        "technology.aftr": "2001:2::1",
        "technology.b4s": {"first": "2001:2::2", "count": 5, "network_length": 128},
        **SERVERS4,
    },
    "reference map-e": {"technology.name": "map-e", **OF_CES, **RIGHT4},
    "reference map-t": {"technology.name": "map-t", **OF_CES, **RIGHT4},
    "reference lw4o6": {"technology.name": "lw4o6", **OF_CES, **RIGHT4},
    "reference map-e-ce": {"technology.name": "map-e-ce", **CLIENTS4},
}
"""By the driver and what it is."""
NEEDS = {"linux": [needs_root], "nft": [needs_root, needs_nft], "tayga": [needs_root, needs_tayga]}
NEEDS["464xlat"] = [needs_root, needs_nft, needs_tayga]


def _marked(name: str) -> object:
    driver = name.partition(" ")[0]
    needs = [one for begin, marks in NEEDS.items() if driver.startswith(begin) for one in marks]
    return pytest.param(driver, SETUPS[name], id=name, marks=[*needs, *([needs_nft] if name == "tayga-nat64" else [])])


def text_of(keys: Mapping[str, object]) -> str:
    return "\n".join(f"{name} = {toml_value(value)}" for name, value in keys.items()) + RELAXED


@pytest.mark.parametrize(("driver", "keys"), [_marked(name) for name in SETUPS])
def test_check(driver: str, keys: Mapping[str, object], tmp_path: Path) -> None:
    """R9693-3.1: the DUT has no route to them, finds each by ARP or Neighbor Discovery, and forwards every frame."""
    (tmp_path / "b.toml").write_text(text_of({**LINKS, **keys, "device.driver": driver}))
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "on the link, where the Tester answers" in xlatperf("show", "b.toml", folder=tmp_path).output


def test_several_networks_of_which_one_is_the_link(tmp_path: Path) -> None:
    """R2544-12: the DUT has routes to the others."""
    native = {**SETUPS["linux ipv4"], "traffic.mix": [[1, 1]], "traffic.right.hosts.networks": 20}
    (tmp_path / "b.toml").write_text(text_of({**LINKS, **native, "device.driver": "reference"}))
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 0, ended.output
    shown = xlatperf("show", "b.toml", folder=tmp_path).output
    assert "right: 198.19.0.0/24 on the link" in shown
    assert "right: 198.19.1.0/24 via 198.19.0.9" in shown
