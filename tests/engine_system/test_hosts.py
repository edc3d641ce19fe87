"""Several hosts in each network: addresses computed a second time, in all technologies that have hosts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.test_map import DMR, MAPPERF, of_map
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length

PREFIX = IPv6Network("2001:db8:6464::/96")
LEFT, RIGHT = IPv4Network("198.18.0.0/16"), IPv4Network("198.19.0.0/16")
MOST = 65536


def without_mappings() -> Message:
    found = configuration()
    del found["technology"]["eam"]
    return found


TECHNOLOGIES: dict[str, Callable[[], Message]] = {
    "siit": without_mappings,
    "native": lambda: configuration(technology={"name": "native", "family": "ipv4"}),
    "map-e": functools.partial(of_map, "map-e", "br", MAPPERF, ces=20),
    "map-t": functools.partial(of_map, "map-t", "br", MAPPERF, ces=20),
}


@st.composite
def ranges(draw: st.DrawFn, within: IPv4Network) -> tuple[Message, list[IPv4Address]]:
    """Hosts as the engine takes them, and all their addresses."""
    length = draw(st.integers(17, 32))
    size = 1 << (32 - length)
    networks = draw(st.integers(1, min(256, 1 << (length - 16))))
    host = draw(st.integers(0, size - 1))
    hosts = draw(st.integers(1, min(size - host, MOST // networks)))
    first = int(within.network_address)
    message = {"prefix": f"{within.network_address}/{length}", "networks": networks, "host": host, "hosts": hosts}
    of = [first + network * size + host + i for network in range(networks) for i in range(hosts)]
    return message, [IPv4Address(one) for one in of]


def embedded(address: IPv4Address, prefix: IPv6Network = PREFIX) -> IPv6Address:
    """RFC 6052 §2.2 with a prefix of 96 bits, or of 64, whose next octet is zero."""
    return prefix[int(address) if prefix.prefixlen == 96 else int(address) << 24]


@settings(max_examples=by_length(40, 1000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(left=ranges(LEFT), right=ranges(RIGHT), technology=st.sampled_from(sorted(TECHNOLOGIES)))
def test_addresses(
    left: tuple[Message, list[IPv4Address]], right: tuple[Message, list[IPv4Address]], technology: str
) -> None:
    """Frames go to and from these and no others, on both links, and the DUT has routes to all."""
    message = TECHNOLOGIES[technology]()
    message["right"]["hosts"] = right[0]
    if "hosts" in message["left"]:
        message["left"]["hosts"] = left[0]
    with engine() as one:
        one.do("configure", **message)
        frames = one.do("show", frame_size=512, frame_size_of="ipv4" if technology == "native" else "ipv6", count=20)
        described = one.do("describe")["describe"]
    on_right, on_left = set(right[1]), set(left[1])
    for frame in frames["frames"]:
        forward = frame["direction"] == "forward"
        for what, is_left in (("sent", forward), ("expected", not forward)):
            packet = Ether(bytes.fromhex(frame[what]["hex"]))
            ip = packet[IP] if IP in packet else packet[IPv6]
            far, near = (ip.dst, ip.src) if forward else (ip.src, ip.dst)
            translated = is_left and technology in ("siit", "map-t")
            outside = DMR if technology == "map-t" else PREFIX
            assert ip_address(far) in ({embedded(address, outside) for address in on_right} if translated else on_right)
            if technology in ("siit", "native"):
                assert ip_address(near) in ({embedded(address) for address in on_left} if translated else on_left)
    routes = [ip_network(route["prefix"]) for route in described["right"]["routes"]]
    assert all(any(address in route for route in routes) for address in (right[1][0], right[1][-1]))
    assert len(routes) <= max(64, right[0]["networks"])
    if technology == "siit":
        routes = [ip_network(route["prefix"]) for route in described["left"]["routes"]]
        assert all(
            any(embedded(address) in route for route in routes) for address in left[1][:: max(1, len(left[1]) // 50)]
        )
        assert len(routes) <= max(64, left[0]["networks"])


@pytest.mark.parametrize("technology", sorted(TECHNOLOGIES))
def test_all_of_them(technology: str) -> None:
    """65,536 on the right; each frame draws one of them, and what comes back is verified."""
    message = TECHNOLOGIES[technology]()
    message["right"]["hosts"] = {"prefix": "198.19.0.0/16", "networks": 1, "host": 0, "hosts": MOST}
    with engine() as one:
        open_loopback(one)
        one.do("configure", loopback=True, **message)
        of = "ipv4" if technology == "native" else "ipv6"
        check_all_expected(one.do("trial", **trial(frame_size=128, frame_size_of=of)), 10_000, {"foreground": 1})


def test_each_comes_as_often() -> None:
    """RFC 2544 §12: uniformly, at random; of 3 networks with 5 hosts each."""
    message = configuration(technology={"name": "native", "family": "ipv4"})
    message["right"]["hosts"] = {"prefix": "198.19.0.0/24", "networks": 3, "host": 250, "hosts": 5}
    with engine() as one:
        one.do("configure", **message)
        shown = one.do("show", frame_size=64, frame_size_of="ipv4", count=64, directions=["forward"])["frames"]
    seen = [Ether(bytes.fromhex(one["sent"]["hex"]))[IP].dst for one in shown]
    wanted = {f"198.19.{network}.{host}" for network in range(3) for host in range(250, 255)}
    assert set(seen) == wanted
    assert max(map(seen.count, wanted)) < 15


@pytest.mark.parametrize(
    ("hosts", "line"),
    [
        ({"hosts": 0}, "configure.right.hosts.hosts: 0 is not allowed: whole numbers, 1 to 65536"),
        ({"hosts": 65537}, "configure.right.hosts.hosts: 65537 is not allowed: whole numbers, 1 to 65536"),
        (
            {"hosts": 255},
            "configure.right.hosts.hosts: 255 is not allowed: hosts whose numbers all fit into 198.19.0.0/24",
        ),
        (
            {"networks": 256, "prefix": "198.18.0.0/16", "hosts": 257},
            "configure.right.hosts.hosts: 257 is not allowed: at most 65536 hosts in all networks together",
        ),
    ],
)
def test_refused(hosts: Message, line: str) -> None:
    message = configuration()
    message["right"]["hosts"].update(hosts)
    with engine() as one:
        assert str(one.ask("configure", **message)["error"]).startswith(line)


def test_flows_out_of_too_many() -> None:
    """They are drawn by a permutation of at most 2^48 four tuples."""
    message = configuration(technology={"name": "native", "family": "ipv4"})
    for side, prefix in (("left", "198.18.0.0/16"), ("right", "198.19.0.0/16")):
        message[side]["hosts"] = {"prefix": prefix, "networks": 1, "host": 0, "hosts": MOST}
    message["traffic"]["forward"] = {"flows": 10}
    with engine() as one:
        line = "configure.traffic.forward.flows: 10 is not allowed: nothing where hosts and ports make more than"
        assert str(one.ask("configure", **message)["error"]).startswith(line)
        message["traffic"]["forward"] |= {
            "source_ports": {"first": 0, "last": 65535},
            "destination_ports": {"first": 0, "last": 65535},
        }
        assert str(one.ask("configure", **message)["error"]).startswith(line)
        message["traffic"]["forward"]["source_ports"] = {"order": "fixed", "first": 1024, "last": 1024}
        one.do("configure", **message)
