"""MAP-E and MAP-T: frames taken apart by Scapy, addresses computed a second time; loopback with 16 million CEs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.rfc_addresses import embed
from tests.engine_system.rfc_map import Rule
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length, more

BR, DMR = IPv6Address("2001:db8:ffff::1"), IPv6Network("2001:db8:ffff::/64")
EXAMPLE = Rule(IPv6Network("2001:db8::/40"), IPv4Network("192.0.2.0/24"), 16, 6)  # RFC 7597 App. A
MAPPERF = Rule(IPv6Network("2001:db8:ce::/51"), IPv4Network("192.0.2.0/24"), 13, 0)


def of_map(name: str, role: str, rule: Rule, **domain: Any) -> Message:
    """A configuration with one domain."""
    beyond = {"map-e": {"br": str(BR)}, "map-t": {"dmr": str(DMR)}}[name]
    found = configuration(technology={"name": name, "role": role, "domains": [{**rule.message(), **beyond, **domain}]})
    del found["left"]["hosts"]
    return found


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    """Shared addresses, full ones, and prefixes; also IPv6 prefixes that aren't a multiple of 8 bits long."""
    ipv6 = IPv6Network((draw(st.integers(0, 2**128 - 1)), draw(st.integers(1, 64))), strict=False)
    ipv4 = IPv4Network((draw(st.integers(0, 2**32 - 1)), draw(st.integers(1, 32))), strict=False)
    rule = Rule(ipv6, ipv4, draw(st.integers(0, 48)), draw(st.integers(0, 15)), draw(st.booleans()))
    if rule.possible():
        return rule
    return Rule(EXAMPLE.ipv6, ipv4, min(rule.ea_bits, 32 - ipv4.prefixlen, 24), rule.psid_offset, rule.draft_03)


def recomputed(text: str) -> Any:
    """The frame, whose lengths and checksums Scapy computes to the same."""
    octets = bytes.fromhex(text)
    again = Ether(octets)
    for layer, fields in ((IPv6, ("plen",)), (IP, ("chksum", "len")), (UDP, ("chksum", "len"))):
        for field in fields if layer in again else ():
            delattr(again[layer], field)
    assert bytes(again) == octets, again.show2(dump=True)
    return Ether(octets)


def in_and_out_of_a_tunnel(frame: Message, *, sent_in_it: bool) -> tuple[Any, Any, Any]:
    """RFC 2473 §5: outer header, packet inside, frame without a tunnel: all right but for addresses, which follow."""
    images = [recomputed(frame["sent"]["hex"]), recomputed(frame["expected"]["hex"])]
    outside, plain = images if sent_in_it else images[::-1]
    assert IPv6 not in plain
    outer, inner = outside[IPv6], outside[IP]
    assert (outer.tc, outer.fl, outer.nh, outer.hlim) == (0xB8, 0, 4, 64)
    assert (images[0][IP].ttl, images[1][IP].ttl) == (10, 9)
    assert bytes(inner[UDP]) == bytes(plain[UDP])
    return outer, inner, plain


def check_map_e(rule: Rule, role: str, frame: Message, br: IPv6Address = BR) -> None:
    """RFC 7597 §8; standards.md §4.9."""
    up = frame["direction"] == "forward"
    outer, inner, plain = in_and_out_of_a_tunnel(frame, sent_in_it=(role == "br") == up)
    for own, ends in ((inner, outer), (plain[IP], outer)):
        address, port = (own.src, own[UDP].sport) if up else (own.dst, own[UDP].dport)
        assert rule.allows(port)
        ce = rule.map_address(IPv4Address(address), port, padded=True)
        assert [IPv6Address(ends.src), IPv6Address(ends.dst)] == ([ce, br] if up else [br, ce])


