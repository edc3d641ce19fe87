"""Who lost frames are between: by the engine, of frames that a port swallowed."""

from __future__ import annotations

from ipaddress import IPv4Address
from pathlib import Path

import pytest

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import configuration, open_ports, trial
from tests.engine_system.test_lw4o6 import of_lw4o6
from tests.engine_system.test_map import EXAMPLE, of_map
from tests.engine_system.test_map_ce import of_ce


def swallowed(lost_among: int) -> Message:
    message = configuration(loopback=True)
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    with engine() as one:
        open_ports(one, "net_null0,no-rx=1", "net_null1,no-rx=1")
        one.do("configure", **message)
        answer = one.do("trial", **trial(rate_fps=20_000, lost_among=lost_among))
        shown = one.do("show", frame_size=84, count=4, directions=["forward"])["frames"]
    return {**answer, "shown": shown}


@pytest.mark.parametrize("of", ["foreground", "background"])
def test_the_first_frames(of: str) -> None:
    """As `show` has them: numbers in order, and hosts and ports of each."""
    answer = swallowed(400)
    among = answer["forward"][of]["lost_among"]
    columns = among["columns"]
    assert set(columns) == {"number", "lost", "left_host", "right_host", "left_port", "right_port"}
    assert all(len(column) == 200 for column in columns.values())
    assert columns["lost"] == [1] * 200
    assert sorted(set(columns["number"])) == columns["number"]
    assert max(columns["number"]) < 400
    shown = [one for one in answer["shown"] if one["class"] == of]
    for frame in ("sent", "expected"):
        assert among["example"][frame]["text"] == shown[0][frame]["text"]
    for position, one in enumerate(shown):
        left, right = columns["left_port"][position], columns["right_port"][position]
        assert f"UDP {left} > {right}" in one["sent"]["text"]


def test_unless_asked_nothing_is_told() -> None:
    answer = swallowed(0)
    assert "lost_among" not in answer["forward"]["foreground"]


def test_subscribers_have_their_address_and_psid() -> None:
    """As `show` has them; RFC 7597 §5.2: the PSID is the lowest of the EA bits."""
    with engine() as one:
        open_ports(one, "net_null0,no-rx=1", "net_null1,no-rx=1")
        one.do("configure", **of_map("map-e", "br", EXAMPLE, ces=200), loopback=True)
        answer = one.do("trial", **trial(frame_size=104, rate_fps=20_000, lost_among=300))
        shown = one.do("show", frame_size=104, count=300, directions=["forward"])["frames"]
    columns = answer["forward"]["foreground"]["lost_among"]["columns"]
    subscribers = {"domain", "subscriber", "ipv4", "psid"}
    assert set(columns) == {"number", "lost", "right_host", "left_port", "right_port", *subscribers}
    assert len(set(columns["psid"])) > 100
    for number, frame in enumerate(shown):
        ea = frame["subscriber"]["number"]
        assert (columns["subscriber"][number], columns["psid"][number]) == (ea, ea & 0xFF)
        assert f" {IPv4Address(columns['ipv4'][number])} > " in frame["expected"]["text"]


def test_groups_of_a_binding_table_have_names(tmp_path: Path) -> None:
    """The number of a domain says nothing where nobody has numbered them."""
    table = tmp_path / "softwires.csv"
    rows = [
        *(f"2001:db8::{i % 9 + 1},192.0.2.{i},0,0,0,2001:db8:ffff::1" for i in range(20)),
        *(f"2001:db8::{i % 9 + 1},192.0.2.30,6,8,{i},2001:db8:ffff::2" for i in range(20)),
    ]
    table.write_text("\n".join(["ipv6,ipv4,psid_offset,psid_length,psid,lwaftr", *rows, ""]), encoding="utf-8")
    with engine() as one:
        open_ports(one, "net_null0,no-rx=1", "net_null1,no-rx=1")
        one.do("configure", **of_lw4o6({"table": str(table)}), loopback=True)
        answer = one.do("trial", **trial(frame_size=104, rate_fps=20_000, lost_among=100))
    among = answer["forward"]["foreground"]["lost_among"]
    assert among["groups"] == [
        "softwires with lwaftr 2001:db8:ffff::1, psid_offset 0, psid_length 0",
        "softwires with lwaftr 2001:db8:ffff::2, psid_offset 6, psid_length 8",
    ]
    for domain, psid, address in zip(*(among["columns"][name] for name in ("domain", "psid", "ipv4")), strict=True):
        assert (str(IPv4Address(address)) == "192.0.2.30") == (domain == 1)
        assert domain == 1 or psid == 0


@pytest.mark.parametrize("name", ["map-e-ce", "map-t-ce"])
def test_servers_of_a_mesh_have_their_ce(name: str) -> None:
    """R7597-5: whose address and ports the server has."""
    message = of_ce(name, EXAMPLE, 0x1234, loopback=True)
    message["technology"]["mesh"] = True
    message["traffic"]["connections"] = {
        "clients": {"first": "10.0.0.2"},
        "servers": {"first": "192.0.2.19", "addresses": 9},
        "client_ports": {"first": 1024, "last": 1024},
        "server_ports": {"first": 1024, "last": 2047},
    }
    connections = {"count": 300, "phase": "establish"}
    asked = trial(frame_size=104, rate_fps=20_000, lost_among=300, connections=connections, directions=["forward"])
    del asked["duration_s"]
    with engine() as one:
        open_ports(one, "net_null0,no-rx=1", "net_null1,no-rx=1")
        one.do("configure", **message)
        columns = one.do("trial", **asked)["forward"]["foreground"]["lost_among"]["columns"]
    assert set(columns["ipv4"]) == {int(IPv4Address("192.0.2.19")) + number for number in range(9)}
    assert len(set(columns["psid"])) > 5
    for server, ipv4, psid, ea, port in zip(
        *(columns[of] for of in ("server", "ipv4", "psid", "subscriber", "right_port")), strict=True
    ):
        assert ipv4 == int(IPv4Address("192.0.2.19")) + server
        assert (psid, ea) == (port >> 2 & 0xFF, (ipv4 & 0xFF) << 8 | psid)
