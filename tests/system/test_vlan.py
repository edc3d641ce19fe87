"""VLAN tags on the links (IEEE 802.1Q §9.6, RFC 2544 §9): the reference device, and a kernel's VLAN interfaces."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.l2 import Dot1Q, Ether

from tests.lab.machine.requirements import needs_machine
from tests.long import by_length, more, only_long
from tests.system.command import REPOSITORY, xlatperf
from tests.system.faults import DURATION_S, RATE_FPS, SENT
from tests.system.gateway import SIDES, Gateway, gateway
from tests.system.requirements import needs_root
from tests.system.test_linux import CHECK
from tests.system.trials import RELAXED, clean, counters, quiet_port
from xlatperf.lab.link_addresses import DUT_MACS
from xlatperf.meaning.no_answer import unanswered

STATELESS = ("siit, IPv6 left", "siit, IPv6 right", "native IPv4", "map-e br", "map-t ce", "lw4o6 lwaftr", "lw4o6 lwb4")
VLANS = {"left": 100, "right": 4094}
ONE_PORT = "tester.one_port = true\n"
TAGS = "tester.left.vlan = 100\ntester.right.vlan = 4094\n"
PORTS = {"two ports": "", "one port": ONE_PORT}
SILENT = "device.static_neighbours = true\n" + "".join(
    f'tester.{side}.gateway_mac = "{mac}"\n' for side, mac in DUT_MACS.items()
)
"""Nobody asks anybody."""


@contextlib.contextmanager
def on_vlans(name: str, vlans: dict[str, int], keys: str = "", **others: Any) -> Iterator[Gateway]:
    tags = "".join(f"tester.{side}.vlan = {vlan}\n" for side, vlan in vlans.items())
    with gateway(name, tags + keys, **others) as device:
        yield device


def trial(device: Gateway) -> dict[str, Any]:
    return device.trial(frame_size=130, rate_fps=RATE_FPS, duration_s=DURATION_S).answer


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("vlans", [VLANS, {"left": 1}, {"right": 2}], ids=["both", "left", "right"])
@pytest.mark.parametrize("name", STATELESS)
def test_every_frame_comes_as_it_must(name: str, vlans: dict[str, int], ports: str) -> None:
    with on_vlans(name, vlans, PORTS[ports]) as device:
        device.mix(1, 2)
        answer = trial(device)
        for direction, (_, arrival) in SIDES.items():
            for of in ("foreground", "background"):
                assert counters(answer[direction][of]) == clean(SENT // 2), (direction, of)
            quiet_port(answer[arrival], received=SENT)


@settings(max_examples=by_length(3, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(STATELESS),
    vlans=st.fixed_dictionaries({}, optional={side: st.integers(1, 4094) for side in VLANS}),
    sent=st.tuples(st.integers(0, 7), st.integers(0, 7)),
    of_dut=st.tuples(st.integers(0, 7), st.integers(0, 7)),
    required=st.booleans(),
)
def test_any_tags(
    name: str, vlans: dict[str, int], sent: tuple[int, int], of_dut: tuple[int, int], required: bool
) -> None:
    keys = f"device.sent_priorities = {list(of_dut)}\n"
    for side, priority, dut_priority in zip(VLANS, sent, of_dut, strict=True):
        if side in vlans:
            keys += f"tester.{side}.vlan_priority = {priority}\n"
            keys += f"tester.{side}.dut_vlan_priority = {dut_priority}\n" if required else ""
    with on_vlans(name, vlans, keys) as device:
        answer = trial(device)
        for direction in SIDES:
            assert counters(answer[direction]["foreground"]) == clean(SENT)


WRONG = {
    "another VLAN": (VLANS, "device.sent_vlans = [200, 300]", ("VLAN 200, priority 0", "VLAN 300, priority 0")),
    "no tag": (VLANS, "device.sent_vlans = [0, 0]", ("no VLAN tag", "no VLAN tag")),
    "a tag where there is none": ({}, "device.sent_vlans = [7, 8]", ("VLAN 7, priority 0", "VLAN 8, priority 0")),
    "another priority": (
        VLANS,
        "device.sent_priorities = [1, 2]\ntester.left.dut_vlan_priority = 2\ntester.right.dut_vlan_priority = 1",
        ("VLAN 100, priority 1", "VLAN 4094, priority 2"),
    ),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("name", ["siit, IPv6 left", "map-e br"])
def test_a_wrong_tag_is_neither_lost_nor_foreign(name: str, what: str) -> None:
    vlans, keys, seen = WRONG[what]
    silent = SILENT if what != "another priority" else ""  # that neighbours may have
    with on_vlans(name, vlans, f"{silent}{keys}\n") as device:
        device.mix(1, 2)
        answer = trial(device)
        for direction, (_, arrival) in SIDES.items():
            for of in ("foreground", "background"):
                assert counters(answer[direction][of]) == clean(SENT // 2, expected=0, vlan_tag=SENT // 2)
            beside = answer[arrival]["foreign"] + answer[arrival]["arp_nd"]
            assert answer[arrival]["received"] == SENT + beside, "answers to questions"
            assert what != "another priority" or answer[arrival]["foreign"] == 0
        for sample in answer["samples"]:
            if sample["reason"] == "foreign":
                continue
            side = SIDES[sample["direction"]][1]
            expected = f"VLAN {vlans[side]}" if side in vlans else "none"
            assert sample["text"].startswith(f"{seen[side == 'right']}, expected {expected}")
            received, right = (Ether(bytes.fromhex(sample[which])) for which in ("received", "expected"))
            assert (Dot1Q in right) == (side in vlans)
            assert side not in vlans or right[Dot1Q].vlan == vlans[side]
            assert (Dot1Q in received) == (seen[side == "right"] != "no VLAN tag")
            untagged = [bytes(one)[:12] + bytes(one)[16 if Dot1Q in one else 12 :] for one in (received, right)]
            assert untagged[0][:14] == untagged[1][:14]


def test_other_faults_have_their_own_reason() -> None:
    """Of frames with the right tag, whose samples show it."""
    with on_vlans("siit, IPv6 left", VLANS, "device.sent_priorities = [0, 5]\n") as device:
        device.impair(forward={"corrupt": [{"what": "payload", "every": 100}]})
        answer = trial(device)
        wrong = answer["forward"]["foreground"]
        assert counters(wrong) == clean(SENT, expected=SENT - SENT // 100, payload=SENT // 100)
        sample = Ether(bytes.fromhex(answer["samples"][0]["received"]))
        assert (sample[Dot1Q].vlan, sample[Dot1Q].prio) == (4094, 5)


def test_who_does_not_answer_in_this_vlan() -> None:
    with on_vlans("native IPv4", VLANS, "device.sent_vlans = [100, 300]\n") as device:
        assert unanswered(device.engine.resolve(0.5)) == [
            "the DUT at 192.168.19.1 on the right side did not answer ARP, but frames came with VLAN 300, priority 0: "
            "is tester.right.vlan right?"
        ]


@pytest.mark.parametrize("ports", PORTS)
def test_rule_by_rule(ports: str, tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(
        f'{PORTS[ports]}device.driver = "reference"\ntechnology.name = "siit"\ntester.left.vlan = 5\n{RELAXED}',
        encoding="utf-8",
    )
    ended = xlatperf("check", "--all", "b.toml", "--timeout", "0.3", folder=tmp_path, timeout_s=100)
    assert "All frames came back as they must." in ended.output
    assert "Of 132 rules: 131 kept, 1 decided." in ended.output


@pytest.mark.parametrize(
    ("name", "ports"),
    [("nat44", "two ports"), ("nat44", "one port"), ("lw4o6-hairpinning", "one port")],
)
def test_an_example(name: str, ports: str, tmp_path: Path) -> None:
    """What a NAT shows is learnt from frames with tags, and answered with tags; subscribers that send to each other."""
    text = (REPOSITORY / "examples" / f"reference-{name}.toml").read_text(encoding="utf-8")
    text = text.replace("[64", "[68").replace("[104", "[108")
    (tmp_path / "b.toml").write_text(PORTS[ports] + TAGS + text, encoding="utf-8")
    ended = xlatperf("check", "b.toml", *CHECK, "--hold", "0.3", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "ll frames came back as they must" in ended.output


@needs_root
@needs_machine
@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("name", ["linux-ipv4", pytest.param("ip6tnl-br", marks=[more, only_long])])
def test_a_kernels_vlans(name: str, ports: str, tmp_path: Path) -> None:
    """In a virtual machine: it has the module 8021q."""
    text = (REPOSITORY / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    text = text.replace("[device]\n", "[device]\nmachine = true\n") if name.startswith("linux") else text
    text = text.replace("[64, 512, 1518]", "[68, 512, 1522]").replace("[104]", "[108]")
    tags = f"{TAGS}tester.left.vlan_priority = 6\n"
    (tmp_path / "b.toml").write_text(PORTS[ports] + tags + text, encoding="utf-8")
    ended = xlatperf("check", tmp_path / "b.toml", *CHECK, "--hold", "0.3", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "ll frames came back as they must" in ended.output
    assert "68 > 68" in ended.output or not name.startswith("linux")
