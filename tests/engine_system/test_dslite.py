"""DS-Lite: frames taken apart by Scapy, addresses computed a second time; loopback with many B4s."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.test_map import in_and_out_of_a_tunnel, recomputed
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length, more

AFTR, B4 = IPv6Address("2001:db8:0:2::1"), IPv6Address("2001:db8:0:1::1")  # RFC 6333 App. B.1
POOL = "192.0.2.1"


def of_aftr(b4s: Message, clients: int = 1, ports: int = 100, client: str = "10.0.0.1", **changes: Any) -> Message:
    """A configuration with an AFTR, and App. B.1's addresses."""
    technology = {"name": "dslite", "aftr": str(AFTR), "b4s": b4s, "pool": {"first": POOL}}
    found = configuration(technology=technology, **changes)
    for side in ("left", "right"):
        del found[side]["hosts"]
    found["traffic"]["connections"] = {
        "clients": {"first": client, "addresses": clients},
        "servers": {"first": "198.51.100.1", "addresses": 2},
        "client_ports": {"first": 10000, "last": 10000 + ports - 1},
        "server_ports": {"first": 80, "last": 90},
    }
    return found


def shown(process: EngineProcess, phase: str, direction: str, count: int, frames: int = 8) -> list[Message]:
    connections = {"count": count, "phase": phase}
    asked = {"frame_size": 64, "frame_size_of": "ipv4", "count": frames, "directions": [direction]}
    return list(process.do("show", **asked, connections=connections)["frames"])


@pytest.fixture(scope="module")
def one() -> Iterator[EngineProcess]:
    with engine() as process:
        yield process


@st.composite
def b4_ranges(draw: st.DrawFn) -> tuple[IPv6Address, int, int]:
    """First address, length of the networks, count: within the address space."""
    length = draw(st.integers(32, 128))
    count = draw(st.integers(1, min(5000, 1 << length)))
    first = draw(st.integers(0, ((1 << length) - count)))
    host = draw(st.integers(0, (1 << (128 - length)) - 1))
    return IPv6Address(first << (128 - length) | host), length, count


