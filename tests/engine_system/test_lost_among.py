"""Who lost frames are between: by the engine, of frames that a port swallowed."""

from __future__ import annotations

import pytest

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import configuration, open_ports, trial


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
