"""R7597-5, R7599-8: frames from CE to CE, taken apart by Scapy, with random rules: by a border relay, and in a mesh."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration
from tests.engine_system.rfc_addresses import embed
from tests.engine_system.rfc_map import Rule
from tests.engine_system.test_map import BR, DMR, EXAMPLE, in_and_out_of_a_tunnel, recomputed, rule_sets
from tests.long import by_length, more

NAMES = ("map-e", "map-t")


def prefix_of(index: int) -> IPv6Network:
    """The default mapping rule of a domain."""
    return IPv6Network((int(DMR[0]) + (index << 64), 64))


def between(name: str, rules: Sequence[Rule], **more: Any) -> Message:
    """A configuration with these domains, each with a way out of its own; at most 20 CEs of each."""
    found = configuration(technology={"name": name, **more})
    del found["left"]["hosts"]
    ends = [
        {"br": str(BR + index)} if name == "map-e" else {"dmr": str(prefix_of(index))} for index in range(len(rules))
    ]
    found["technology"]["domains"] = [
        {**rule.message(), **end, "ces": min(20, 2**rule.ea_bits)} for rule, end in zip(rules, ends, strict=True)
    ]
    return found


def whose(rules: Sequence[Rule], address: str, port: int, *, padded: bool) -> tuple[int, IPv6Address]:
    """The domain of an IPv4 address, and the MAP address of who has it with this port."""
    ((index, rule),) = [(at, one) for at, one in enumerate(rules) if IPv4Address(address) in one.ipv4]
    assert rule.allows(port)
    return index, rule.map_address(IPv4Address(address), port, padded=padded)


def check_from_tunnel_to_tunnel(rules: Sequence[Rule], frame: Message) -> None:
    """RFC 7597 §5, §8: hub and spoke."""
    sent, back = recomputed(frame["sent"]["hex"]), recomputed(frame["expected"]["hex"])
    inner = sent[IP]
    from_domain, source = whose(rules, inner.src, inner[UDP].sport, padded=True)
    to_domain, destination = whose(rules, inner.dst, inner[UDP].dport, padded=True)
    assert source != destination
    assert [IPv6Address(sent[IPv6].src), IPv6Address(sent[IPv6].dst)] == [source, BR + from_domain]
    assert [IPv6Address(back[IPv6].src), IPv6Address(back[IPv6].dst)] == [BR + to_domain, destination]
    assert (back[IPv6].nh, back[IPv6].hlim, inner.ttl - back[IP].ttl) == (4, 64, 1)
    assert (back[IP].src, back[IP].dst, bytes(back[UDP])) == (inner.src, inner.dst, bytes(inner[UDP]))


def in_prefix(rules: Sequence[Rule], address: str) -> tuple[int, IPv4Address]:
    """RFC 6052 §2.2, /64: whose default mapping rule it is, and the IPv4 address in it."""
    value = int(IPv6Address(address))
    ((index, ipv4),) = [
        (at, IPv4Address(value >> 24 & 0xFFFFFFFF)) for at in range(len(rules)) if IPv6Address(address) in prefix_of(at)
    ]
    assert embed(prefix_of(index), ipv4) == IPv6Address(address)
    return index, ipv4


def check_translated_twice(rules: Sequence[Rule], frame: Message) -> None:
    """RFC 7599 §5.1, §8.3, §8.4: hub and spoke."""
    sent, back = recomputed(frame["sent"]["hex"]), recomputed(frame["expected"]["hex"])
    said_by, to_ipv4 = in_prefix(rules, sent[IPv6].dst)
    told_to, from_ipv4 = in_prefix(rules, back[IPv6].src)
    from_domain, source = whose(rules, str(from_ipv4), sent[UDP].sport, padded=False)
    to_domain, destination = whose(rules, str(to_ipv4), sent[UDP].dport, padded=False)
    assert source != destination
    assert (said_by, told_to) == (from_domain, to_domain)
    assert (IPv6Address(sent[IPv6].src), IPv6Address(back[IPv6].dst)) == (source, destination)
    assert (back[UDP].sport, back[UDP].dport) == (sent[UDP].sport, sent[UDP].dport)
    assert bytes(back[UDP].payload) == bytes(sent[UDP].payload)
    assert (back[IPv6].fl, sent[IPv6].hlim - back[IPv6].hlim) == (0, 1)


@pytest.fixture(scope="module")
def one() -> Iterator[EngineProcess]:
    with engine() as process:
        yield process


@more
@settings(max_examples=by_length(30, 1000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=rule_sets(), name=st.sampled_from(NAMES))
def test_back_by_the_border_relay(one: EngineProcess, rules: list[Rule], name: str) -> None:
    assume(sum(2**rule.ea_bits for rule in rules) > 1)
    one.do("configure", **between(name, rules, hairpinning=True))
    size = {"map-e": 104, "map-t": 84}[name]
    frames = one.do("show", frame_size=size, frame_size_of="ipv6", count=30, directions=["forward"])["frames"]
    assert len(frames) == 30
    for frame in frames:
        (check_from_tunnel_to_tunnel if name == "map-e" else check_translated_twice)(rules, frame)
        assert frame["subscriber"] != frame["to_subscriber"]


@more
@settings(max_examples=by_length(30, 1000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=rule_sets(), name=st.sampled_from(NAMES), data=st.data())
def test_in_a_mesh(one: EngineProcess, rules: list[Rule], name: str, data: st.DataObject) -> None:
    """A CE, left, and those whose MAP addresses it knows by its rules, right."""
    own = rules[0]
    others = 2**own.ea_bits - 2**own.psid_length
    assume(others > 0)
    ea = data.draw(st.integers(0, 2**own.ea_bits - 1))
    message = between(name, rules, role="ce", mesh=True)
    message["technology"]["domains"][0] |= {"ea": ea, "ces": min(20, others)}
    one.do("configure", **message)
    domains = set()
    for frame in one.do("show", frame_size=64, frame_size_of="ipv4", count=30)["frames"]:
        forward = frame["direction"] == "forward"
        if name == "map-e":
            outer, inner, plain = in_and_out_of_a_tunnel(frame, sent_in_it=not forward)
            assert (inner.src, inner.dst) == (plain[IP].src, plain[IP].dst)
        else:
            images = [recomputed(frame["sent"]["hex"]), recomputed(frame["expected"]["hex"])]
            plain, outer = images if forward else (images[1], images[0][IPv6])
            outer = outer[IPv6]
            assert (outer[UDP].sport, outer[UDP].dport) == (plain[UDP].sport, plain[UDP].dport)
        ends = [
            whose(rules, address, port, padded=name == "map-e")
            for address, port in ((plain[IP].src, plain[UDP].sport), (plain[IP].dst, plain[UDP].dport))
        ]
        assert [IPv6Address(outer.src), IPv6Address(outer.dst)] == [address for _, address in ends]
        (dut_domain, dut), (domain, _) = ends if forward else ends[::-1]
        assert dut_domain == 0
        assert int(dut) >> (128 - own.ipv6.prefixlen - own.ea_bits) & (2**own.ea_bits - 1) == ea
        assert frame["subscriber"]["domain"] == domain
        far = plain[IP].dst if forward else plain[IP].src
        near = plain[IP].src if forward else plain[IP].dst
        assert IPv4Address(far) != IPv4Address(near), "nobody is reached by the DUT's own address"
        domains.add(domain)
    assert domains <= set(range(len(rules)))


def test_a_border_relay_of_two_domains_is_routed_once(one: EngineProcess) -> None:
    """RFC 7597 §5: a CE that has both rules."""
    other = replace(EXAMPLE, ipv6=IPv6Network("2001:db9::/40"), ipv4=IPv4Network("198.51.100.0/24"))
    message = between("map-e", [EXAMPLE, other], role="ce", mesh=True)
    for domain in message["technology"]["domains"]:
        domain["br"] = str(BR)
    message["technology"]["domains"][0]["ea"] = 1
    one.do("configure", **message)
    routes = one.do("describe")["describe"]["right"]["routes"]
    assert [route["prefix"] for route in routes] == [str(EXAMPLE.ipv6), "2001:db9::/40", f"{BR}/128"]


def test_what_is_refused(one: EngineProcess) -> None:
    """Each with the place, the value and what is allowed."""
    prefix = "configure.technology."
    for technology, rule, domain, line in (
        (
            {"hairpinning": True, "role": "ce"},
            EXAMPLE,
            {"ea": 1, "ces": 1},
            "hairpinning: true is not allowed: false with",
        ),
        ({"hairpinning": True}, EXAMPLE, {"ces": 1}, "hairpinning: true is not allowed: false with one CE"),
        ({"mesh": True}, EXAMPLE, {}, "mesh: true is not allowed: false with role br"),
        ({"mesh": True, "role": "ce"}, EXAMPLE, {}, "domains[0].ea: missing: with mesh, the CE that the DUT is"),
        (
            {"mesh": True, "role": "ce"},
            EXAMPLE,
            {"ea": 1, "ces": 65281},
            "domains[0].ces: 65281 is not allowed: whole numbers, 1 to 65280",
        ),
        (
            {"mesh": True, "role": "ce"},
            Rule(EXAMPLE.ipv6, IPv4Network("192.0.2.18/32"), 8, 6),
            {"ea": 1, "ces": 1},
            "domains[0].ea_bits: 8 is not allowed: with mesh, some of the IPv4 address",
        ),
    ):
        message = between("map-e", [rule], **technology)
        message["technology"]["domains"][0] |= domain
        assert one.error(json.dumps({"request": "configure", **message})).startswith(prefix + line)