@more
@settings(max_examples=by_length(40, 2000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(b4s=b4_ranges(), clients=st.integers(1, 9))
def test_frames_of_any_b4s(one: EngineProcess, b4s: tuple[IPv6Address, int, int], clients: int) -> None:
    """R6333-6.6, standards.md §4.7 and §4.9: the tunnel's ends, the client inside, what the DUT makes of both."""
    first, length, count = b4s
    message = of_aftr({"first": str(first), "network_length": length, "count": count}, clients)
    one.do("configure", **message)
    connections = min(200, count * clients * 2 * 100)
    for direction, phase in (("forward", "establish"), ("reverse", "each_once")):
        for frame in shown(one, phase, direction, connections):
            up = direction == "forward"
            outer, inner, plain = in_and_out_of_an_aftr(frame)
            b4, aftr = (outer.src, outer.dst) if up else (outer.dst, outer.src)
            assert IPv6Address(aftr) == AFTR
            distance = int(IPv6Address(b4)) - int(first)
            assert distance % (1 << (128 - length)) == 0
            assert 0 <= distance >> (128 - length) < count
            host, server = (inner.src, inner.dst) if up else (inner.dst, inner.src)
            assert 0 <= int(IPv4Address(host)) - int(IPv4Address("10.0.0.1")) < clients
            seen = (plain.src, plain.dst) if up else (plain.dst, plain.src)
            assert seen == (POOL, server)


def in_and_out_of_an_aftr(frame: Message) -> tuple[Any, Any, Any]:
    """Outer header, packet inside, packet on the other side."""
    images = [recomputed(frame["sent"]["hex"]), recomputed(frame["expected"]["hex"])]
    outside, plain = images if frame["direction"] == "forward" else images[::-1]
    assert IPv6 not in plain
    outer, inner = outside[IPv6], outside[IP]
    assert (outer.tc, outer.fl, outer.nh, outer.hlim) == (0xB8, 0, 4, 64)
    assert (images[0][IP].ttl, images[1][IP].ttl) == (10, 9)
    assert inner.tos == plain[IP].tos == 0xB8
    assert bytes(inner[UDP].payload) == bytes(plain[UDP].payload)
    return outer, inner, plain[IP]


def in_and_out(frame: Message) -> tuple[str, str]:
    return frame["sent"]["text"], frame["expected"]["text"]


def test_the_example_of_the_standard(one: EngineProcess) -> None:
    """RFC 6333 App. B.1: 10.0.0.1:10000 behind 2001:db8:0:1::1, to 198.51.100.1:80, is 192.0.2.1 outside."""
    message = of_aftr({"first": str(B4)}, ports=1)
    message["traffic"]["connections"]["servers"]["addresses"] = 1
    one.do("configure", **message)
    sent, expected = in_and_out(shown(one, "establish", "forward", 1, 1)[0])
    outer, inner = sent.split(", in it ")
    assert outer.startswith("IPv6 2001:db8:0:1::1 > 2001:db8:0:2::1, hop limit 64, traffic class 0xb8")
    assert inner.startswith("IPv4 10.0.0.1 > 198.51.100.1")
    assert "UDP 10000 > 80" in inner
    assert expected.startswith("IPv4 192.0.2.1 > 198.51.100.1, TTL 9")
    sent, expected = in_and_out(shown(one, "each_once", "reverse", 1, 1)[0])
    assert sent.startswith("IPv4 198.51.100.1 > 192.0.2.1")
    outer, inner = expected.split(", in it ")
    assert outer.startswith("IPv6 2001:db8:0:2::1 > 2001:db8:0:1::1, hop limit 64, traffic class 0xb8")
    assert inner.startswith("IPv4 198.51.100.1 > 10.0.0.1, TTL 9")
    assert "UDP 80 > 10000" in inner


def test_a_thousand_b4s_have_the_same_client(one: EngineProcess) -> None:  # R6333-6.6
    """Each B4's only client has one port: all connections but their B4s are the same."""
    message = of_aftr({"first": str(B4), "count": 1000}, ports=1)
    message["traffic"]["connections"]["servers"]["addresses"] = 1
    one.do("configure", **message)
    seen = set()
    for frame in shown(one, "establish", "forward", 1000, 1000):
        outer, inner = frame["sent"]["text"].split(", in it ")
        assert inner.startswith("IPv4 10.0.0.1 > 198.51.100.1")
        assert "UDP 10000 > 80" in inner
        seen.add(outer.split(" > ")[0])
    assert len(seen) == 1000
    with pytest.raises(AssertionError, match="1 to 11000, the four tuples"):  # 11 server ports
        shown(one, "establish", "forward", 11001)


def routes(process: EngineProcess, side: str) -> list[str]:
    return [route["prefix"] for route in process.do("describe")["describe"][side]["routes"]]


def of_b4(**changes: Any) -> Message:
    found = configuration(technology={"name": "dslite-b4", "b4": str(B4), "aftr": str(AFTR)}, **changes)
    found["left"]["hosts"] = {"prefix": "10.0.0.0/24", "networks": 3, "host": 2}
    return found


def test_frames_of_a_b4(one: EngineProcess) -> None:
    """R2473-6.4, R6333-5: everything goes through one tunnel, as it is."""
    one.do("configure", **of_b4())
    for frame in one.do("show", frame_size=64, frame_size_of="ipv4", count=20)["frames"]:
        up = frame["direction"] == "forward"
        outer, inner, plain = in_and_out_of_a_tunnel(frame, sent_in_it=not up)
        assert [IPv6Address(outer.src), IPv6Address(outer.dst)] == ([B4, AFTR] if up else [AFTR, B4])
        assert (inner.src, inner.dst) == (plain[IP].src, plain[IP].dst)
        host, server = (inner.src, inner.dst) if up else (inner.dst, inner.src)
        assert host in ("10.0.0.2", "10.0.1.2", "10.0.2.2")
        assert server == "198.19.0.2"
    assert routes(one, "right") == [f"{AFTR}/128"]


def test_loopback_of_a_b4_loses_nothing() -> None:
    message = of_b4(loopback=True)
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message)
        answer = one.do("trial", **trial(frame_size=104))
        check_all_expected(answer, 10_000, {"foreground": 0.5, "background": 0.5})


@pytest.mark.parametrize("foreground", [1, 2])
def test_loopback_of_an_aftr_loses_nothing(foreground: int) -> None:
    message = of_aftr({"first": str(B4), "count": 1000}, clients=3, ports=2, loopback=True)
    message["traffic"]["foreground"] = {"take": 1, "of": foreground}
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message)
        for phase, direction in (("establish", "forward"), ("each_once", "reverse")):
            connections = {"count": 10_000, "phase": phase}
            asked = trial(frame_size=104, connections=connections, directions=[direction])
            del asked["duration_s"]
            answer = one.do("trial", **asked)
            assert answer["valid"], answer["reasons"]
            assert answer[direction]["foreground"]["expected"] == answer[direction]["sent"] == 10_000
        answer = one.do("trial", **trial(frame_size=104, connections={"count": 10_000, "phase": "steady"}))
        shares = {"foreground": 1.0} if foreground == 1 else {"foreground": 0.5, "background": 0.5}
        check_all_expected(answer, 10_000, shares)


def test_b4s_take_no_memory() -> None:
    """They are a function of their number."""
    with engine() as one:
        open_loopback(one)
        sizes = []
        for count in (1, 2**24):
            message = of_aftr({"first": str(B4), "count": count, "network_length": 56}, ports=100, loopback=True)
            message["traffic"]["connections"]["servers"]["addresses"] = 1
            one.do("configure", **message)
            asked = trial(frame_size=104, connections={"count": 1000, "phase": "establish"}, directions=["forward"])
            del asked["duration_s"]
            assert one.do("trial", **asked)["forward"]["foreground"]["expected"] == 1000
            status = Path(f"/proc/{one.process.pid}/status").read_text(encoding="ascii")
            sizes.append(int(status.split("VmRSS:")[1].split()[0]))
        assert sizes[1] - sizes[0] < 4096, "KB"


def test_what_the_dut_routes(one: EngineProcess) -> None:
    one.do("configure", **of_aftr({"first": str(B4), "count": 100}))
    assert routes(one, "left") == ["2001:db8::/57"]
