"""Every frame that `show` shows, taken apart by Scapy; what is expected, computed a second time with ipaddress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Packet

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration
from tests.engine_system.rfc_addresses import Address, Row, embed, hosts_of, map_explicitly, to_ipv6
from tests.long import LONG, by_length, more

PREFIXES = [
    "2001:db8::/32", "2001:db8:100::/40", "2001:db8:122::/48", "2001:db8:122:300::/56",
    "2001:db8:122:344::/64", "2001:db8:122:344::/96", "64:ff9b::/96",
]  # fmt: skip
EAM = [
    ("198.18.0.0/24", "2001:2::/120"),
    ("198.19.0.0/16", "2001:db8:eeee:8::/62"),
    ("198.19.0.0/25", "2001:db8:ffff::/64"),
]
PROBE = 18


@dataclass(frozen=True)
class Setup:
    """What is configured and shown."""

    technology: str = "siit"  # or ipv4, ipv6: native
    ipv6_side: str = "left"
    prefix: str = PREFIXES[5]
    rows: tuple[tuple[str, str], ...] = ()
    networks: int = 1
    take: int = 1
    of: int = 1
    frame_size: int = 84  # of the IPv6 side, with FCS; 20 less for IPv4
    count: int = 20
    traffic: Message = field(default_factory=dict)

    @property
    def size_of(self) -> str:
        return "ipv4" if self.technology == "ipv4" else "ipv6"

    @property
    def background_size(self) -> int:
        """The IPv6 size; where all foreground is IPv4, theirs, but large enough for IPv6."""
        return max(self.frame_size - 20, 84) if self.technology == "ipv4" else self.frame_size

    def family(self, side: str) -> str:
        if self.technology != "siit":
            return self.technology
        return "ipv6" if side == self.ipv6_side else "ipv4"

    def host_prefix(self, side: str) -> str:
        if self.technology == "ipv6":
            return {"left": "2001:2:0:100::/64", "right": "2001:2:0:a100::/64"}[side]
        return {"left": "198.18.0.0/24", "right": "198.19.0.0/24"}[side]

    def configuration(self) -> Message:
        found = configuration()
        if self.technology == "siit":
            eam = [{"ipv4": v4, "ipv6": v6} for v4, v6 in self.rows]
            found["technology"] = {"name": "siit", "ipv6_side": self.ipv6_side, "prefix": self.prefix, "eam": eam}
        else:
            found["technology"] = {"name": "native", "family": self.technology}
        for side in ("left", "right"):
            found[side]["hosts"] = {"prefix": self.host_prefix(side), "networks": self.networks, "host": 2}
            found[side]["background_hosts"]["networks"] = self.networks
        found["traffic"] = {"seed": 1, "foreground": {"take": self.take, "of": self.of}, **self.traffic}
        return found

    def address(self, host: Address, link: str) -> Address:
        """How a host is addressed on the link of a side."""
        if isinstance(host, IPv6Address) or self.family(link) == "ipv4":
            return host
        rows: list[Row] = [(IPv4Network(v4), IPv6Network(v6)) for v4, v6 in self.rows]
        return to_ipv6(host, IPv6Network(self.prefix), rows)


def dissect(text: str) -> Any:
    """The frame, whose checksums Scapy computes to the same."""
    octets = bytes.fromhex(text)
    frame = Ether(octets)
    again = Ether(octets)
    if IP in again:
        del again[IP].chksum
        del again[IP].len
    else:
        del again[IPv6].plen
    del again[UDP].chksum
    del again[UDP].len
    assert bytes(again) == octets, frame.show2(dump=True)
    return frame


def check_network_layer(setup: Setup, frame: Any, family: str, size: int, hop_limit: int, from_ipv6: bool) -> Any:
    """Length, class, hop limit and flags; the IP layer."""
    traffic_class = setup.traffic.get("traffic_class", 0)
    assert len(frame) == size - 4
    if family == "ipv6":
        assert frame.type == 0x86DD
        ip = frame[IPv6]
        assert (ip.tc, ip.fl, ip.nh, ip.hlim, ip.plen) == (traffic_class, 0, 17, hop_limit, size - 58)
        return ip
    ip = frame[IP]
    assert frame.type == 0x0800
    assert (ip.ihl, ip.tos, ip.proto, ip.ttl, ip.frag, ip.len) == (5, traffic_class, 17, hop_limit, 0, size - 18)
    dont_fragment = ip.len > 1260 if from_ipv6 else setup.traffic.get("dont_fragment", True)  # RFC 7915 §5.1
    assert (str(ip.flags), ip.id) == ("DF" if dont_fragment else "", 0)
    return ip


Tables = dict[tuple[bool, str, str], dict[Address, int]]


def host_tables(setup: Setup) -> Tables:
    """Which host an address stands for: by class, the host's side, and the link on which it is seen."""
    background = {"left": "2001:2:0:1000::/64", "right": "2001:2:0:9000::/64"}
    tables: Tables = {}
    for side in ("left", "right"):
        for link in ("left", "right"):
            hosts = hosts_of(setup.host_prefix(side), setup.networks, 2)
            tables[False, side, link] = {setup.address(host, link): i for i, host in enumerate(hosts)}
            hosts = hosts_of(background[side], setup.networks, 2)
            tables[True, side, link] = {host: i for i, host in enumerate(hosts)}
    return tables


