from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.devices.hosts import plan
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.devices.device import DeviceError, Plan
from xlatperf.devices.reference import Reference
from xlatperf.devices.reference_configuration import configuration, keeps_state, ports_of_tester
from xlatperf.lab.link_addresses import TESTER_MACS

FOLDER = Path("/run/xlatperf/1-0")
SIIT: dict[str, object] = {"name": "siit", "ipv6_side": "left", "prefix": "2001:db8:6464::/96", "eam": []}
ROUTES = ({"2001:2::2/128": "foreground", "2001:2:0:1000::2/128": "background"}, {"198.19.0.2/32": "foreground"})


def made_of(technology: dict[str, object], **keys: object) -> dict[str, Any]:
    reference = Reference.model_validate({"driver": "reference", **keys})
    return configuration(reference, plan(technology, *ROUTES), FOLDER)


def test_all_that_it_needs_to_know() -> None:
    impair = {"forward": {"drop": {"every": 10}}}
    made = made_of(SIIT, impair=impair, udp_checksum_zero="compute", core=1, static_neighbours=True)
    assert made == {
        "left": {
            "port": "net_memif0,role=server,socket=/run/xlatperf/1-0/left.sock,socket-abstract=no,id=0,"
            "rsize=12,bsize=2048,mac=02:00:00:00:00:d0",
            "mtu": 1500,
            "ipv4": "198.18.255.1/30",
            "ipv6": "2001:2:0:7fff::1/64",
            "routes": [
                {"prefix": "2001:2::2/128", "via": "2001:2:0:7fff::2"},
                {"prefix": "2001:2:0:1000::2/128", "via": "2001:2:0:7fff::2"},
            ],
            "neighbors": [
                {"address": "198.18.255.2", "mac": "02:00:00:00:00:a0"},
                {"address": "2001:2:0:7fff::2", "mac": "02:00:00:00:00:a0"},
            ],
        },
        "right": {
            "port": "net_memif1,role=server,socket=/run/xlatperf/1-0/right.sock,socket-abstract=no,id=0,"
            "rsize=12,bsize=2048,mac=02:00:00:00:00:d1",
            "mtu": 1500,
            "ipv4": "198.19.255.1/30",
            "ipv6": "2001:2:0:ffff::1/64",
            "routes": [{"prefix": "198.19.0.2/32", "via": "198.19.255.2"}],
            "neighbors": [
                {"address": "198.19.255.2", "mac": "02:00:00:00:00:a1"},
                {"address": "2001:2:0:ffff::2", "mac": "02:00:00:00:00:a1"},
            ],
        },
        "technology": {**SIIT, "udp_checksum_zero": "compute"},
        "impair": impair,
        "core": 1,
    }


def test_vlans() -> None:
    """What the links are, and what its frames have, which may be another tag or none."""
    without = plan(SIIT, *ROUTES)
    tagged = replace(without, left=replace(without.left, vlan=5), right=replace(without.right, vlan=6))

    def tags(of: Plan, **keys: object) -> list[tuple[object, object]]:
        made = configuration(Reference.model_validate({"driver": "reference", **keys}), of, FOLDER)
        return [(made[side].get("takes_vlan"), made[side].get("sends_vlan")) for side in ("left", "right")]

    assert tags(without) == [(None, None), (None, None)]
    assert tags(tagged) == [(5, {"id": 5, "priority": 0}), (6, {"id": 6, "priority": 0})]
    assert tags(tagged, sent_vlans=[0, 7], sent_priorities=[1, 2]) == [(5, None), (6, {"id": 7, "priority": 2})]
    assert tags(without, sent_vlans=[8, 0]) == [(None, {"id": 8, "priority": 0}), (None, None)]


POOL = {"first": "198.19.0.1", "addresses": 1, "first_port": 1024, "last_port": 65535}
NAT44: dict[str, object] = {"name": "nat44", "pool": POOL}
NAT64: dict[str, object] = {"name": "nat64", "prefix": "2001:db8:6464::/96", "pool": POOL}
NAT66: dict[str, object] = {"name": "nat66", "pool": {**POOL, "first": "2001:2:0:c000::1"}}


