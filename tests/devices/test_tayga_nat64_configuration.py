from __future__ import annotations

import ipaddress

import pytest

from tests.devices.hosts import LEFT, RIGHT, describe
from xlatperf.devices.device import DeviceError, Link
from xlatperf.devices.tayga_nat64_configuration import configure, static_maps

TECHNOLOGY = {"name": "nat64", "prefix": "2001:db8:6464::/96", "pool": {"first": "198.19.0.1"}}
SERVERS = {"198.19.0.2/32": "foreground"}


def text(*clients: str, links: tuple[Link, ...] = (LEFT, RIGHT)) -> str:
    sides = describe(dict.fromkeys(clients, "foreground"), SERVERS)
    return configure(TECHNOLOGY, sides, links).text


def test_one_client() -> None:
    """RFC 9693 §3.1."""
    configuration = configure(TECHNOLOGY, describe({"2001:2::2/128": "foreground"}, SERVERS), (LEFT, RIGHT))
    assert configuration.text == (
        "tun-device tayga0\nipv4-addr 192.0.2.1\nprefix 2001:db8:6464::/96\nmap 100.64.0.0/32 2001:2::2/128\n"
    )
    assert configuration.routes == ("2001:db8:6464::/96", "100.64.0.0/10")


def test_networks_of_clients_the_largest_first() -> None:
    assert text("2001:2::2/128", "2001:2::1:0/120").endswith(
        "map 100.64.0.0/24 2001:2::1:0/120\nmap 100.64.1.0/32 2001:2::2/128\n"
    )


def test_clients_that_differ_in_bits_96_to_111() -> None:
    """RFC 9693 §3.2: their network is larger than all of IPv4 has room for."""
    assert text("2001:2::/96").endswith("dynamic-pool 100.64.0.0/10\n")


def test_too_many_networks_of_clients() -> None:
    many = [f"2001:2::{number:x}:2/128" for number in range(257)]
    assert text(*many[:256]).count("map ") == 256
    assert text(*many).endswith("dynamic-pool 100.64.0.0/10\n")


def test_another_range_if_the_bench_uses_it() -> None:
    link = Link(None, "100.64.0.1/30", None, None)
    assert "map 10.0.0.0/32 2001:2::2/128\n" in text("2001:2::2/128", links=(LEFT, link))
    with pytest.raises(DeviceError, match="TAYGA needs IPv4 addresses for the clients"):
        text("2001:2::2/128", links=(LEFT, Link(None, "8.0.0.1/0", None, None)))


def test_without_prefix() -> None:
    with pytest.raises(DeviceError, match=r"technology\.prefix is missing"):
        configure({**TECHNOLOGY, "prefix": ""}, describe({}, SERVERS), (LEFT, RIGHT))


def test_a_range_that_is_just_large_enough() -> None:
    clients = [ipaddress.ip_network("2001:2::/127"), ipaddress.ip_network("2001:2::100/127")]
    maps = static_maps(clients, ipaddress.IPv4Network("192.0.2.0/30"))
    assert maps is not None
    assert [str(ipv4) for ipv4, _ in maps] == ["192.0.2.0/31", "192.0.2.2/31"]
    assert static_maps(clients, ipaddress.IPv4Network("192.0.2.0/31")) is None