def check_frame(setup: Setup, tables: Tables, shown: Message) -> tuple[int, int]:
    """Both images of a frame; its ports."""
    source, destination = ("left", "right") if shown["direction"] == "forward" else ("right", "left")
    background = shown["class"] == "background"
    hop_limit = setup.traffic.get("hop_limit", 10)
    sent, expected = dissect(shown["sent"]["hex"]), dissect(shown["expected"]["hex"])
    ips = []
    for frame, link, hops in ((sent, source, 0), (expected, destination, setup.traffic.get("hops", 1))):
        family = "ipv6" if background else setup.family(link)
        size = setup.background_size if background else setup.frame_size - (20 if family == "ipv4" else 0)
        translated_from_ipv6 = not background and setup.family(source) == "ipv6" and family == "ipv4"
        ips.append(check_network_layer(setup, frame, family, size, hop_limit - hops, translated_from_ipv6))
        index = [
            tables[background, side, link][ip_address(a)]
            for side, a in ((source, ips[-1].src), (destination, ips[-1].dst))
        ]
        if frame is sent:
            networks = index
        else:
            assert index == networks, "both images are of the same hosts"
    assert (sent.src, expected.dst) == tuple(
        f"02:00:00:00:00:1{int(side == 'right')}" for side in (source, destination)
    )
    assert (sent.dst, expected.src) == tuple(
        f"02:00:00:00:00:2{int(side == 'right')}" for side in (source, destination)
    )
    data = bytes(sent[UDP].payload)
    assert bytes(expected[UDP].payload) == data
    assert data[:1] == b"X"
    assert int.from_bytes(data[4:9], "little") == shown["number"]  # the next octet is its seal
    assert data[PROBE:] == bytes(i % 256 for i in range(PROBE, len(data)))
    ports = (sent[UDP].sport, sent[UDP].dport)
    assert (expected[UDP].sport, expected[UDP].dport) == ports
    for image, ip in zip(("sent", "expected"), ips, strict=True):
        assert f"{ip.src} > {ip.dst}" in shown[image]["text"]
        assert f"UDP {ports[0]} > {ports[1]}" in shown[image]["text"]
    return ports