@pytest.mark.parametrize("technology", [NAT44, NAT64, NAT66])
def test_stateful(technology: dict[str, object]) -> None:
    state = {"entries": 1000, "when_full": "collect", "collect": 10, "mapping": "address_and_port_dependent"}
    assert made_of(technology, state=state)["technology"] == {**technology, "state": state}
    assert made_of(technology)["technology"] == technology
    assert keeps_state(technology)
    assert not keeps_state(SIIT)


def test_the_tester_attaches_to_the_same_sockets() -> None:
    made = plan(SIIT, *ROUTES)
    left, right = ports_of_tester(made, FOLDER, 1500)
    assert right == (
        "net_memif1,role=client,socket=/run/xlatperf/1-0/right.sock,socket-abstract=no,id=0,"
        "rsize=12,bsize=2048,mac=02:00:00:00:00:a1"
    )
    assert ports_of_tester(replace(made, one_port=True), FOLDER, 1500) == (left, left)


def test_both_sides_on_one_port() -> None:
    """The left one, with its MAC address: the Tester has one there, too."""
    one = replace(plan(SIIT, *ROUTES), one_port=True)
    made = configuration(Reference.model_validate({"driver": "reference", "static_neighbours": True}), one, FOLDER)
    assert made["left"]["port"] == made["right"]["port"] == made_of(SIIT)["left"]["port"]
    macs = {neighbor["mac"] for side in ("left", "right") for neighbor in made[side]["neighbors"]}
    assert macs == {TESTER_MACS["left"]}


def test_neighbours_to_be_resolved() -> None:
    made = made_of(SIIT)
    assert "neighbors" not in made["left"]


def test_jumbo() -> None:
    assert ",bsize=16384," in made_of(SIIT, mtu=9600)["left"]["port"]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("mtu = 9601", r"device\.mtu: 9601 is not allowed: a whole number, 1280 to 9600"),
        ("impare = {}", r"device\.impare: .* did you mean impair\?"),
    ],
)
def test_keys_that_are_wrong(keys: str, message: str) -> None:
    with pytest.raises(BenchError, match=message):
        parse_bench(f'technology.name = "siit"\n[device]\n{keys}', "b.toml")


def test_every_key_of_the_device_gets_there() -> None:
    """What is neither xlatperf's own nor passed on would be left aside silently."""
    own = {"domains", "driver", "mtu", "static_neighbours", "sent_vlans", "sent_priorities"}
    keys = dict.fromkeys(set(Reference.model_fields) - own, 7)
    made = made_of(SIIT, **keys)
    assert {name for part in (made, made["technology"]) for name, value in part.items() if value == 7} == set(keys)


@pytest.mark.parametrize("folder", [Path("/tmp") / ("x" * 100), Path("/tmp/a,b")])
def test_path_that_a_socket_can_not_have(folder: Path) -> None:
    with pytest.raises(DeviceError, match="can't be a socket's path"):
        configuration(Reference(driver="reference"), plan(SIIT, *ROUTES), folder)


def test_domains_that_it_is_to_know() -> None:
    domains = [{"ipv4": "198.18.0.0/24"}, {"ipv4": "192.0.2.0/24"}]
    technology: dict[str, object] = {"name": "map-e", "domains": domains}
    assert made_of(technology, domains=(1,))["technology"]["domains"] == domains[1:]
    assert made_of(technology)["technology"]["domains"] == domains


@pytest.mark.parametrize(
    ("technology", "domains", "allowed"),
    [
        ({"name": "map-e", "domains": [{}, {}]}, (0, 2), "[0, 2] is not allowed: numbers from 0 to 1"),
        ({"name": "map-e", "domains": [{}, {}]}, (), "[] is not allowed: numbers from 0 to 1"),
        (SIIT, (0,), "[0] is not allowed: nothing with a technology that has no domains"),
    ],
)
def test_domains_that_there_are_not(technology: dict[str, object], domains: tuple[int, ...], allowed: str) -> None:
    reference = Reference(driver="reference", domains=domains)
    with pytest.raises(DeviceError, match=re.escape(f"device.domains: {allowed}")):
        reference.check_technology(technology)
