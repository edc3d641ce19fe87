"""IPv4 UDP without a checksum in the frames sent, as Scapy reads them (RFC 768, RFC 7915 §4.5)."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Packet

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.test_dslite import of_aftr
from tests.engine_system.test_map import MAPPERF, of_map, recomputed
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length


def native(**changes: object) -> Message:
    return configuration(technology={"name": "native", "family": "ipv4", **changes})


TECHNOLOGIES: dict[str, Callable[[], Message]] = {
    "siit": configuration,
    "native": native,
    "two translators": functools.partial(native, double_translation=True),
    "map-e": functools.partial(of_map, "map-e", "br", MAPPERF, ces=20),
    "map-t": functools.partial(of_map, "map-t", "br", MAPPERF, ces=20),
}
TRANSLATORS = {"siit", "map-t", "two translators"}


def frames(message: Message, size: int, *, checksum: bool) -> list[Message]:
    message["traffic"]["udp_checksum"] = checksum
    # Of native IPv4 the larger one is no frame of IPv6's.
    of = "ipv4" if message["technology"]["name"] == "native" else "ipv6"
    with engine() as one:
        one.do("configure", **message)
        return list(one.do("show", frame_size=size, frame_size_of=of, count=6)["frames"])


def without_checksum(frame: Packet) -> bytes:
    again = frame.copy()
    again[UDP].chksum = 0
    return bytes(again)


@settings(max_examples=by_length(20, 500), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    technology=st.sampled_from(sorted(TECHNOLOGIES)),
    size=st.integers(104, 1500),
    take=st.integers(0, 2),
)
def test_frames(technology: str, size: int, take: int) -> None:
    """IPv4 is sent with none; behind a translator all have theirs, behind a tunnel or a router they have none."""
    message = TECHNOLOGIES[technology]()
    message["traffic"]["foreground"] = {"take": take, "of": 2}
    with_one = frames(TECHNOLOGIES[technology]() | {"traffic": {**message["traffic"]}}, size, checksum=True)
    for seen, before in zip(frames(message, size, checksum=False), with_one, strict=True):
        for what in ("sent", "expected"):
            frame, usual = Ether(bytes.fromhex(seen[what]["hex"])), Ether(bytes.fromhex(before[what]["hex"]))
            assert without_checksum(frame) == without_checksum(usual)
            sent_as_ipv4 = IP in Ether(bytes.fromhex(seen["sent"]["hex"]))
            none = sent_as_ipv4 and (what == "sent" or technology not in TRANSLATORS)
            assert (frame[UDP].chksum == 0) == none
            if not none:
                assert frame[UDP].chksum == recomputed(seen[what]["hex"])[UDP].chksum
            assert frame[UDP].chksum != 0 or not (IPv6 in frame and IP not in frame)


@pytest.mark.parametrize("technology", sorted(TECHNOLOGIES))
def test_loopback(technology: str) -> None:
    message = TECHNOLOGIES[technology]()
    message["traffic"]["udp_checksum"] = False
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    of = "ipv4" if "native" in message["technology"]["name"] else "ipv6"
    with engine() as one:
        open_loopback(one)
        one.do("configure", loopback=True, **message)
        answer = one.do("trial", **trial(frame_size=128, frame_size_of=of))
        check_all_expected(answer, 10_000, {"foreground": 0.5, "background": 0.5})


def test_connections() -> None:
    """Of an AFTR's clients, and what it sends back to them."""
    message = of_aftr({"first": "2001:db8:0:1::1", "count": 1})
    message["traffic"]["udp_checksum"] = False
    with engine() as one:
        one.do("configure", **message)
        for direction, phase in (("forward", "establish"), ("reverse", "steady")):
            asked = {"frame_size": 64, "frame_size_of": "ipv4", "count": 4, "directions": [direction]}
            for seen in one.do("show", **asked, connections={"count": 4, "phase": phase})["frames"]:
                for what in ("sent", "expected"):
                    assert Ether(bytes.fromhex(seen[what]["hex"]))[UDP].chksum == 0
