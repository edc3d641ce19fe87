"""TAYGA's configuration and the rules of a MAP-T CE and a border relay, as text: the system test shows what they do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.hosts import LEFT, RIGHT, describe
from tests.devices.test_port_set_rules import EXAMPLE
from xlatperf.devices.device import DeviceError
from xlatperf.devices.shared_address import SharedAddress
from xlatperf.devices.tayga_map_t_configuration import configure_border, configure_ce

DMR = "2001:db8:6464::/64"
FEW: dict[str, Any] = {
    "ipv6": "2001:2:0:2000::/60",
    "ipv4": "198.18.0.0/31",
    "ea_bits": 3,
    "psid_offset": 0,
    "ces": 2,
    "dmr": DMR,
}
OWN: dict[str, Any] = {**FEW, "ipv6": "2001:2:0:3000::/64", "ipv4": "198.18.1.1/32", "ea_bits": 0}
SERVERS = {"198.19.0.2/32": "foreground"}


def border(*domains: dict[str, Any], check_ports: bool = True) -> tuple[str, tuple[str, ...], str]:
    sides = describe({"2001:2:0:2000::/60": "foreground"}, SERVERS)
    found, rules = configure_border({"domains": domains}, sides, (LEFT, RIGHT), check_ports=check_ports)
    return found.text, found.routes, rules


def chain(rules: str, name: str) -> str:
    return rules.partition(f"    chain {name} {{\n")[2].partition("    }\n")[0]


def test_a_ce() -> None:
    """RFC 7597 App. A, example 1: its MAP address is the shared address; all IPv4 is under the default mapping rule."""
    sides = describe({"10.0.0.2/32": "foreground"}, {f"{DMR}": "foreground"})
    found, shared = configure_ce({"domains": [{**EXAMPLE, "dmr": DMR}]}, sides, (LEFT, RIGHT))
    assert found.text == (
        f"tun-device tayga0\nipv4-addr 198.51.100.1\nprefix {DMR}\n"
        "map 192.0.2.18/32 2001:db8:12:3400:0:c000:212:34/128\n"
    )
    assert found.routes == ("0.0.0.0/0", "2001:db8:12:3400:0:c000:212:34/128")
    assert shared.ports[0] == range(1232, 1236)


def test_a_border_relay() -> None:
    """Each CE that the rules can have gets an address that only the kernel between TAYGA and its rules sees."""
    text, routes, rules = border(FEW, OWN)
    maps = [line for line in text.splitlines() if line.startswith("map ")]
    assert len(maps) == 9
    assert maps[5] == "map 100.64.0.5/32 2001:2:0:200a:0:c612:1:1/128"
    assert maps[8] == "map 100.64.0.8/32 2001:2:0:3000:0:c612:101:0/128"
    assert routes == (DMR, "100.64.0.0/10")
    assert "ip daddr set ip daddr map { 198.18.0.0 : 100.64.0.1, 198.18.0.1 : 100.64.0.5 }" in chain(
        rules, "rule0to16384"
    )
    assert "ip saddr set ip saddr map { 100.64.0.1 : 198.18.0.0, 100.64.0.5 : 198.18.0.1 }" in chain(
        rules, "rule0from16384"
    )
    jumps = ", ".join(f"{psid} : jump rule0to{psid}" for psid in (0, 16384, 32768, 49152))
    assert chain(rules, "rule0to").splitlines() == [
        f"        {which} & 49152 vmap {{ {jumps} }}"
        for which in (
            "meta l4proto { tcp, udp } th dport",
            "icmp type { destination-unreachable, time-exceeded, parameter-problem } @th,136,8 { 6, 17 } @th,224,16",
            "icmp type { echo-request, echo-reply } icmp id",
            "icmp type { destination-unreachable, time-exceeded, parameter-problem } @th,136,8 1 @th,256,16",
        )
    ]
    assert "ip daddr set ip daddr map { 198.18.1.1 : 100.64.0.8 }" in chain(rules, "rule1to")
    assert "ip daddr { 198.18.0.0, 198.18.0.1 } jump rule0to" in chain(rules, "destination")
    assert chain(rules, "source").splitlines()[1:] == [
        "        ip saddr 100.64.0.0-100.64.0.7 jump rule0from",
        "        ip saddr 100.64.0.8-100.64.0.8 jump rule1from",
        "        ip saddr 100.64.0.0/10 drop",
    ]


def test_a_ce_that_shares_with_nobody() -> None:
    """Then no rule looks at ports."""
    _, _, rules = border(OWN)
    assert "th dport" not in rules
    assert "ip daddr set ip daddr map { 198.18.1.1 : 100.64.0.0 }" in rules


def test_without_the_check_of_ports() -> None:
    """What comes from a CE gets the shared address, whatever its port; what goes to it still needs one."""
    _, _, rules = border(FEW, check_ports=False)
    assert "ip saddr set ip saddr map { 100.64.0.0 : 198.18.0.0, 100.64.0.1 : 198.18.0.0, " in rules
    assert "th sport" not in rules
    assert "th dport & 49152 vmap" in rules


@pytest.mark.parametrize(
    ("offset", "bits", "chosen"), [(6, 4, ">= 1024 th dport & 960"), (1, 4, "& 63488"), (6, 0, "& 0")]
)
def test_bits_of_a_port(offset: int, bits: int, chosen: str) -> None:
    """RFC 7597 §5.1: below the offset's 2^(16 - offset) nobody has ports; the PSID's bits are behind the offset's."""
    domain = {**FEW, "psid_offset": offset, "ea_bits": 1 + bits}
    _, _, rules = border(domain)
    assert chosen in chain(rules, "rule0to")
    assert all(f"{one.address}" in rules for one in SharedAddress.of_each_ce(domain))


def test_what_it_can_not_have() -> None:
    message = r"technology\.domains\[0\]\.ea_bits: 9 is not allowed: for the CEs of all domains together, at most 256"
    with pytest.raises(DeviceError, match=message):
        border({**FEW, "ea_bits": 9}, OWN)
    two = r"technology\.domains\[1\]\.dmr: 2001:db8:6465::/64 is not allowed: 2001:db8:6464::/64: TAYGA has one prefix"
    with pytest.raises(DeviceError, match=two):
        border(FEW, {**OWN, "dmr": "2001:db8:6465::/64"})
    length = r"technology\.domains\[0\]\.dmr: TAYGA can't do 2001:db8:6464::/80: /32, "
    with pytest.raises(DeviceError, match=length):
        border({**FEW, "dmr": "2001:db8:6464::/80"})
