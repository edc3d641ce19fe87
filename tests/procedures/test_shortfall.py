"""Wrong is never called lost, nor is what came too late."""

from __future__ import annotations

from tests.meaning.test_explain import answer
from xlatperf.procedures.shortfall import came_wrong, never_came, shortfall

TEXT = "type of service 0x18, expected 0xb8 (RFC 2474 §3)"
SAMPLE = {"side": "right", "direction": "forward", "reason": "traffic_class", "text": TEXT}


def test_nothing_is_missing() -> None:
    assert shortfall(answer()) == ""


def test_each_by_itself() -> None:
    wrong = answer({"expected": 0, "traffic_class": 1000}, samples=[SAMPLE])
    assert shortfall(wrong) == f"1,000 of 1,000 came back wrong: {TEXT}"
    assert never_came(wrong) == 0
    assert shortfall(answer({"expected": 997, "lost": 3})) == "3 of 1,000 frames lost"
    assert shortfall(answer({"expected": 990, "late": 4, "after_wait": 6})) == "10 of 1,000 came too late"


def test_all_together() -> None:
    of = answer({"expected": 10, "lost": 490, "late": 300, "payload": 200, "fragment": 1200})
    assert shortfall(of) == (
        "490 of 1,000 frames lost; 300 of 1,000 came too late; 200 of 1,000 came back wrong: payload: the frame has "
        "other UDP data; 1,200 for 1,000 came back wrong: fragment: the frame is a fragment"
    )
    assert len(came_wrong(of)) == 2
