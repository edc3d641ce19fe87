"""Header fields that no router looks at: a finding, and no reason to look no further."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.meaning.test_explain import answer
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.config.traffic import Acceptable
from xlatperf.engine.acceptable import ACCEPTABLE, ACCEPTED, REMARK_OF, reason_of
from xlatperf.meaning.about import About
from xlatperf.meaning.deviations import deviations
from xlatperf.meaning.explain import explain, is_right, spoilt_frames, wrong_frames
from xlatperf.meaning.meanings import WRONG
from xlatperf.meaning.spoilt import how_to_accept, spoilt_fields

SIIT = 'technology.name = "siit"\n'
TEXT = "type of service 0x18, expected 0xb8 (RFC 2474 §3)"
SPOILT = answer(
    {ACCEPTED: 1000, "accepted_traffic_class": 1000, "accepted_hop_limit": 10},
    samples=[
        {"side": "right", "direction": "forward", "reason": "accepted_traffic_class", "number": 0, "text": TEXT},
    ],
)


def test_the_engine_and_the_bench_file_have_the_same() -> None:
    assert set(get_args(Acceptable)) == set(ACCEPTABLE) == set(REMARK_OF)
    assert [reason_of(remark) for remark in REMARK_OF.values()] == list(ACCEPTABLE)
    assert reason_of(ACCEPTED) is None
    assert reason_of("df_differs") is None


def test_told_as_wrong_though_the_engine_counts_them_as_expected() -> None:
    assert not is_right(SPOILT)
    said = explain(SPOILT)
    assert f"forward foreground: 1000 of 1000 frames: traffic_class: {WRONG['traffic_class']}." in said
    assert f"  for instance frame 0: {TEXT}" in said
    assert f"forward foreground: 10 of 1000 frames: hop_limit: {WRONG['hop_limit']}." in said
    assert not [line for line in said if "accepted" in line]
    assert wrong_frames(SPOILT, does="translates") == []
    assert spoilt_frames(SPOILT, does="translates", accept=()) == [line for line in said if line in said]


def test_what_the_bench_file_accepts_is_a_remark() -> None:
    both = ("traffic_class", "hop_limit")
    assert is_right(SPOILT, both)
    assert not is_right(SPOILT, both[:1])
    said = "\n".join(explain(SPOILT, about=About(accept=both)))
    assert "1000 of 1000 frames, a remark: accepted_traffic_class: the frame has another traffic class" in said
    assert f"  for instance frame 0: {TEXT}" in said
    assert spoilt_fields([SPOILT], both[:1]) == ["hop_limit"]


def test_the_line_that_helps() -> None:
    line = how_to_accept(["traffic_class"], ["hop_limit"])
    assert line == 'traffic.accept = ["hop_limit", "traffic_class"]'
    found = parse_bench(f"{line}\n{SIIT}", "b")
    assert configure_message(found, (1, 1))["traffic"]["accept"] == ["hop_limit", "traffic_class"]
    assert configure_message(found, (1, 1), accept=ACCEPTABLE)["traffic"]["accept"] == list(ACCEPTABLE)
    assert [one.here for one in deviations(found) if "traffic.accept" in one.here] == [
        "frames with another hop limit or TTL count as right, and are told (traffic.accept)",
        "frames with another traffic class or TOS count as right, and are told (traffic.accept)",
    ]


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ('["tos"]', 'traffic.accept[0]: "tos" is not allowed: '),
        ('["flow_label", "flow_label"]', "is not allowed: each field once"),
        ('"flow_label"', 'traffic.accept: "flow_label" is not allowed: a list of "hop_limit"'),
    ],
)
def test_what_can_t_be_accepted(value: str, line: str) -> None:
    with pytest.raises(BenchError) as refused:
        parse_bench(f"traffic.accept = {value}\n{SIIT}", "b")
    (said,) = refused.value.lines
    assert line in said
