"""What a CE or an lwB4 has, by the standards' own examples; and the rules that keep to it."""

from __future__ import annotations

from typing import Any

import pytest

from xlatperf.devices.device import DeviceError
from xlatperf.devices.port_set_rules import port_set_rules
from xlatperf.devices.shared_address import SharedAddress

EXAMPLE: dict[str, Any] = {
    "ipv6": "2001:db8::/40",
    "ipv4": "192.0.2.0/24",
    "ea_bits": 16,
    "psid_offset": 6,
    "ea": 0x1234,
}
SOFTWIRES: dict[str, Any] = {"ipv6": "2001:2:0:2000::/51", "ipv4": "198.18.0.0/24", "psid_length": 5, "number": 596}


def test_the_standard_s_ce() -> None:
    """RFC 7597 App. A, example 1."""
    found = SharedAddress.of_ce(EXAMPLE)
    assert str(found.tunnel) == "2001:db8:12:3400:0:c000:212:34"
    assert str(found.address) == "192.0.2.18"
    assert len(found.ports) == 63
    assert found.ports[:2] == (range(1232, 1236), range(2256, 2260))
    assert found.ports[-2:] == (range(63696, 63700), range(64720, 64724))


def test_a_prefix_without_ea_bits() -> None:
    """RFC 7597 App. A, example 3: a rule for each CE, whose address is its own, shared with nobody."""
    rule = {"ipv6": "2001:db8:12:3400::/56", "ipv4": "192.0.2.1/32", "ea_bits": 0, "psid_offset": 0, "ea": 0}
    found = SharedAddress.of_ce(rule)
    assert str(found.tunnel) == "2001:db8:12:3400:0:c000:201:0"
    assert found.ports == (range(65536),)


def test_a_psid_of_the_rule_s_own() -> None:
    """RFC 7597 App. A, example 4: a rule for each CE, with the PSID in it."""
    rule = {"ipv6": "2001:db8:12:3400::/56", "ipv4": "192.0.2.18/32", "ea_bits": 0, "psid_offset": 6, "ea": 0}
    found = SharedAddress.of_ce({**rule, "psid": 0x34, "psid_length": 8})
    assert str(found.tunnel) == "2001:db8:12:3400:0:c000:212:34"
    assert found.ports[0] == range(1232, 1236)


def test_an_lwb4() -> None:
    """RFC 7596 §5.1: one range of ports."""
    found = SharedAddress.of_lwb4(SOFTWIRES)
    assert (str(found.tunnel), str(found.address)) == ("2001:2:0:2254:0:c612:12:14", "198.18.0.18")
    assert found.ports == (range(40960, 43008),)
    with pytest.raises(DeviceError, match=r"technology\.softwires\.table: a file is not allowed: ipv6, ipv4, psid_len"):
        SharedAddress.of_lwb4({"count": 1, "number": 3})


def test_ranges_take_turns() -> None:
    text = port_set_rules(SharedAddress.of_ce(EXAMPLE), "tunnel")
    assert text.count("snat to 192.0.2.18:") == 63
    assert "ip protocol { tcp, udp, icmp } snat to 192.0.2.18:1232-1235" in text
    assert 'oifname "tunnel" numgen inc mod 63 vmap { 0 : jump ports0, 1 : jump ports1, ' in text
    text = port_set_rules(SharedAddress.of_lwb4(SOFTWIRES), "tunnel")
    assert 'oifname "tunnel" jump ports0\n' in text
    assert "snat to 198.18.0.18:40960-43007" in text
