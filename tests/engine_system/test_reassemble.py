"""Frames that may be fragmented leave with identifications that tell them apart (RFC 6864 §4.3), by Scapy."""

from __future__ import annotations

import pytest
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.test_dslite import of_aftr
from tests.engine_system.test_map import MAPPERF, of_map
from tests.engine_system.test_trials import check_all_expected


def native(*, double_translation: bool = False) -> Message:
    return configuration(technology={"name": "native", "family": "ipv4", "double_translation": double_translation})


KEPT = {"native": native(), "map-e": of_map("map-e", "br", MAPPERF, ces=20)}
"""Technologies behind which an IPv4 header has the identification that it left with."""
MADE_ANEW = {"siit": configuration(), "two translators": native(double_translation=True)}
FRAGMENTS = {"reassemble": True, "dont_fragment": False}


def configured(message: Message, **changes: object) -> Message:
    return {**message, "traffic": {**message["traffic"], **changes}}


def size_of(name: str) -> str:
    return "ipv4" if name in ("native", "two translators") else "ipv6"


@pytest.mark.parametrize(("name", "message"), [*KEPT.items(), *MADE_ANEW.items()])
@pytest.mark.parametrize(("changes", "numbered"), [(FRAGMENTS, True), ({"reassemble": True}, False), ({}, False)])
def test_identification(name: str, message: Message, changes: Message, numbered: bool) -> None:
    """Of the number, where DF is 0 and fragments are put together; also of a packet in a tunnel. Checksums fit."""
    with engine() as one:
        one.do("configure", **configured(message, **changes))
        frames = one.do("show", frame_size=200, frame_size_of=size_of(name), count=50)["frames"]
    assert len(frames) == 100
    for frame in frames:
        for link in ("sent", "expected"):
            whole = Ether(bytes.fromhex(frame[link]["hex"]))
            if IP not in whole:
                continue
            packet = whole[IP]
            own = numbered and (link == "sent" or name in KEPT)
            assert packet.id == (frame["number"] if own else 0)
            again = packet.copy()
            del again.chksum
            assert bytes(IP(bytes(again))) == bytes(packet)


@pytest.mark.parametrize("take", [2, 1], ids=["foreground", "with background"])
@pytest.mark.parametrize(("name", "message"), [*KEPT.items(), *MADE_ANEW.items()])
def test_in_loopback(name: str, message: Message, take: int) -> None:
    """More frames than there are identifications of 16 bits, all as they were sent."""
    classes = {"foreground": 1.0} if take == 2 else {"foreground": 0.5, "background": 0.5}
    with engine() as one:
        open_loopback(one)
        one.do("configure", **configured(message, **FRAGMENTS, foreground={"take": take, "of": 2}), loopback=True)
        answer = one.do(
            "trial", **trial(frame_size=200, frame_size_of=size_of(name), rate_fps=200_000, duration_s=0.35)
        )
        check_all_expected(answer, 70_000, classes)


def test_in_loopback_of_connections() -> None:
    """Behind B4s, whose packets are in tunnels."""
    message = configured(of_aftr({"first": "2001:db8:0:1::2", "count": 10}), **FRAGMENTS)
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message, loopback=True)
        phase = {"connections": {"count": 2000, "phase": "establish"}, "directions": ["forward"]}
        asked = {**trial(frame_size=200, rate_fps=20_000), **phase}
        del asked["duration_s"]
        answer = one.do("trial", **asked)
    assert answer["forward"]["foreground"]["expected"] == 2000
