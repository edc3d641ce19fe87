"""VLAN tags (IEEE 802.1Q) in the frames of each link, as Scapy reads them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy import all as scapy_all
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Packet

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.test_map import MAPPERF, of_map
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length

SIDES = {"forward": ("left", "right"), "reverse": ("right", "left")}
TECHNOLOGIES: dict[str, Callable[[], Message]] = {
    "siit": configuration,
    "map-e": functools.partial(of_map, "map-e", "br", MAPPERF, ces=20),
    "map-t": functools.partial(of_map, "map-t", "br", MAPPERF, ces=20),
}
VLAN = st.none() | st.fixed_dictionaries(
    {"id": st.integers(1, 4094), "priority": st.integers(0, 7), "dut_priority": st.none() | st.integers(0, 7)}
)


def tagged(left: Any, right: Any, technology: str = "siit") -> Message:
    message: Message = TECHNOLOGIES[technology]()
    for side, vlan in (("left", left), ("right", right)):
        if vlan is not None:
            message[side]["vlan"] = vlan
    return message


def tag_of(frame: Packet) -> tuple[int, int, int] | None:
    return (frame[Dot1Q].vlan, frame[Dot1Q].prio, frame[Dot1Q].dei) if Dot1Q in frame else None


def without_tag(frame: Packet) -> bytes:
    whole = bytes(frame)
    return whole[:12] + whole[16:] if Dot1Q in frame else whole


@settings(max_examples=by_length(20, 500), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(left=VLAN, right=VLAN, technology=st.sampled_from(sorted(TECHNOLOGIES)), size=st.integers(150, 1500))
def test_frames_are_those_without_but_for_the_tag(left: Any, right: Any, technology: str, size: int) -> None:
    """The size of the side that is named counts its tag; all else is as on links without."""
    with engine() as one:
        own = 4 if left is not None else 0  # IPv6 is on the left
        one.do("configure", **tagged(left, right, technology))
        shown = one.do("show", frame_size=size + own, count=3)["frames"]
        one.do("configure", **tagged(None, None, technology))
        plain = one.do("show", frame_size=size, count=3)["frames"]
    vlans = {"left": left, "right": right}
    for seen, before in zip(shown, plain, strict=True):
        sender, receiver = SIDES[seen["direction"]]
        for what, side, priority in (("sent", sender, "priority"), ("expected", receiver, "dut_priority")):
            frame, vlan = Ether(bytes.fromhex(seen[what]["hex"])), vlans[side]
            assert tag_of(frame) == (None if vlan is None else (vlan["id"], vlan[priority] or 0, 0))
            assert without_tag(frame).hex() == before[what]["hex"]
            bytes_told = f"{len(frame) + 4} bytes"
            assert bytes_told in seen[what]["text"]


def test_frames_that_leave(tmp_path: Path) -> None:
    """Of both classes, from the first to the last, and what neighbours are asked with."""
    vlans = {"left": {"id": 100, "priority": 5}, "right": {"id": 4094}}
    message = tagged(vlans["left"], vlans["right"])
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    with engine() as one:
        ports: Message = {side: {"port": f"net_pcap{i},tx_pcap={tmp_path / side}"} for i, side in enumerate(vlans)}
        one.do("open", cores=[0], hugepages="never", memory_mb=128, idle="yield", link_timeout_s=0, **ports)
        one.do("configure", **message)
        one.do("resolve", timeout_s=0.01)
        one.do("configure", loopback=True, **message)
        for size in (88, 200):
            one.do("trial", **trial(frame_size=size, rate_fps=10_000, duration_s=0.1, timeout_s=0))
        one.do("quit")
    for side, vlan in vlans.items():
        frames = list(scapy_all.rdpcap(str(tmp_path / side)))
        assert {tag_of(frame) for frame in frames} == {(vlan["id"], vlan.get("priority", 0), 0)}
        assert {0x86DD, 0x0800 if side == "right" else 0x86DD} <= {frame[Dot1Q].type for frame in frames}
        assert len({len(frame) for frame in frames if frame[Dot1Q].type == 0x86DD}) >= 2
        assert len(frames) > 2000


@pytest.mark.parametrize("right", [None, {"id": 7}, {"id": 7, "priority": 7, "dut_priority": 3}])
def test_loopback(right: Any) -> None:
    """What was sent on one link arrives on the other one as it was sent."""
    with engine() as one:
        open_loopback(one)
        one.do("configure", loopback=True, **tagged({"id": 100, "priority": 2}, right))
        for size in (88, 512, 1518):
            answer = one.do("trial", **trial(frame_size=size))
            check_all_expected(answer, 10_000, {"foreground": 1})
            assert answer["forward"]["frame_size"]["sent"] == size


def refusal(one: EngineProcess, vlan: Any) -> str:
    answer = one.ask("configure", **tagged(vlan, None))
    error = answer["error"]
    assert isinstance(error, str)
    return error


@pytest.mark.parametrize(
    ("vlan", "line"),
    [
        ({"id": 0}, "configure.left.vlan.id: 0 is not allowed: whole numbers, 1 to 4094"),
        ({"id": 4095}, "configure.left.vlan.id: 4095 is not allowed: whole numbers, 1 to 4094"),
        ({}, "configure.left.vlan.id: missing"),
        ({"id": 1, "priority": 8}, "configure.left.vlan.priority: 8 is not allowed: whole numbers, 0 to 7"),
        ({"id": 1, "dut_priority": -1}, "configure.left.vlan.dut_priority: -1 is not allowed: whole numbers, 0 to 7"),
        (7, "configure.left.vlan: 7 is not allowed"),
    ],
)
def test_refused(vlan: Any, line: str) -> None:
    with engine() as one:
        assert refusal(one, vlan).startswith(line)


def test_smallest_frames_have_the_tag_too() -> None:
    with engine() as one:
        one.do("configure", **tagged({"id": 1}, None))
        assert one.do("show", frame_size=88, count=1)["frames"]
        refused = one.ask("show", frame_size=87, count=1)["error"]
        assert "frame_size: 87 is not allowed: 88 to " in refused
