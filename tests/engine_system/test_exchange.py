"""Frames as bytes through the engine's ports: what was sent comes, in order, to the byte."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw

from tests.engine_system.engine_process import EngineProcess, engine
from tests.engine_system.messages import configuration, open_loopback, open_ports

PATIENCE_S = 10
HEADER = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / IP(src="198.18.0.2", dst="198.19.0.2")


@pytest.fixture(scope="module")
def looped() -> Iterator[EngineProcess]:
    """Two rings, each the other's end."""
    with engine() as one:
        open_loopback(one)
        one.do("configure", **configuration(loopback=True))
        yield one


def test_what_no_trial_sends(looped: EngineProcess) -> None:
    """A fragment, options, ICMP: each arrives as it left, on the other side, and `until` ends the wait."""
    fragment = HEADER.copy()
    fragment[IP].flags, fragment[IP].frag = "MF", 3
    frames = [
        bytes(fragment / Raw(b"a fragment")),
        bytes(HEADER / ICMP(type=3, code=4) / IP(src="198.19.0.2", dst="198.18.0.2") / UDP()),
        bytes(HEADER / UDP(sport=1, dport=2) / Raw(b"the last of them")),
    ]
    message = [{"side": "left", "hex": one.hex()} for one in frames]
    answer = looped.do("exchange", frames=message, until=b"last of".hex(), wait_s=PATIENCE_S, after_s=0)
    assert answer["sent"] == len(frames)
    assert [bytes.fromhex(one["hex"]) for one in answer["right"]] == frames
    assert answer["left"] == []
    assert answer["until_seen"]
    assert answer["waited_s"] < PATIENCE_S
    times = [one["after_us"] for one in answer["right"]]
    assert times == sorted(times)


def test_both_sides_and_no_more_than_asked(looped: EngineProcess) -> None:
    right = {"side": "right", "hex": bytes(HEADER / UDP()).hex()}
    answer = looped.do("exchange", frames=[right] * 5, most=2, wait_s=0.2)
    assert (len(answer["left"]), answer["more"], answer["until_seen"]) == (2, 3, False)
    assert answer["waited_s"] >= 0.2


def test_what_came_before_is_not_the_answer(looped: EngineProcess) -> None:
    left = {"side": "left", "hex": bytes(HEADER / UDP()).hex()}
    looped.do("exchange", frames=[left], wait_s=0)
    assert looped.do("exchange", frames=[], wait_s=0.05)["right"] == []


def test_a_port_with_nobody_behind_it() -> None:
    """`sent` is what the port took."""
    with engine() as one:
        open_ports(one, "net_null0,no-rx=1", "net_null1,no-rx=1")
        one.do("configure", **configuration(loopback=True))
        sent = [{"side": "left", "hex": bytes(Ether(dst="ff:ff:ff:ff:ff:ff") / ARP()).hex()}]
        answer = one.do("exchange", frames=sent, wait_s=0.01)
        assert (answer["sent"], answer["left"], answer["right"]) == (1, [], [])


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"frames": [{"side": "up", "hex": "00" * 14}]}, 'exchange.frames[0].side: "up" is not allowed'),
        ({"frames": [{"side": "left", "hex": "00" * 13}]}, "exchange.frames[0].hex: "),
        ({"frames": [{"side": "left", "hex": "0" * 29}]}, "exchange.frames[0].hex: "),
        ({"frames": [{"side": "left", "hex": "0x" * 14}]}, "exchange.frames[0].hex: "),
        ({"frames": [{"side": "left", "hex": "zz" * 14}]}, "exchange.frames[0].hex: "),
        ({"frames": [{"side": "left", "hex": "00" * 14}] * 257}, "exchange.frames: 257 is not allowed: at most 256"),
        ({"frames": [{"side": "left", "hex": "00" * 1519}]}, "exchange.frames.hex: 1519 bytes are not allowed"),
        ({"until": "0"}, "exchange.until: "),
        ({"until": "00" * 65}, "exchange.until: "),
        ({"wait_s": 11}, "exchange.wait_s: 11"),
        ({"most": 0}, "exchange.most: 0 is not allowed"),
        ({"wait": 1}, "exchange.wait: unknown key, the nearest is wait_s"),
    ],
)
def test_what_is_refused(looped: EngineProcess, changes: dict[str, object], error: str) -> None:
    asked = {"frames": [], "wait_s": 0, **changes}
    assert looped.ask("exchange", **asked)["error"].startswith(error)


def test_needs_ports() -> None:
    with engine() as one:
        assert one.ask("exchange", frames=[])["error"].startswith("request: there is no configuration yet")
        one.do("configure", **configuration())
        assert one.ask("exchange", frames=[])["error"].startswith("request: the ports aren't open")
