"""Both sides on one port, told apart by their VLANs: the DUT is a router on a stick (more in test_vlan.py)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.l2 import Dot1Q, Ether

from tests.long import by_length
from tests.system.command import xlatperf
from tests.system.faults import SENT
from tests.system.gateway import SIDES
from tests.system.requirements import needs_root
from tests.system.test_linux import CHECK
from tests.system.test_vlan import ONE_PORT, STATELESS, TAGS, VLANS, on_vlans, trial
from tests.system.trials import RELAXED, clean, counters
from xlatperf.devices import veth_port
from xlatperf.devices.reference import find_program
from xlatperf.lab.bed import DEFAULT_MTU
from xlatperf.lab.link_addresses import DUT_MACS
from xlatperf.lab.testbed import Testbed

LATENCY = (
    '[[measure]]\nprocedure = "latency"\nframe_sizes = [68]\nrate_fps = 1000\nduration_s = 1\ntags_from_s = 0.5\n'
    "repetitions = 1\n"
)
SILENT = "device.static_neighbours = true\n" + "".join(
    f'tester.{side}.gateway_mac = "{DUT_MACS["left"]}"\n' for side in VLANS
)


@settings(max_examples=by_length(3, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(STATELESS),
    vlans=st.lists(st.none() | st.integers(1, 4094), min_size=2, max_size=2, unique=True),
    of_dut=st.tuples(st.integers(0, 7), st.integers(0, 7)),
    cores=st.integers(1, 4),
)
def test_any_vlans(name: str, vlans: list[int | None], of_dut: tuple[int, int], cores: int) -> None:
    """On one worker or more."""
    keys = f"{ONE_PORT}device.sent_priorities = {list(of_dut)}\ntester.cores = {[n % 2 for n in range(cores)]}\n"
    given_vlans = {side: vlan for side, vlan in zip(VLANS, vlans, strict=True) if vlan is not None}
    for side, priority in zip(VLANS, of_dut, strict=True):
        if side in given_vlans:
            keys += f"tester.{side}.dut_vlan_priority = {priority}\n"
    with on_vlans(name, given_vlans, keys) as device:
        answer = trial(device)
        for direction in SIDES:
            assert counters(answer[direction]["foreground"]) == clean(SENT)


WRONG = {
    "another VLAN": ("device.sent_vlans = [200, 300]", ("VLAN 200, priority 0", "VLAN 300, priority 0")),
    "no tag": ("device.sent_vlans = [0, 0]", ("no VLAN tag", "no VLAN tag")),
    "one without": ("device.sent_vlans = [100, 0]", (None, "no VLAN tag")),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("name", ["siit, IPv6 left", "map-e br"])
def test_a_wrong_tag_is_told_where_the_frame_would_have_arrived(name: str, what: str) -> None:
    keys, seen = WRONG[what]
    with on_vlans(name, VLANS, f"{ONE_PORT}{SILENT}{keys}\n") as device:
        device.mix(1, 2)
        answer = trial(device)
        for direction, (_, arrival) in SIDES.items():
            wrong = seen[arrival == "right"] is not None
            for of in ("foreground", "background"):
                expected = clean(SENT // 2, expected=0, vlan_tag=SENT // 2) if wrong else clean(SENT // 2)
                assert counters(answer[direction][of]) == expected
        for sample in answer["samples"]:
            if sample["reason"] == "foreign":
                continue
            side = SIDES[sample["direction"]][1]
            assert sample["text"].startswith(f"{seen[side == 'right']}, expected VLAN {VLANS[side]}")
            assert Ether(bytes.fromhex(sample["expected"]))[Dot1Q].vlan == VLANS[side]


def test_the_others_vlan() -> None:
    """What the device sends back into the VLAN that it came from arrives there, and isn't the other side's."""
    with on_vlans("siit, IPv6 left", VLANS, f"{ONE_PORT}{SILENT}device.sent_vlans = [4094, 100]\n") as device:
        answer = trial(device)
        for direction in SIDES:
            assert counters(answer[direction]["foreground"]) == clean(SENT, expected=0, lost=SENT)
        for side in VLANS:
            assert answer[side]["returned"] == SENT


@needs_root
def test_a_users_own_port(tmp_path: Path) -> None:
    """A device on one interface, and the Tester on the other end of its link."""
    testbed = Testbed(one_port=True)
    try:
        testbed.make()
        testbed.dut.set_sysctl("net.ipv4.conf.all.arp_ignore", 8)  # whatever answers there isn't the kernel
        port = {"port": veth_port.name("af_packet", 0, "d0", DEFAULT_MTU)}
        made: dict[str, object] = {
            side: {
                **port,
                "ipv4": f"192.168.{net}.1/30",
                "takes_vlan": VLANS[side],
                "sends_vlan": {"id": VLANS[side]},
                "routes": [{"prefix": f"198.{net}.0.0/16", "via": f"192.168.{net}.2"}],
            }
            for side, net in (("left", 18), ("right", 19))
        }
        file = testbed.file("reference.json", json.dumps({**made, "technology": {"name": "native", "family": "ipv4"}}))
        device = testbed.daemon("reference", (str(find_program()), "--config", file))
        device.start()
        device.wait_until(lambda: '"ready"' in device.output(), 15)
        (tmp_path / "b.toml").write_text(
            f'{ONE_PORT}{TAGS}tester.left.port = "net_af_packet0,iface=t0,framecnt=4096"\n'
            f'device.driver = "manual"\ndevice.namespace = "{testbed.tester.name}"\n'
            f'technology.name = "native"\ntechnology.family = "ipv4"\n{RELAXED}{LATENCY}',
            encoding="utf-8",
        )
        ended = xlatperf("check", "b.toml", *CHECK, "--hold", "0.3", folder=tmp_path)
        assert ended.code == 0, ended.output
        assert "All frames came back as they must." in ended.output
        ended = xlatperf("run", "b.toml", "-f", "out", "--skip-selftest", folder=tmp_path, timeout_s=100)
        assert ended.code == 0, ended.output
    finally:
        testbed.remove()
    (measurement,) = json.loads((tmp_path / "out" / "results.json").read_text())["measurements"]
    assert measurement["one_line"] is True
    assert measurement["theoretical_maximum_fps"] == 10e9 / (8 * 2 * (68 + 20))
    assert measurement["complete"]
