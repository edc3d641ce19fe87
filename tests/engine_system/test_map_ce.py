"""CEs with NAPT44: frames taken apart by Scapy, addresses computed a second time; loopback with connections."""

from __future__ import annotations

import json
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.rfc_addresses import embed
from tests.engine_system.rfc_map import Rule
from tests.engine_system.test_map import BR, DMR, EXAMPLE, MAPPERF, recomputed, rules
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length, more

CONNECTIONS = {
    "clients": {"first": "10.0.0.2", "addresses": 10},
    "servers": {"first": "198.19.0.2", "addresses": 3},
    "client_ports": {"first": 1024, "last": 1123},
}
CONNECTIONS_AT = "configure.traffic.connections"
CLIENTS, SERVERS = IPv4Network("10.0.0.0/28"), IPv4Network("198.19.0.0/29")


def of_ce(name: str, rule: Rule, ea: int, **changes: Any) -> Message:
    """A configuration with one CE."""
    beyond = {"map-e-ce": {"br": str(BR)}, "map-t-ce": {"dmr": str(DMR)}}[name]
    domain = {**rule.message(), **beyond, "ea": ea, "ces": 1}
    found = configuration(technology={"name": name, "domains": [domain]}, **changes)
    for side in ("left", "right"):
        del found[side]["hosts"]
    found["traffic"]["connections"] = CONNECTIONS
    return found


def shown(process: EngineProcess, phase: str, direction: str) -> list[Message]:
    connections = {"count": 200, "phase": phase}
    frames = process.do(
        "show", frame_size=64, frame_size_of="ipv4", count=8, directions=[direction], connections=connections
    )["frames"]
    assert len(frames) == 8
    return list(frames)


def check(name: str, rule: Rule, ea: int, frame: Message) -> None:
    """Private hosts on the left; on the right the CE's address and one of its ports, inside of what RFC 7597 says."""
    up = frame["direction"] == "forward"
    images = [recomputed(frame["sent"]["hex"]), recomputed(frame["expected"]["hex"])]
    plain, right = images if up else images[::-1]
    assert IPv6 not in plain
    host, server = (plain[IP].src, plain[IP].dst) if up else (plain[IP].dst, plain[IP].src)
    assert IPv4Address(host) in CLIENTS
    assert IPv4Address(server) in SERVERS
    ends = [right[IPv6].src, right[IPv6].dst]
    ours, theirs = ends if up else ends[::-1]
    port = right[UDP].sport if up else right[UDP].dport
    assert rule.allows(port)
    assert port
    ce = ce_address(rule, ea)
    assert IPv6Address(ours) == rule.map_address(ce, port, padded=True), "so the port has the CE's PSID"
    if name == "map-e-ce":
        assert IPv6Address(theirs) == BR
        inner = right[IP]
        assert [inner.src, inner.dst] == ([str(ce), server] if up else [server, str(ce)])
        assert (right[IPv6].hlim, right[IPv6].tc, right[IPv6].nh) == (64, 0xB8, 4)
    else:
        assert IPv6Address(theirs) == embed(DMR, IPv4Address(server))
    assert bytes(right[UDP].payload) == bytes(plain[UDP].payload)
    far = (right[UDP].dport, plain[UDP].dport) if up else (right[UDP].sport, plain[UDP].sport)
    assert far[0] == far[1]


def ce_address(rule: Rule, ea: int) -> IPv4Address:
    """The EA bits without those of the PSID, behind the rule's prefix."""
    return IPv4Address(int(rule.ipv4.network_address) | (ea >> rule.psid_length))


@pytest.fixture(scope="module")
def one() -> Iterator[EngineProcess]:
    with engine() as process:
        yield process


