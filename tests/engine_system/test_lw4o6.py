"""Lw4o6: frames taken apart by Scapy, with tables of any rows; loopback and memory with millions of softwires."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

from bench.resident_memory import resident_mb
from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.rfc_map import Rule
from tests.engine_system.test_map import in_and_out_of_a_tunnel
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length, more

LWAFTR = "2001:db8:ffff::1"
COLUMNS = ["ipv6", "ipv4", "psid_offset", "psid_length", "psid", "lwaftr"]


class Softwire(NamedTuple):
    """A row."""

    ipv6: IPv6Address
    ipv4: IPv4Address
    psid_offset: int
    psid_length: int
    psid: int
    lwaftr: IPv6Address

    def has(self, port: int) -> bool:
        """RFC 7597 §5.1: a port is A, PSID and j."""
        bits = f"{port:016b}"
        if self.psid_length and self.psid_offset and not int(bits[: self.psid_offset], 2):
            return False
        return int("0" + bits[self.psid_offset :][: self.psid_length], 2) == self.psid


def of_lw4o6(softwires: Message, role: str = "lwaftr", **more: Any) -> Message:
    """A configuration."""
    found = configuration(technology={"name": "lw4o6", "role": role, "softwires": softwires, **more})
    del found["left"]["hosts"]
    return found


def generated(rule: Rule, **more: Any) -> Message:
    """RFC 7596 §5.1: what identifies an lwB4 is as in MAP, a prefix of its own and an interface identifier."""
    length = rule.psid_length
    return {"ipv6": str(rule.ipv6), "ipv4": str(rule.ipv4), "psid_length": length, "lwaftr": LWAFTR, **more}


def row_of(rows: list[Softwire], lwb4: str, ipv4: str, port: int) -> Softwire:
    """Whose these are together: one row's."""
    own = [row for row in rows if row.ipv6 == IPv6Address(lwb4) and row.ipv4 == IPv4Address(ipv4) and row.has(port)]
    assert len(own) == 1
    return own[0]


def check_frame(rows: list[Softwire], role: str, frame: Message) -> Softwire:
    """RFC 7596 §5.2, §6.2: whose it is. Both headers and the port are of one row, which the frame is said to be of."""
    up = frame["direction"] == "forward"
    outer, inner, plain = in_and_out_of_a_tunnel(frame, sent_in_it=(role == "lwaftr") == up)
    own, far = (outer.src, outer.dst) if up else (outer.dst, outer.src)
    found = {
        row_of(rows, own, *((packet.src, packet[UDP].sport) if up else (packet.dst, packet[UDP].dport)))
        for packet in (inner, plain[IP])
    }
    (row,) = found
    assert IPv6Address(far) == row.lwaftr
    return row


def check_name(rows: list[Softwire], row: Softwire, named: Message) -> None:
    """As the row of the file."""
    assert rows[named["number"]] == row
    assert named["text"].startswith(f"softwire {named['number']}, ")
    assert not row.psid_length or f", PSID {row.psid} ({row.psid_length} bits), " in named["text"]


@st.composite
def tables(draw: st.DrawFn) -> list[Softwire]:
    """Any addresses; several softwires of an address, of one size or of several, and of an lwB4."""
    rows: dict[tuple[int, int], Softwire] = {}
    lwaftrs = draw(st.lists(st.integers(1, 2**128 - 1), min_size=1, max_size=3))
    lwb4s = draw(st.lists(st.integers(1, 2**128 - 1).filter(lambda own: own not in lwaftrs), min_size=1, max_size=8))
    for ipv4 in draw(st.sets(st.integers(1, 2**32 - 1), min_size=1, max_size=5)):
        offset = draw(st.integers(0, 6))
        length = draw(st.integers(0, 16 - offset))
        for psid in draw(st.sets(st.integers(0, 2**length - 1), min_size=1, max_size=4)):
            ipv6 = IPv6Address(draw(st.sampled_from(lwb4s)))
            lwaftr = IPv6Address(draw(st.sampled_from(lwaftrs)))
            rows[ipv4, psid] = Softwire(ipv6, IPv4Address(ipv4), offset, length, psid, lwaftr)
    return draw(st.permutations(list(rows.values())))


