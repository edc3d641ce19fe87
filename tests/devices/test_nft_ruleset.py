from __future__ import annotations

import pytest

from xlatperf.devices.device import DeviceError, Link
from xlatperf.devices.nft_ruleset import masquerade, ruleset


def pool(**keys: object) -> dict[str, object]:
    return {"pool": {"first": "198.19.0.1", "addresses": 1, "first_port": 1024, "last_port": 65535, **keys}}


def test_one_address() -> None:
    assert (
        ruleset(pool())
        == """table ip xlatperf {
    chain unknown {
        type filter hook prerouting priority mangle;
        iifname "d1" ip daddr 198.19.0.1 ct state new drop
    }
    chain translate {
        type nat hook postrouting priority srcnat;
        oifname "d1" meta l4proto { tcp, udp, icmp } snat to 198.19.0.1:1024-65535
        oifname "d1" snat to 198.19.0.1
    }
}
"""
    )


def test_several_addresses() -> None:
    rules = ruleset(pool(first="198.18.0.254", addresses=4, first_port=2048, last_port=3071))
    assert "ip daddr 198.18.0.254-198.18.1.1 ct state new drop" in rules
    assert "snat to 198.18.0.254-198.18.1.1:2048-3071\n" in rules
    assert "snat to 198.18.0.254-198.18.1.1\n" in rules


def test_one_port() -> None:
    assert "snat to 198.19.0.1:5000\n" in ruleset(pool(first_port=5000, last_port=5000))


def test_ipv6() -> None:
    """An address before a port is in brackets."""
    rules = ruleset(pool(first="2001:2:0:8000::1"))
    assert rules.startswith("table ip6 xlatperf {")
    assert "ip6 daddr 2001:2:0:8000::1 ct state new drop" in rules
    assert "meta l4proto { tcp, udp, icmpv6 } snat to [2001:2:0:8000::1]:1024-65535\n" in rules
    assert "snat to 2001:2:0:8000::1\n" in rules
    several = ruleset(pool(first="2001:2:0:c000::1", addresses=3))
    assert "snat to [2001:2:0:c000::1]-[2001:2:0:c000::3]:1024-65535\n" in several
    assert "ip6 daddr 2001:2:0:c000::1-2001:2:0:c000::3 ct" in several


def test_no_such_addresses() -> None:
    with pytest.raises(DeviceError, match=r"technology\.pool: 2 addresses from 255\.255\.255\.255 are not allowed: "):
        ruleset(pool(first="255.255.255.255", addresses=2))


def test_masquerading() -> None:
    """The pool is the address of the interface on the right."""
    right = Link("198.19.0.3/24", "198.19.0.1/24", None, None)
    assert masquerade(pool(), right) == ruleset(pool()).replace(
        "snat to 198.19.0.1:1024-65535", "masquerade to :1024-65535"
    ).replace("snat to 198.19.0.1", "masquerade")
    other = r"technology\.pool\.first: 198\.19\.0\.9 is not allowed: 198\.19\.0\.1: a router that masquerades"
    with pytest.raises(DeviceError, match=other):
        masquerade(pool(first="198.19.0.9"), right)
    with pytest.raises(DeviceError, match=r"technology\.pool\.addresses: 2 is not allowed: 1: a router that masq"):
        masquerade(pool(addresses=2), right)
    with pytest.raises(DeviceError, match=r"pool\.first: 198\.19\.0\.1 is not allowed: its address there: a router"):
        masquerade(pool(), Link(None, None, "2001:db8::2/64", "2001:db8::1/64"))
