"""Who lost frames are between: by the engine, of frames that a port swallowed."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import configuration, open_ports, trial
from tests.engine_system.test_map import EXAMPLE, of_map


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