def check(one: EngineProcess, setup: Setup) -> dict[str, list[tuple[int, int]]]:
    one.do("configure", **setup.configuration())
    size = setup.frame_size - (20 if setup.size_of == "ipv4" else 0)
    frames = one.do("show", frame_size=size, frame_size_of=setup.size_of, count=setup.count)["frames"]
    assert [f["number"] for f in frames] == 2 * list(range(setup.count))
    assert [f["direction"] for f in frames] == setup.count * ["forward"] + setup.count * ["reverse"]
    foreground = sum(f["class"] == "foreground" for f in frames[: setup.count // setup.of * setup.of])
    assert foreground == setup.count // setup.of * setup.take
    ports: dict[str, list[tuple[int, int]]] = {"forward": [], "reverse": []}
    tables = host_tables(setup)
    for frame in frames:
        ports[frame["direction"]].append(check_frame(setup, tables, frame))
    return ports


@pytest.fixture(scope="module")
def one() -> Iterator[EngineProcess]:
    with engine() as process:
        yield process


def test_the_second_opinion_knows_the_vectors() -> None:  # standards.md §4.1, §4.2
    texts = ["2001:db8:c000:221::", "2001:db8:1c0:2:21::", "2001:db8:122:c000:2:2100::", "2001:db8:122:3c0:0:221::",
             "2001:db8:122:344:c0:2:2100::", "2001:db8:122:344::c000:221", "64:ff9b::c000:221"]  # fmt: skip
    for prefix, text in zip(PREFIXES, texts, strict=True):
        assert embed(IPv6Network(prefix), IPv4Address("192.0.2.33")) == IPv6Address(text)
    row = (IPv4Network("192.0.2.64/26"), IPv6Network("2001:db8:eeee:8::/62"))
    assert map_explicitly(row, IPv4Address("192.0.2.91")) == IPv6Address("2001:db8:eeee:9:b000::")


@pytest.mark.parametrize("networks", [1, 256])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("prefix", PREFIXES)
def test_siit_with_every_prefix_length(one: EngineProcess, prefix: str, side: str, networks: int) -> None:
    """R6052-2.2."""
    check(one, Setup(prefix=prefix, ipv6_side=side, networks=networks, traffic={"traffic_class": 0xB8}))


@pytest.mark.parametrize("networks", [1, 256])
@pytest.mark.parametrize("technology", ["siit", "ipv4", "ipv6"])
def test_mappings_background_and_native(one: EngineProcess, technology: str, networks: int) -> None:
    check(
        one, Setup(technology=technology, rows=tuple(EAM), networks=networks, take=9, of=10, frame_size=104, count=50)
    )


@pytest.mark.parametrize("size", [84, 85, 148, 276, 532, 788, 1044, 1298, 1299, 1300, 1518, 1522, 9216])
def test_sizes(one: EngineProcess, size: int) -> None:
    """R2544-C.2.6.4."""
    for technology in ("siit", "ipv4", "ipv6"):
        check(one, Setup(technology=technology, frame_size=size, count=2))


@pytest.mark.parametrize("order", ["fixed", "increasing", "decreasing", "pseudorandom"])
def test_port_orders(one: EngineProcess, order: str) -> None:
    ranges = {
        "source_ports": {"order": order, "first": 2000, "last": 2006},
        "destination_ports": {"order": order, "first": 65533, "last": 65535},
    }
    found = check(one, Setup(count=30, traffic={"forward": ranges, "reverse": ranges}))
    for pairs in found.values():
        if order == "fixed":
            assert set(pairs) == {(2000, 65533)}
        elif order == "increasing":
            assert pairs == [(2000 + i % 7, 65533 + i % 3) for i in range(30)]
        elif order == "decreasing":
            assert pairs == [(2006 - i % 7, 65535 - i % 3) for i in range(30)]
        else:
            assert {s for s, _ in pairs} <= set(range(2000, 2007))
            assert len(set(pairs)) > 5
    if order == "pseudorandom":
        assert found["forward"] != found["reverse"]


def test_a_given_number_of_flows(one: EngineProcess) -> None:  # RFC 8219 §10.2.1: 1 network flow, then n
    """Of foreground and background each, of either direction; the tuples are in the frames as Scapy reads them."""
    for flows in (1, 7, 20):
        limits = {"flows": flows, "destination_ports": {"order": "fixed", "first": 7}}
        setup = Setup(networks=3, take=1, of=2, count=800, traffic={"forward": limits, "reverse": limits})
        check(one, setup)
        frames = one.do("show", frame_size=84, count=800)["frames"]
        for direction in ("forward", "reverse"):
            for of in ("foreground", "background"):
                shown = [f["sent"]["hex"] for f in frames if (f["direction"], f["class"]) == (direction, of)]
                tuples = Counter(four_tuple(Ether(bytes.fromhex(sent))) for sent in shown)
                assert len(shown) == 400
                assert len(tuples) == flows
                assert min(tuples.values()) > 400 / flows - 4 * (400 / flows) ** 0.5


def four_tuple(frame: Packet) -> tuple[str, str, int, int]:
    ip = frame.payload
    return ip.src, ip.dst, ip.payload.sport, ip.payload.dport


def test_ports_of_rfc_4814_by_default(one: EngineProcess) -> None:  # R4814-4.5
    for pairs in check(one, Setup(count=500)).values():
        assert all(1024 <= source <= 65535 and 1 <= destination <= 49151 for source, destination in pairs)
        assert min(source for source, _ in pairs) < 3000
        assert max(source for source, _ in pairs) > 63000
        assert max(destination for _, destination in pairs) > 47000


def test_the_golden_vector(one: EngineProcess) -> None:  # standards.md §4.3
    rows = (("198.18.0.0/24", "2001:2::/120"), ("198.19.0.0/24", "2001:2:0:1000::/120"))
    fixed = {"source_ports": {"order": "fixed", "first": 0xC020}, "destination_ports": {"order": "fixed", "first": 7}}
    setup = Setup(rows=rows, traffic={"traffic_class": 0xB8, "forward": fixed, "dont_fragment": False})
    one.do("configure", **setup.configuration())
    frame = one.do("show", frame_size=84, count=1, directions=["forward"])["frames"][0]
    addresses = "20010002000000000000000000000002" + "20010002000010000000000000000002"
    assert frame["sent"]["hex"][24:].startswith("86dd" + "6b800000001a110a" + addresses + "c0200007001a")
    assert frame["expected"]["hex"][24:].startswith(
        "0800" + "45b8002e00000000091124dec6120002c6130002" + "c0200007001a"
    )


def test_impossible_sizes(one: EngineProcess) -> None:
    one.do("configure", **configuration())
    assert "83 is not allowed: 84 to" in one.ask("show", frame_size=83)["error"]
    assert "63 is not allowed: 64 to" in one.ask("show", frame_size=63, frame_size_of="ipv4")["error"]
    assert "is not allowed" in one.ask("show", frame_size=16000)["error"]


def test_describe_names_the_routes(one: EngineProcess) -> None:
    answer = one.do("configure", **Setup(rows=tuple(EAM), networks=2, take=1, of=2).configuration())["describe"]
    assert answer == one.do("describe")["describe"]
    left, right = answer["left"], answer["right"]
    assert left["families"] == ["ipv6"]
    assert right["families"] == ["ipv4", "ipv6"]
    assert [r["prefix"] for r in left["routes"] if r["class"] == "foreground"] == [
        "2001:2::2/128",
        f"{embed(IPv6Network(PREFIXES[5]), IPv4Address('198.18.1.2'))}/128",
    ]
    assert [(r["prefix"], r["via"]) for r in right["routes"]] == [
        ("198.19.0.0/24", "198.19.255.2"), ("198.19.1.0/24", "198.19.255.2"),
        ("2001:2:0:9000::/64", "2001:2:0:ffff::2"), ("2001:2:0:9001::/64", "2001:2:0:ffff::2"),
    ]  # fmt: skip
    assert right["foreground"] == {"family": "ipv4", "first_host": "198.19.0.2", "last_host": "198.19.1.2"}


def port_ranges() -> st.SearchStrategy[Message]:
    bounds = st.tuples(st.integers(0, 65535), st.integers(0, 65535)).map(sorted)
    orders = st.sampled_from(["fixed", "increasing", "decreasing", "pseudorandom"])
    return st.builds(lambda order, b: {"order": order, "first": b[0], "last": b[1]}, orders, bounds)


def traffics() -> st.SearchStrategy[Message]:
    direction = st.fixed_dictionaries({"source_ports": port_ranges(), "destination_ports": port_ranges()})
    return st.fixed_dictionaries(
        {
            "seed": st.integers(0, 2**63 - 1),
            "traffic_class": st.integers(0, 255),
            "hop_limit": st.integers(3, 255),
            "hops": st.integers(0, 2),
            "dont_fragment": st.booleans(),
            "forward": direction,
            "reverse": direction,
        }
    )


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    of = draw(st.integers(1, 20))
    return Setup(
        technology=draw(st.sampled_from(["siit", "siit", "ipv4", "ipv6"])),
        ipv6_side=draw(st.sampled_from(["left", "right"])),
        prefix=draw(st.sampled_from(PREFIXES)),
        rows=tuple(draw(st.lists(st.sampled_from(EAM), unique=True))),
        networks=draw(st.sampled_from([1, 1, 2, 37, 256])),
        take=draw(st.integers(0, of)),
        of=of,
        frame_size=draw(st.one_of(st.integers(104, 1522), st.integers(1295, 1302))),
        count=draw(st.integers(20, 24)),
        traffic=draw(traffics()),
    )


@more
@settings(
    max_examples=by_length(30, 1000),
    derandomize=not LONG,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(setup=setups())
def test_random_configurations(one: EngineProcess, setup: Setup) -> None:
    check(one, setup)
