"""A tunnel encapsulation limit in the frames sent, as Scapy reads them (RFC 2473 §4.1.1)."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import HBHOptUnknown, IPv6, IPv6ExtHdrDestOpt
from scapy.layers.l2 import Ether

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.test_dslite import of_aftr
from tests.engine_system.test_map import MAPPERF, of_map, recomputed
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length

OPTION = 8


def of_b4() -> Message:
    technology = {"name": "dslite-b4", "b4": "2001:db8:0:1::1", "aftr": "2001:db8:0:2::1"}
    return configuration(technology=technology)


def of_ce() -> Message:
    found = of_map("map-e", "ce", MAPPERF, ces=20)
    assert "hosts" not in found["left"]
    return found


TECHNOLOGIES: dict[str, Callable[[], Message]] = {
    "map-e br": functools.partial(of_map, "map-e", "br", MAPPERF, ces=20),
    "map-e ce": of_ce,
    "dslite-b4": of_b4,
}


def limited(technology: str, limit: int | None) -> Message:
    message = TECHNOLOGIES[technology]()
    message["traffic"]["tunnel"] = {"encapsulation_limit": limit}
    return message


def shown(one: EngineProcess, message: Message, size: int) -> list[Message]:
    one.do("configure", **message)
    return list(one.do("show", frame_size=size, count=6)["frames"])


@settings(max_examples=by_length(30, 500), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    technology=st.sampled_from(sorted(TECHNOLOGIES)),
    limit=st.integers(0, 255),
    size=st.integers(104, 1500),
    take=st.integers(0, 2),
)
def test_frames(technology: str, limit: int, size: int, take: int) -> None:
    """Those that enter a tunnel have it behind the outer header, and are longer by it; all else is as without."""
    message = limited(technology, limit)
    message["traffic"]["foreground"] = {"take": take, "of": 2}
    usual = limited(technology, None) | {"traffic": {**message["traffic"], "tunnel": {}}}
    with engine() as one:
        pairs = zip(shown(one, message, size), shown(one, usual, size), strict=True)
    for seen, before in pairs:
        assert seen["expected"] == before["expected"]
        octets, plain = bytes.fromhex(seen["sent"]["hex"]), bytes.fromhex(before["sent"]["hex"])
        if IP not in Ether(plain) or IPv6 not in Ether(plain):
            assert octets == plain
            continue
        frame = Ether(octets)
        option = frame[IPv6ExtHdrDestOpt]
        assert (frame[IPv6].nh, option.nh, option.len) == (60, 4, 0)
        first = option.options[0]
        assert (first.otype, first.optlen, first.optdata) == (4, 1, bytes([limit]))
        assert isinstance(first, HBHOptUnknown)
        assert [one.otype for one in option.options[1:]] == [1]  # PadN
        assert frame[IPv6].plen == len(octets) - 14 - 40
        assert octets[:18] == plain[:18]
        assert octets[21:54] == plain[21:54]
        assert octets[62:] == plain[54:]
        assert frame[UDP].chksum == recomputed(seen["sent"]["hex"])[UDP].chksum
        assert f"encapsulation limit {limit}, in it" in seen["sent"]["text"]
        assert f"{len(plain) + 4 + OPTION} bytes" in seen["sent"]["text"]


@pytest.mark.parametrize("technology", sorted(TECHNOLOGIES))
@pytest.mark.parametrize("size", [104, 105, 112, 1510])
def test_loopback(technology: str, size: int) -> None:
    """It arrives as it was sent: nothing is taken out of it, and no remark is made."""
    message = limited(technology, 4)
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    with engine() as one:
        open_loopback(one)
        one.do("configure", loopback=True, **message)
        answer = one.do("trial", **trial(frame_size=size))
    check_all_expected(answer, 10_000, {"foreground": 0.5, "background": 0.5})
    sizes = [answer[direction]["frame_size"] for direction in ("forward", "reverse")]
    into_tunnel = sizes[0 if technology == "map-e br" else 1]
    assert (into_tunnel["sent"], into_tunnel["received"]) == (size + OPTION, size - 40)


def test_connections() -> None:
    """Of an AFTR's clients; what it must send back has none."""
    message = of_aftr({"first": "2001:db8:0:1::1", "count": 1})
    message["traffic"]["tunnel"] = {"encapsulation_limit": 1}
    with engine() as one:
        one.do("configure", **message)
        for direction, phase in (("forward", "establish"), ("reverse", "steady")):
            asked = {"frame_size": 64, "frame_size_of": "ipv4", "count": 4, "directions": [direction]}
            for seen in one.do("show", **asked, connections={"count": 4, "phase": phase})["frames"]:
                sent, expected = (Ether(bytes.fromhex(seen[what]["hex"])) for what in ("sent", "expected"))
                assert (IPv6ExtHdrDestOpt in sent) == (direction == "forward")
                assert IPv6ExtHdrDestOpt not in expected


@pytest.mark.parametrize("limit", [-1, 256, "4"])
def test_refused(limit: object) -> None:
    message = TECHNOLOGIES["dslite-b4"]()
    message["traffic"]["tunnel"] = {"encapsulation_limit": limit}
    with engine() as one:
        error = str(one.ask("configure", **message)["error"])
    assert error.startswith("configure.traffic.tunnel.encapsulation_limit: ")


def test_the_largest_frame_has_room_for_it() -> None:
    with engine() as one:
        one.do("configure", **limited("map-e br", 4))
        refused = one.ask("show", frame_size=9611, count=1)["error"]
        assert "frame_size: 9611 is not allowed: 104 to 9610" in refused