def written(path: Path, rows: list[Softwire]) -> Message:
    """`technology.softwires` with a file of these."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([COLUMNS, *rows])
    return {"table": str(path)}


@pytest.fixture(scope="module")
def one() -> Iterator[EngineProcess]:
    with engine() as process:
        yield process


@more
@settings(max_examples=by_length(40, 1000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=tables())
def test_frames_of_any_table(one: EngineProcess, tmp_path: Path, rows: list[Softwire]) -> None:
    """R7596-6.1."""
    one.do("configure", **of_lw4o6(written(tmp_path / "table.csv", rows)))
    frames = one.do("show", frame_size=64, frame_size_of="ipv4", count=20)["frames"]
    assert len(frames) == 40
    for frame in frames:
        check_name(rows, check_frame(rows, "lwaftr", frame), frame["subscriber"])
    row = rows[len(rows) // 2]
    one.do("configure", **of_lw4o6({"table": str(tmp_path / "table.csv"), "number": len(rows) // 2}, "lwb4"))
    for frame in one.do("show", frame_size=64, frame_size_of="ipv4", count=4)["frames"]:
        assert check_frame(rows, "lwb4", frame) == row
        check_name(rows, row, frame["subscriber"])


@more
@settings(max_examples=by_length(20, 2000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    prefix=st.integers(0, 2**128 - 1),
    public=st.integers(0, 2**32 - 1),
    length=st.integers(16, 32),
    psid_length=st.integers(0, 16),
)
def test_generated_tables(
    one: EngineProcess, tmp_path: Path, prefix: int, public: int, length: int, psid_length: int
) -> None:
    """R7596-5.1: the file that the engine writes has the addresses of figure 3; its frames are those of the file."""
    ea_bits = 32 - length + psid_length
    rule = Rule(
        IPv6Network((prefix, 64 - ea_bits), strict=False), IPv4Network((public, length), strict=False), ea_bits, 0
    )
    assert rule.psid_length == psid_length
    one.do("configure", **of_lw4o6(generated(rule)))
    count = one.do("softwires", path=str(tmp_path / "out.csv"))["count"]
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        names, *rows = list(csv.reader(file))
    assert names == COLUMNS
    assert len(rows) == count <= 1000
    softwires = []
    for ipv6, ipv4, offset, bits, psid, lwaftr in rows:
        row = Softwire(IPv6Address(ipv6), IPv4Address(ipv4), int(offset), int(bits), int(psid), IPv6Address(lwaftr))
        port = row.psid << (16 - psid_length)
        assert (port >= 1024) == bool(psid_length)
        assert row.ipv4 in rule.ipv4
        assert row.ipv6 == rule.map_address(row.ipv4, port, padded=True)
        assert str(row.lwaftr) == LWAFTR
        softwires.append(row)
    assert len({row.ipv6 for row in softwires}) == count
    for frame in one.do("show", frame_size=64, frame_size_of="ipv4", count=8)["frames"]:
        check_frame(softwires, "lwaftr", frame)


@more
@settings(max_examples=by_length(30, 1000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=tables().filter(lambda rows: len(rows) > 1))
def test_hairpinning_with_any_table(one: EngineProcess, tmp_path: Path, rows: list[Softwire]) -> None:
    """R7596-6.2: in the tunnel of one softwire, then in that of another, whose addresses and ports the packet has."""
    one.do("configure", **of_lw4o6(written(tmp_path / "table.csv", rows), hairpinning=True))
    frames = one.do("show", frame_size=64, frame_size_of="ipv4", count=20, directions=["forward"])["frames"]
    for frame in frames:
        sent, back = (Ether(bytes.fromhex(frame[name]["hex"])) for name in ("sent", "expected"))
        giver = row_of(rows, sent[IPv6].src, sent[IP].src, sent[UDP].sport)
        taker = row_of(rows, back[IPv6].dst, back[IP].dst, back[UDP].dport)
        assert giver != taker
        assert (IPv6Address(sent[IPv6].dst), IPv6Address(back[IPv6].src)) == (giver.lwaftr, taker.lwaftr)
        check_name(rows, giver, frame["subscriber"])
        check_name(rows, taker, frame["to_subscriber"])
        assert (sent[IP].src, sent[IP].dst) == (back[IP].src, back[IP].dst)
        assert sent[IP].ttl == back[IP].ttl + 1
        assert bytes(sent[UDP]) == bytes(back[UDP])
    refused = one.ask("show", frame_size=64, frame_size_of="ipv4", count=1, directions=["reverse"])
    assert refused["error"].startswith('show.directions: "reverse" is not allowed')


EXAMPLE = Rule(IPv6Network("2001:db8::/40"), IPv4Network("192.0.2.0/24"), 16, 0)


def test_what_a_person_sees(one: EngineProcess) -> None:
    one.do("configure", **of_lw4o6(generated(EXAMPLE, number=0x1234), "lwb4"))
    frame = one.do("show", frame_size=64, frame_size_of="ipv4", count=1)["frames"][0]
    assert frame["subscriber"]["text"] == "softwire 4660, PSID 52 (8 bits), ports 13312-13567"
    assert frame["expected"]["text"].startswith("IPv6 2001:db8:12:3400:0:c000:212:34 > 2001:db8:ffff::1, hop limit 64")
    refused = one.ask("softwires", path="/nonexistent/x.csv")
    assert refused["error"] == "path: /nonexistent/x.csv can't be written"
    one.do("configure", **of_lw4o6(generated(EXAMPLE, count=2), hairpinning=True))
    frame = one.do("show", frame_size=64, frame_size_of="ipv4", count=1, directions=["forward"])["frames"][0]
    whose = {frame["subscriber"]["number"], frame["to_subscriber"]["number"]}
    assert len(whose) == 2
    mixed = of_lw4o6(generated(EXAMPLE), hairpinning=True)
    mixed["traffic"]["foreground"] = {"take": 1, "of": 2}
    assert one.ask("configure", **mixed)["error"].startswith("configure.traffic.foreground: background is not allowed")
    one.do("configure", **configuration())
    assert one.ask("softwires", path="x.csv")["error"] == "softwires: the technology has no binding table"


@pytest.mark.parametrize("role", ["lwaftr", "lwb4"])
def test_loopback_loses_nothing(role: str) -> None:
    softwires = generated(EXAMPLE, **({"number": 0x1234} if role == "lwb4" else {"count": 1000}))
    message = of_lw4o6(softwires, role) | {"loopback": True}
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    message["right"]["hosts"]["networks"] = 100
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message)
        answer = one.do("trial", **trial(frame_size=104))
        check_all_expected(answer, 10_000, {"foreground": 0.5, "background": 0.5})


def test_hairpinning_over_a_cable_loses_nothing() -> None:
    """Without a DUT nobody turns frames back."""
    message = of_lw4o6(generated(EXAMPLE, count=1000), hairpinning=True) | {"loopback": True}
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message)
        answer = one.do("trial", **trial(frame_size=104, directions=["forward"]))
        assert answer["forward"]["foreground"]["expected"] == answer["forward"]["foreground"]["sent"] == 10_000
        refused = one.ask("trial", **trial(frame_size=104))
        assert refused["error"].startswith('trial.directions: "reverse" is not allowed')


def test_memory_of_softwires(tmp_path: Path) -> None:
    """Generated ones take none, those of a file 32 bytes each beside what is only there while it is read."""
    rule = Rule(IPv6Network("2001:db8::/32"), IPv4Network("10.0.0.0/16"), 22, 0)
    count = 1_000_000
    with engine() as one:
        open_loopback(one)
        grown = []
        for softwires in (generated(rule, count=count), {"table": str(tmp_path / "out.csv")}):
            before = resident_mb(one.process.pid)
            one.do("configure", **(of_lw4o6(softwires) | {"loopback": True}))
            grown.append(resident_mb(one.process.pid) - before)
            answer = one.do("trial", **trial(frame_size=104))
            check_all_expected(answer, 10_000, {"foreground": 1})
            if not (tmp_path / "out.csv").exists():
                assert one.do("softwires", path=str(tmp_path / "out.csv"))["count"] == count
    assert grown[0] < 8
    assert grown[1] < 100 * count / 2**20
