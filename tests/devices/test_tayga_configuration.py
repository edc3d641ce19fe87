from __future__ import annotations

import pytest

from tests.devices.hosts import LEFT, RIGHT, describe
from xlatperf.devices.device import DeviceError, Link
from xlatperf.devices.tayga_configuration import Configuration, configure

PREFIX = "2001:db8:6464::/96"
EAM_LEFT = {"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}
EAM_RIGHT = {"ipv4": "198.19.0.0/24", "ipv6": "2001:2:0:8000::/120"}


def made(
    left: str, right: str, *, ipv6_side: str = "left", prefix: str | None = PREFIX, eam: tuple[dict[str, str], ...] = ()
) -> Configuration:
    technology: dict[str, object] = {"name": "siit", "ipv6_side": ipv6_side, "eam": list(eam)}
    if prefix:
        technology["prefix"] = prefix
    sides = describe({left: "foreground", "2001:2:0:1000::2/128": "background"}, {right: "foreground"})
    return configure(technology, sides, (LEFT, RIGHT))


def test_prefix_and_eam() -> None:
    configuration = made("2001:2::2/128", "198.19.0.2/32", eam=(EAM_LEFT,))
    assert configuration.text == (
        "tun-device tayga0\nipv4-addr 192.0.2.1\nprefix 2001:db8:6464::/96\nmap 198.18.0.0/24 2001:2::/120\n"
    )
    assert configuration.routes == (PREFIX, "198.18.0.0/24")


def test_ipv6_on_the_right() -> None:
    configuration = made("198.18.0.2/32", "2001:2:0:8000::2/128", ipv6_side="right", eam=(EAM_RIGHT,))
    assert configuration.routes == (PREFIX, "198.19.0.0/24")


def test_mappings_on_both_sides_without_prefix() -> None:
    eam = (EAM_LEFT, {"ipv4": "198.19.0.0/24", "ipv6": "2001:db8:1919::/120"})
    configuration = made("2001:2::2/128", "198.19.0.2/32", prefix=None, eam=eam)
    assert configuration.routes == ("198.18.0.0/24", "2001:db8:1919::/120")
    assert "ipv6-addr 2001:db8:7a:67a::1\n" in configuration.text


def test_a_mapping_shorter_than_the_route_to_its_hosts() -> None:
    """RFC 7757 §3.1: single addresses may be mapped; the hosts' network must still go to the Tester."""
    eam = ({"ipv4": "198.18.0.2/32", "ipv6": "2001:2::2/128"},)
    assert made("2001:2::/64", "198.19.0.0/24", eam=eam).routes == (PREFIX, "198.18.0.2/32", "0.0.0.0/0")


def test_hosts_with_embedded_addresses_get_the_rest_of_ipv4() -> None:
    assert made("2001:db8:6464::c612:2/128", "198.19.0.2/32").routes == (PREFIX, "0.0.0.0/0")


def test_own_address_is_one_that_nobody_uses() -> None:
    eam = ({"ipv4": "192.0.2.0/24", "ipv6": "2001:2::/120"},)
    assert "ipv4-addr 198.51.100.1\n" in made("2001:2::2/128", "198.19.0.2/32", eam=eam).text
    link = Link(None, "198.51.100.2/24", None, None)
    technology = {"name": "siit", "ipv6_side": "left", "prefix": PREFIX, "eam": list(eam)}
    sides = describe({"2001:2::2/128": "foreground"}, {"198.19.0.2/32": "foreground"})
    assert "ipv4-addr 203.0.113.1\n" in configure(technology, sides, (LEFT, link)).text


def test_own_addresses_all_used() -> None:
    eam = ({"ipv4": "128.0.0.0/1", "ipv6": "2001:2::/97"},)
    with pytest.raises(DeviceError, match="TAYGA needs an address of its own"):
        made("2001:2::2/128", "198.19.0.2/32", eam=eam)


def test_well_known_prefix() -> None:
    """RFC 6052 §3.1: it must not represent addresses such as 198.18.0.0/15; TAYGA drops them."""
    configuration = made("2001:2::2/128", "198.19.0.2/32", prefix="64:ff9b::/96", eam=(EAM_LEFT,))
    assert "ipv6-addr 2001:db8:7a:67a::1\n" in configuration.text
    assert "RFC 6052 §3.1" in configuration.remarks[0]


@pytest.mark.parametrize("prefix", ["2001:db8::/32", "2001:db8:100::/40", "2001:db8:122::/48", "2001:db8:122:344::/64"])
def test_every_prefix_length(prefix: str) -> None:
    """RFC 6052 §2.2 and the examples of §2.4."""
    assert f"prefix {prefix}\n" in made("2001:2::2/128", "198.19.0.2/32", prefix=prefix, eam=(EAM_LEFT,)).text


def test_prefix_length_that_does_not_exist() -> None:
    with pytest.raises(DeviceError, match=r"technology\.prefix: .*/32, /40, /48, /56, /64, /96"):
        made("2001:2::2/128", "198.19.0.2/32", prefix="2001:db8::/80")


def test_mapping_of_different_sizes() -> None:
    """RFC 7757 §3.1 allows it, TAYGA 0.9.2 doesn't."""
    with pytest.raises(DeviceError, match=r"can't map 198\.18\.0\.0/24 to 2001:2::/64, .* use a /120 in IPv6"):
        made("2001:2::2/128", "198.19.0.2/32", eam=({"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/64"},))
