"""Tunnels and rules of a border relay and an lwAFTR, as text: the system test shows what they do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lab.root import needs_root
from xlatperf.devices.binding_formats import Row
from xlatperf.devices.border_tunnels import Subscriber, rules, tunnels
from xlatperf.devices.device import DeviceError
from xlatperf.devices.ip6tnl_br import ces, lwb4s
from xlatperf.devices.many_tunnels import MOST_TUNNELS, refuse_too_many
from xlatperf.devices.shared_address import SharedAddress
from xlatperf.lab.cable import veth_cable

BR = "2001:2:0:c000::1"
DOMAIN: dict[str, Any] = {
    "ipv6": "2001:2:0:2000::/60",
    "ipv4": "198.18.0.0/31",
    "ea_bits": 4,
    "psid_offset": 6,
    "ces": 2,
    "br": BR,
}
OWN: dict[str, Any] = {**DOMAIN, "ipv6": "2001:2:0:3000::/64", "ipv4": "198.18.1.1/32", "ea_bits": 0, "psid_offset": 0}
ROW = Row("2001:db8:12:3400:0:c000:212:34", "192.0.2.18", "0", "8", "52", "2001:db8:ffff::1")


def test_a_tunnel_to_each_ce_that_the_rules_can_have() -> None:
    """R7597-5: which of them send isn't the device's to know."""
    found = tunnels(ces([DOMAIN, OWN]))
    assert len(found) == 17
    assert {one.local for one in found} == {BR}
    assert [(one.name, one.remote) for one in (found[0], found[9], found[16])] == [
        ("sub-1", "2001:2:0:2000:0:c612::"),
        ("sub-10", "2001:2:0:2009:0:c612:1:1"),
        ("sub-17", "2001:2:0:3000:0:c612:101:0"),
    ]


def test_more_than_it_can_have() -> None:
    message = r"technology\.domains\[0\]\.ea_bits: 7 is not allowed: for the CEs of all domains together, at most 64"
    with pytest.raises(DeviceError, match=message):
        ces([{**DOMAIN, "ipv6": "2001:2:0:2000::/57", "ea_bits": 7}, OWN])
    refuse_too_many(MOST_TUNNELS, "here", 64, "for")


def test_a_row_of_a_binding_table() -> None:
    """RFC 7596 §6.1."""
    found = SharedAddress.of_row(ROW)
    assert (str(found.tunnel), str(found.address), found.ports) == (ROW.ipv6, ROW.ipv4, (range(13312, 13568),))


def test_what_softwires_it_can_have() -> None:
    another = ROW._replace(psid="53", ipv6="2001:db8::2")
    assert [one.has.ports[0].start for one in lwb4s([ROW, another], {"table": "t.csv"})] == [13312, 13568]
    elsewhere = ROW._replace(psid="53", lwaftr="2001:db8:ffff::2")
    assert len(lwb4s([ROW, elsewhere], {"table": "t.csv"})) == 2
    several = r"softwires: 2 softwires is not allowed: one from 2001:db8:12:3400:0:c000:212:34 to 2001:db8:ffff::1, as "
    with pytest.raises(DeviceError, match=several):
        lwb4s([ROW, ROW._replace(psid="53")], {"table": "t.csv"})
    too_many = [ROW._replace(psid=str(psid)) for psid in range(65)]
    for softwires, told in (({"table": "t.csv"}, r"table: t\.csv is not"), ({"count": 99}, "count: 99 is not")):
        with pytest.raises(DeviceError, match=rf"technology\.softwires\.{told} allowed: softwires, at most 64, as"):
            lwb4s(too_many, softwires)


def test_rules() -> None:
    """R7597-8.1: by address and port, of an ICMP error by those of the packet inside."""
    text = rules([Subscriber(BR, SharedAddress.of_row(ROW)), *ces([OWN])])
    ports = "{ 13312-13567 }"
    assert "meta mark set ip daddr . th dport map { 192.0.2.18 . 13312-13567 : 1 }" in text
    assert f"ip daddr 192.0.2.18 icmp type {{ echo-request, echo-reply }} icmp id {ports} meta mark set 1" in text
    assert f"@th,136,8 {{ 6, 17 }} @th,224,16 {ports} meta mark set 1" in text
    assert "ip daddr 198.18.1.1 meta mark set 2" in text
    first, second = (text.partition(f"chain from{number} {{")[2].partition("}\n    chain")[0] for number in (1, 2))
    assert f"ip saddr != 192.0.2.18 drop\n        meta l4proto {{ tcp, udp }} th sport {ports} return" in first
    assert second.split() == ["ip", "saddr", "!=", "198.18.1.1", "drop"]
    assert 'iifname vmap { "sub-1" : jump from1, "sub-2" : jump from2 }' in text


@needs_root
def test_nft_takes_them() -> None:
    """Also without anybody who shares an address."""
    with veth_cable(1500) as namespace:
        for subscribers in (ces([DOMAIN, OWN]), ces([OWN])):
            namespace.run(("nft", "--check", "-f", "-"), text=rules(subscribers))