def check_map_t(rule: Rule, role: str, frame: Message, dmr: IPv6Network = DMR) -> None:
    """RFC 7599 §8; standards.md §4.3, §4.5."""
    up = frame["direction"] == "forward"
    images = [recomputed(frame["sent"]["hex"]), recomputed(frame["expected"]["hex"])]
    v6, v4 = images if (role == "br") == up else images[::-1]
    address, port, host = (v4[IP].src, v4[UDP].sport, v4[IP].dst) if up else (v4[IP].dst, v4[UDP].dport, v4[IP].src)
    assert rule.allows(port)
    ce, far = rule.map_address(IPv4Address(address), port, padded=False), embed(dmr, IPv4Address(host))
    assert [IPv6Address(v6[IPv6].src), IPv6Address(v6[IPv6].dst)] == ([ce, far] if up else [far, ce])
    assert (v6[UDP].sport, v6[UDP].dport) == (v4[UDP].sport, v4[UDP].dport)
    assert bytes(v6[UDP].payload) == bytes(v4[UDP].payload)


@pytest.fixture(scope="module")
def one() -> Iterator[EngineProcess]:
    with engine() as process:
        yield process


def test_the_second_opinion_knows_the_vectors() -> None:  # standards.md §4.5
    assert str(EXAMPLE.map_address(IPv4Address("192.0.2.18"), 1232, padded=True)) == "2001:db8:12:3400:0:c000:212:34"
    assert str(MAPPERF.map_address(IPv4Address("192.0.2.189"), 18432, padded=True)) == "2001:db8:ce:17a9:0:c000:2bd:9"
    assert str(MAPPERF.map_address(IPv4Address("192.0.2.80"), 35336, padded=True)) == "2001:db8:ce:a11:0:c000:250:11"
    of_draft = Rule(IPv6Network("240b:10::/31"), IPv4Network("106.72.0.0/15"), 25, 4, draft_03=True)
    assert str(of_draft.map_address(IPv4Address("106.72.50.97"), 0x1640, padded=True)).endswith(":6a:4832:6100:6400")
    assert str(embed(DMR, IPv4Address("10.2.3.4"))) == "2001:db8:ffff:0:a:203:400:0"


