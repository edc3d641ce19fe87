"""Which interfaces of a host may be taken, by what its ip(8) says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from xlatperf.lab.remote.interfaces import parse


def link(name: str, **more: Any) -> dict[str, Any]:
    return {"ifname": name, "flags": ["BROADCAST", "UP"], "mtu": 9000, **more}


LINKS = [
    {"ifname": "lo", "flags": ["LOOPBACK", "UP"], "mtu": 65536},
    link("ens1"),
    link("ens2", master="bond0"),
    link("bond0", linkinfo={"info_kind": "bond"}),
    link("bond0.5", link="bond0", linkinfo={"info_kind": "vlan"}),
    link("veth0", link="veth1", linkinfo={"info_kind": "veth"}),
    link("veth1", link="veth0", linkinfo={"info_kind": "veth"}, flags=[]),
    link("free"),
    link("ours"),
]
ADDRESSES = [
    {"ifname": "bond0.5", "addr_info": [{"scope": "link", "local": "fe80::1", "prefixlen": 64}]},
    {"ifname": "veth1", "addr_info": [{"scope": "global", "local": "192.0.2.9", "prefixlen": 32}]},
]
IPV4 = [{"dst": "default", "nexthops": [{"dev": "ens1"}, {"dev": "bond0.5"}]}]
PEER = [{"dst": "192.0.2.7", "dev": "ours"}]
HARDWARE = "ens1 ixgbe 10000\nfree mlx5_core -1\nlo  \n"


def written(*parts: Any) -> str:
    return "\n".join(map(json.dumps, parts or (LINKS, ADDRESSES, IPV4, [], PEER))) + f"\n{HARDWARE}"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("free", None),
        ("veth0", None),
        ("ens1", "a default route leads through it: the host itself needs it"),
        ("ens2", "a default route leads through it: the host itself needs it"),
        ("ours", "the way to whoever is logged in leads through it: the host itself needs it"),
        ("veth1", "it would lose its address 192.0.2.9/32: ip address delete 192.0.2.9/32 dev veth1"),
        ("eth9", "there is none of this name; there are bond0, bond0.5, ens1, ens2, free, ours, veth0, veth1"),
    ],
)
def test_why_not(name: str, why: str | None) -> None:
    assert parse(written()).why_not(name) == why


def test_a_part_of_a_bond() -> None:
    seen = parse(written(LINKS, [], [], [], []))
    assert seen.why_not("ens2") == "it is a part of bond0: ip link set ens2 nomaster"


def test_what_else_was_seen() -> None:
    seen = parse(written())
    assert seen.state("veth0") == (9000, True)
    assert seen.state("veth1") == (9000, False)
    assert seen.hardware == {"ens1": "ixgbe, 10000 Mbit/s", "free": "mlx5_core", "lo": ""}


@pytest.mark.parametrize("text", ["", "x", "{}\n" * 5, "[1]\n" * 5, '[{"ifname": "a"}]\n' * 5])
def test_what_is_not_understood(text: str) -> None:
    try:
        seen = parse(text)
    except (ValueError, KeyError, TypeError, AttributeError):
        return
    assert seen.why_not("eth0") == "there is none of this name; there are none but loopback"