@more
@settings(max_examples=by_length(40, 2000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rule=rules(), name=st.sampled_from(["map-e-ce", "map-t-ce"]), data=st.data())
def test_frames_of_any_ce(one: EngineProcess, rule: Rule, name: str, data: st.DataObject) -> None:
    assume(rule.ea_bits >= 32 - rule.ipv4.prefixlen)  # else it has a prefix
    ea = data.draw(st.integers(0, 2**rule.ea_bits - 1))
    assume(rule.psid_offset + rule.psid_length < 16 or rule.psid_offset or ea % 2**rule.psid_length)  # port 0 alone
    one.do("configure", **of_ce(name, rule, ea))
    for direction, phase in (("forward", "establish"), ("reverse", "each_once")):
        for frame in shown(one, phase, direction):
            check(name, rule, ea, frame)


@more
@settings(max_examples=by_length(30, 2000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rule=rules(), name=st.sampled_from(["map-e-ce", "map-t-ce"]), data=st.data())
def test_in_a_mesh(one: EngineProcess, rule: Rule, name: str, data: st.DataObject) -> None:
    """R7597-5, RFC 7599 §5: a server's address and port say which CE it is behind, whose MAP address frames have."""
    assume(rule.ea_bits >= 32 - rule.ipv4.prefixlen > 0)
    assume(rule.psid_offset + rule.psid_length < 16 or rule.psid_offset)
    ea = data.draw(st.integers(0, 2**rule.ea_bits - 1))
    assume(rule.psid_offset or not rule.psid_length or ea % 2**rule.psid_length)
    low, high, dut = int(rule.ipv4[0]), int(rule.ipv4[-1]), int(ce_address(rule, ea))
    first = data.draw(st.integers(low, high).filter(lambda number: number != dut))
    addresses = min(3, (high if first > dut else dut - 1) - first + 1)
    least = 1 << (16 - rule.psid_offset) if rule.psid_length and rule.psid_offset else 1
    ports = data.draw(st.integers(least, 65535))
    message = of_ce(name, rule, ea)
    message["technology"]["mesh"] = True
    message["traffic"]["connections"] = CONNECTIONS | {
        "servers": {"first": str(IPv4Address(first)), "addresses": addresses},
        "client_ports": {"first": 1024, "last": 1024},
        "server_ports": {"first": ports, "last": 65535},
    }
    one.do("configure", **message)
    count = min(200, 10 * addresses * (65536 - ports))
    for direction, phase in (("forward", "establish"), ("reverse", "each_once")):
        frames = one.do(
            "show", frame_size=64, frame_size_of="ipv4", directions=[direction], count=10,
            connections={"count": count, "phase": phase},
        )["frames"]  # fmt: skip
        for frame in frames:
            check_far_end(name, rule, ea, frame)
            server = shown_server(frame)
            assert first <= int(server) < first + addresses


def shown_server(frame: Message) -> IPv4Address:
    plain = recomputed(frame["sent" if frame["direction"] == "forward" else "expected"]["hex"])
    return IPv4Address(plain[IP].dst if frame["direction"] == "forward" else plain[IP].src)


def check_far_end(name: str, rule: Rule, ea: int, frame: Message) -> None:
    """Both MAP addresses follow from the IPv4 packet between the two CEs."""
    up = frame["direction"] == "forward"
    images = [recomputed(frame["sent"]["hex"]), recomputed(frame["expected"]["hex"])]
    plain, right = images if up else images[::-1]
    server, server_port = shown_server(frame), plain[UDP].dport if up else plain[UDP].sport
    assert (right[UDP].dport if up else right[UDP].sport) == server_port
    own_port = right[UDP].sport if up else right[UDP].dport
    assert rule.allows(own_port)
    assert rule.allows(server_port)
    ours = rule.map_address(ce_address(rule, ea), own_port, padded=True)
    theirs = rule.map_address(server, server_port, padded=True)
    assert [IPv6Address(right[IPv6].src), IPv6Address(right[IPv6].dst)] == ([ours, theirs] if up else [theirs, ours])
    if name == "map-e-ce":
        pair = [str(ce_address(rule, ea)), str(server)]
        assert [right[IP].src, right[IP].dst] == (pair if up else pair[::-1])
    number = int(theirs) >> (128 - rule.ipv6.prefixlen - rule.ea_bits) & (2**rule.ea_bits - 1)
    assert (frame["subscriber"]["domain"], frame["subscriber"]["number"]) == (0, number)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {"servers": {"first": "198.51.100.1"}},
            f"{CONNECTIONS_AT}.servers.first: 198.51.100.1 is not allowed: with mesh, addresses of "
            "192.0.2.0/24 without the DUT's, 192.0.2.18",
        ),
        (
            {"servers": {"first": "192.0.2.16", "addresses": 3}},
            f"{CONNECTIONS_AT}.servers.first: 192.0.2.16",
        ),
        (
            {"servers": {"first": "192.0.2.255", "addresses": 2}},
            f"{CONNECTIONS_AT}.servers.first: 192.0.2.255",
        ),
        (
            {"servers": {"first": "192.0.2.1"}, "server_ports": {"first": 1000, "last": 2000}},
            f"{CONNECTIONS_AT}.server_ports: 1000 to 2000 is not allowed: with technology.mesh ports that CEs of the "
            "domain have (RFC 7597 section 5.1), and none has 1000",
        ),
    ],
)
@pytest.mark.parametrize("name", ["map-e-ce", "map-t-ce"])
def test_what_is_not_in_a_mesh(one: EngineProcess, name: str, changes: Message, line: str) -> None:
    message = of_ce(name, EXAMPLE, 0x1234)
    message["technology"]["mesh"] = True
    message["traffic"]["connections"] = CONNECTIONS | {"server_ports": {"first": 1024, "last": 2000}} | changes
    assert one.error(json.dumps({"request": "configure", **message})).startswith(line)


