"""RFC 7915 §6 twice: the addresses of IPv4 that two translators in a row map, computed a second time; read by Scapy."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Network

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.rfc_addresses import embed, map_explicitly
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length

HOSTS = {"left": IPv4Network("198.18.0.0/24"), "right": IPv4Network("198.19.0.0/24")}
SEEN = {"left": IPv4Network("203.0.113.0/24"), "right": IPv4Network("192.0.2.0/24")}
"""How the hosts of a side are known on the other one, where mappings say so."""
SIDES = {"forward": ("left", "right"), "reverse": ("right", "left")}


def configured(left: Message, right: Message, networks: int = 1, host: int = 2) -> Message:
    found = configuration(
        technology={"name": "native", "family": "ipv4", "double_translation": True, "left": left, "right": right}
    )
    for side, network in HOSTS.items():
        first = next(network.subnets(new_prefix=24 + (networks - 1).bit_length()))
        found[side]["hosts"] = {"prefix": str(first), "networks": networks, "host": host}
    return found


@st.composite
def rules(draw: st.DrawFn) -> tuple[Message, Message, dict[str, bool]]:
    """Of both translators; and whether the hosts of a side are known on the other one by other addresses."""
    other = {side: draw(st.booleans()) for side in HOSTS}
    tables: dict[str, Message] = {"left": {"eam": []}, "right": {"eam": []}}
    for number, (side, there) in enumerate((("left", "right"), ("right", "left"))):
        length = draw(st.integers(32, 120))
        between = IPv6Network((0x20010D01 + number << 96, length))
        seen = SEEN[side] if other[side] else HOSTS[side]
        if draw(st.booleans()) and not other[side]:  # by a prefix, the same in both
            width = draw(st.sampled_from([32, 40, 48, 56, 64, 96]))
            between = IPv6Network((0x20010DB8 + number << 96, width))
            for table in (side, there):
                tables[table].setdefault("prefix", str(between))
            if tables[side]["prefix"] == tables[there]["prefix"] == str(between):
                continue
            between = IPv6Network((0x20010D01 + number << 96, length))
        tables[side]["eam"].append({"ipv4": str(HOSTS[side]), "ipv6": str(between)})
        tables[there]["eam"].append({"ipv4": str(seen), "ipv6": str(between)})
    return tables["left"], tables["right"], other


def known_there(address: IPv4Address, own: Message, there: Message) -> IPv4Address:
    """RFC 7757 §3.2, §3.3: who it is between both, and what that one is on the other side."""
    rows = [(IPv4Network(row["ipv4"]), IPv6Network(row["ipv6"])) for row in own["eam"]]
    matching = [row for row in rows if address in row[0]]
    six = map_explicitly(matching[0], address) if matching else embed(IPv6Network(own["prefix"]), address)
    for row in there["eam"]:
        four, between = IPv4Network(row["ipv4"]), IPv6Network(row["ipv6"])
        if six in between:
            return next(one for one in four if map_explicitly((four, between), one) == six)
    assert embed(IPv6Network(there["prefix"]), address) == six
    return address


@settings(max_examples=by_length(60, 1000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables=rules(), networks=st.sampled_from([1, 2, 8]), host=st.integers(0, 7))
def test_addresses(tables: tuple[Message, Message, dict[str, bool]], networks: int, host: int) -> None:
    """Frames leave to whom the other side's host is here, and arrive from whom this side's is there."""
    left, right, other = tables
    table = {"left": left, "right": right}
    with engine() as one:
        one.do("configure", **configured(left, right, networks, host))
        frames = one.do("show", frame_size=100, frame_size_of="ipv4", count=6)["frames"]
    assert len(frames) == 12
    for frame in frames:
        here, there = SIDES[frame["direction"]]
        sent, expected = (Ether(bytes.fromhex(frame[name]["hex"]))[IP] for name in ("sent", "expected"))
        source, destination = IPv4Address(sent.src), IPv4Address(expected.dst)
        assert source in HOSTS[here]
        assert destination in HOSTS[there]
        assert IPv4Address(expected.src) == known_there(source, table[here], table[there])
        assert IPv4Address(sent.dst) == known_there(destination, table[there], table[here])
        assert (expected.src != sent.src) == other[here]
        assert (expected.dst != sent.dst) == other[there]
        for packet in (sent, expected):
            again = packet.copy()
            del again.chksum, again.payload.chksum
            assert bytes(IP(bytes(again))) == bytes(packet)


def test_in_loopback() -> None:
    """The self-test's frames come as they were sent."""
    left = {"eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:db8:1::/120"}], "prefix": "2001:db8:2::/96"}
    right = {"eam": [{"ipv4": "203.0.113.0/24", "ipv6": "2001:db8:1::/120"}], "prefix": "2001:db8:2::/96"}
    with engine() as one:
        open_loopback(one)
        one.do("configure", **{**configured(left, right), "loopback": True})
        check_all_expected(one.do("trial", **trial(frame_size=100, frame_size_of="ipv4")), 10_000, {"foreground": 1})


EMBEDDED = {"prefix": "2001:db8:6464::/96"}
MAPPED = {"eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:db8:1::/120"}]}


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (EMBEDDED, None, "technology.right: missing: a table, as there is one of the other side"),
        (MAPPED, EMBEDDED, "technology.right: neither a mapping nor the prefix covers 2001:db8:1::2, which 198.18.0.2"),
        (EMBEDDED, MAPPED, "technology.right: neither a mapping nor the prefix covers 2001:db8:6464::c612:2"),
        ({}, EMBEDDED, "technology.left: no mapping covers 198.18.0.2, and there is no prefix"),
        (
            EMBEDDED,
            {"eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:db8:9::/120"}], **EMBEDDED},
            "technology.left: neither a mapping nor the prefix covers 2001:db8:9::2, which 198.18.0.2 is between both",
        ),
        (
            {"eam": [*MAPPED["eam"], {"ipv4": "192.0.2.2/32", "ipv6": "2001:db8:1::2/128"}], **EMBEDDED},
            {**MAPPED, **EMBEDDED},
            "technology.left: 198.18.0.2 is 198.18.0.2 on the other side, and that is 192.0.2.2 here",
        ),
    ],
)
def test_refused(left: Message, right: Message | None, said: str) -> None:
    message = configured(left, right or {})
    if right is None:
        del message["technology"]["right"]
    with engine() as one:
        answer = one.ask("configure", **message)
        if "error" not in answer:
            answer = one.ask("show", frame_size=100, frame_size_of="ipv4", count=1)
    assert said in answer["error"]