@more
@settings(max_examples=by_length(40, 2000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rule=rules(), name=st.sampled_from(["map-e", "map-t"]), role=st.sampled_from(["br", "ce"]))
def test_frames_of_any_rule(one: EngineProcess, rule: Rule, name: str, role: str) -> None:
    one.do("configure", **of_map(name, role, rule))
    frames = one.do("show", frame_size=64, frame_size_of="ipv4", count=8)["frames"]
    assert len(frames) == 16
    for frame in frames:
        (check_map_e if name == "map-e" else check_map_t)(rule, role, frame)
        assert frame["subscriber"]["number"] < 2**rule.ea_bits


@st.composite
def rule_sets(draw: st.DrawFn) -> list[Rule]:
    """Of an operator: prefixes beside each other, of which some are alike."""
    found = []
    for index in range(draw(st.integers(2, 40))):
        ipv4 = IPv4Network((10 << 24 | index << 16, draw(st.integers(16, 32))))
        rule = Rule(
            IPv6Network((0x20010DB8 << 96 | index << 88, 40)), ipv4, draw(st.integers(0, 24)), draw(st.integers(0, 15))
        )
        while not rule.possible():
            rule = replace(rule, ea_bits=rule.ea_bits - 1)
        found.append(replace(rule, draft_03=draw(st.booleans())))
    return found


@more
@settings(max_examples=by_length(25, 1000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=rule_sets(), name=st.sampled_from(["map-e", "map-t"]), own_ends=st.booleans())
def test_frames_of_any_rules(one: EngineProcess, rules: list[Rule], name: str, own_ends: bool) -> None:
    """R7597-5: each CE has its rule's addresses and ports, and its domain's border relay or DMR."""
    message = of_map(name, "br", rules[0])
    relays = [BR + index * own_ends for index in range(len(rules))]
    prefixes = [IPv6Network((int(DMR[0]) + (index * own_ends << 64), 64)) for index in range(len(rules))]
    key, ends = ("br", map(str, relays)) if name == "map-e" else ("dmr", map(str, prefixes))
    message["technology"]["domains"] = [
        {**rule.message(), key: end, "ces": min(20, 2**rule.ea_bits)} for rule, end in zip(rules, ends, strict=True)
    ]
    one.do("configure", **message)
    for frame in one.do("show", frame_size=64, frame_size_of="ipv4", count=40)["frames"]:
        whose = frame["subscriber"]
        rule = rules[whose["domain"]]
        if name == "map-e":
            check_map_e(rule, "br", frame, relays[whose["domain"]])
        else:
            check_map_t(rule, "br", frame, prefixes[whose["domain"]])
        digits = f"{whose['number']:0{(rule.ea_bits + 3) // 4}x}"
        assert whose["text"].startswith(f"EA bits 0x{digits} ({rule.ea_bits} bits)")
        address = recomputed(frame["sent" if frame["direction"] == "forward" else "expected"]["hex"])[IPv6]
        own = int(IPv6Address(address.src if frame["direction"] == "forward" else address.dst))
        end_user = rule.ipv6.prefixlen + rule.ea_bits
        assert own >> (128 - end_user) & (2**rule.ea_bits - 1) == whose["number"]


def test_what_a_person_sees(one: EngineProcess) -> None:
    one.do("configure", **of_map("map-e", "br", EXAMPLE, ea=0x1234, ces=1))
    frame = one.do("show", frame_size=64, frame_size_of="ipv4", count=1)["frames"][0]
    outer, inner = frame["sent"]["text"].split(", in it ")
    assert outer.startswith("IPv6 2001:db8:12:3400:0:c000:212:34 > 2001:db8:ffff::1, hop limit 64, traffic class 0xb8")
    assert inner.startswith("IPv4 192.0.2.18 > ")
    assert frame["sent"]["text"].endswith(", 104 bytes")
    assert frame["subscriber"]["text"] == (
        "EA bits 0x1234 (16 bits), PSID 52 (8 bits), ports 1232-1235 2256-2259 ... 64720-64723"
    )
    assert frame["subscriber"]["number"] == 0x1234


@pytest.mark.parametrize("role", ["br", "ce"])
@pytest.mark.parametrize("name", ["map-e", "map-t"])
def test_loopback_loses_nothing(name: str, role: str) -> None:
    message = of_map(name, role, MAPPERF, ces=1000) | {"loopback": True}
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    message["right"]["hosts"]["networks"] = 100
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message)
        answer = one.do("trial", **trial(frame_size=104))
        check_all_expected(answer, 10_000, {"foreground": 0.5, "background": 0.5})


def test_sixteen_million_ces_take_no_memory() -> None:
    """They are a function of their number, so what one takes is nothing; the engine's address space doesn't grow."""
    rule = Rule(IPv6Network("2001:db8::/32"), IPv4Network("10.0.0.0/8"), 32, 6)
    with engine() as one:
        open_loopback(one)
        sizes = []
        for ces in (1, 2**24):
            one.do("configure", **(of_map("map-e", "br", rule, ces=ces) | {"loopback": True}))
            answer = one.do("trial", **trial(frame_size=104))
            check_all_expected(answer, 10_000, {"foreground": 1})
            status = Path(f"/proc/{one.process.pid}/status").read_text(encoding="ascii")
            sizes.append(int(status.split("VmRSS:")[1].split()[0]))
        assert sizes[1] - sizes[0] < 4096, "KB"


def test_domains_side_by_side(one: EngineProcess) -> None:
    message = of_map("map-t", "br", EXAMPLE)
    other = Rule(IPv6Network("2001:db8:100::/40"), IPv4Network("203.0.113.0/24"), 14, 4)
    message["technology"]["domains"].append({**other.message(), "dmr": "2001:db8:fe00::/96", "ces": 16384})
    one.do("configure", **message)
    frames = one.do("show", frame_size=84, count=100)["frames"]
    rules_seen = set()
    for frame in frames:
        domain = frame["subscriber"]["domain"]
        rules_seen.add(domain)
        v6 = recomputed(frame["sent" if frame["direction"] == "forward" else "expected"]["hex"])
        far = v6[IPv6].dst if frame["direction"] == "forward" else v6[IPv6].src
        assert IPv6Address(far) in [DMR, IPv6Network("2001:db8:fe00::/96")][domain]
        assert (
            IPv6Address(v6[IPv6].src if frame["direction"] == "forward" else v6[IPv6].dst)
            in [EXAMPLE, other][domain].ipv6
        )
    assert rules_seen == {0, 1}