def test_the_example_of_the_standard(one: EngineProcess) -> None:
    """RFC 7597 App. A, example 1: 192.0.2.18, PSID 0x34, from port 1232 on."""
    one.do("configure", **of_ce("map-e-ce", EXAMPLE, 0x1234))
    frame = shown(one, "establish", "forward")[0]
    outer, inner = frame["expected"]["text"].split(", in it ")
    assert outer.startswith("IPv6 2001:db8:12:3400:0:c000:212:34 > 2001:db8:ffff::1, hop limit 64")
    assert inner.startswith("IPv4 192.0.2.18 > 198.19.0.")
    port = int(inner.split("UDP ")[1].split(" > ")[0])
    assert port in (1232, 1233, 1234, 1235), "a client's port that isn't the CE's becomes the lowest"
    assert frame["sent"]["text"].startswith("IPv4 10.0.0.")


@pytest.mark.parametrize("mesh", [False, True])
@pytest.mark.parametrize("name", ["map-e-ce", "map-t-ce"])
def test_loopback_loses_nothing(name: str, mesh: bool) -> None:
    message = of_ce(name, MAPPERF, 0x17A9, loopback=True)
    if mesh:
        message["technology"]["mesh"] = True
        servers = {"first": str(ce_address(MAPPERF, 0x17A9) + 1), "addresses": 20}
        message["traffic"]["connections"] = CONNECTIONS | {
            "servers": servers,
            "client_ports": {"first": 1024, "last": 1024},
            "server_ports": {"first": 32768, "last": 65535},
        }
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message)
        for phase, direction in (("establish", "forward"), ("each_once", "reverse")):
            connections = {"count": 1000, "phase": phase}
            asked = trial(frame_size=104, connections=connections, directions=[direction])
            del asked["duration_s"]
            answer = one.do("trial", **asked)
            assert answer["valid"], answer["reasons"]
            assert answer[direction]["foreground"]["expected"] == answer[direction]["sent"] == 1000
        answer = one.do("trial", **trial(frame_size=104, connections={"count": 1000, "phase": "steady"}))
        check_all_expected(answer, 10_000, {"foreground": 0.5, "background": 0.5})
