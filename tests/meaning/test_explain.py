"""The check's explanations (R7915-V): each kind of fault in plain words, with what to look at."""

from __future__ import annotations

from typing import Any

import pytest

from xlatperf.commands.check import with_errors_of
from xlatperf.engine import counters
from xlatperf.engine.direction_answer import WRONG_COUNTERS, Departure
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.explain import explain, is_right
from xlatperf.meaning.meanings import REMARKS, WRONG
from xlatperf.meaning.no_answer import no_answer_text

DELAY = {"count": 0}


def answer(
    counters: dict[str, int] | None = None,
    left: dict[str, Any] | None = None,
    right: dict[str, Any] | None = None,
    **more: Any,
) -> TrialAnswer:
    """1000 frames forward; `counters` replace what came."""
    full = {"sent": 1000, "expected": 1000, "lost": 0, **(counters or {})}
    direction = {
        "intended": 1000,
        "sent": 1000,
        "offered_fps": 1000,
        "sending_s": 1,
        "frame_size": {"sent": 84, "received": 64},
        "foreground": {**full, "delay": DELAY},
    }
    return TrialAnswer.model_validate(
        {
            "number": 1,
            "valid": True,
            "elapsed_s": 2,
            "forward": direction,
            "left": {"received": 0, **(left or {})},
            "right": {"received": 1000, **(right or {})},
            **more,
        }
    )


def text(of: TrialAnswer, *diagnosis: str) -> str:
    return "\n".join(explain(of, diagnosis))


def test_all_right() -> None:
    assert explain(answer()) == []
    assert is_right(answer())


@pytest.mark.parametrize("reason", WRONG_COUNTERS)
def test_each_reason_has_words_and_a_place_to_look(reason: str) -> None:
    faulty = answer({"expected": 0, reason: 1000})
    assert not is_right(faulty)
    assert f"1000 of 1000 frames: {reason}: {WRONG[reason]}" in text(faulty)


def test_every_counter_of_the_protocol_has_words() -> None:
    assert set(WRONG) == set(WRONG_COUNTERS)
    assert set(REMARKS) == set(counters.REMARKS)
    for reason in ("wrong_address", "hop_limit", "traffic_class", "udp_checksum", "fragment", "ip_checksum", "payload"):
        assert "RFC 7915" in WRONG[reason]


def test_fragment() -> None:
    said = text(answer({"expected": 0, "fragment": 1000}))
    assert "a translator what exceeds 1280 bytes as IPv6 with DF 0 (traffic.dont_fragment = true avoids it)" in said
    assert "a tunnel's entry the outer packet where it doesn't fit the IPv6 link" in said


def test_wrong_address_shows_a_sample_and_hints_at_the_bench() -> None:
    sample = {
        "side": "right",
        "direction": "forward",
        "reason": "wrong_address",
        "number": 17,
        "class": "foreground",
        "received": "0203",
        "expected": "0204",
        "text": "destination 198.19.0.3, expected 198.19.0.2",
    }
    shown = text(answer({"expected": 0, "wrong_address": 1000}, samples=[sample]))
    assert "frame 17: destination 198.19.0.3, expected 198.19.0.2" in shown
    assert "received 0203" in shown
    assert "expected 0204" in shown
    assert "compare [technology] of the bench file" in shown


@pytest.mark.parametrize(
    ("version", "kind", "code", "words"),
    [
        (6, 1, 0, "no route"),
        (6, 1, 3, "address unreachable"),
        (6, 2, 0, "too big"),
        (6, 3, 0, "hop limit exceeded"),
        (4, 3, 0, "no route"),
        (4, 3, 1, "host unreachable"),
        (4, 3, 4, "fragmentation needed"),
        (4, 11, 0, "TTL exceeded"),
        (6, 1, 5, "ingress policy"),
        (4, 200, 7, "not in the list"),
    ],
)
def test_icmp_errors_by_name_and_sender(version: int, kind: int, code: int, words: str) -> None:
    error = {"version": version, "type": kind, "code": code, "count": 1000, "from": "2001:2:0:7fff::1"}
    shown = text(answer({"expected": 0, "lost": 1000}, left={"icmp_errors": [error]}))
    assert f"{kind}/{code} from 2001:2:0:7fff::1" in shown
    assert words in shown
    assert "the ICMP errors below say why" in shown


def test_silence_asks_the_driver() -> None:
    shown = text(answer({"expected": 0, "lost": 1000}), "no route to 2001:2::2")
    assert "all 1000 frames lost, and the DUT sent no error" in shown
    assert "translator" in shown
    assert "no route to 2001:2::2" in shown


def test_partial_loss() -> None:
    shown = text(answer({"expected": 990, "lost": 10}))
    assert "10 of 1000 frames lost (1 %)" in shown
    assert "not the DUT's capacity" in shown


def test_a_dut_that_takes_no_frames() -> None:
    """Over shared memory (memif) that is known, so it's said."""
    lost = answer({"expected": 0, "lost": 1000})
    assert lost.forward is not None
    held = Departure(not_taken=976)
    lost = lost.model_copy(update={"forward": lost.forward.model_copy(update={"departure": held})})
    assert "forward: 976 of 1000 frames never left the Tester's port: the DUT didn't take them" in text(lost)
    assert "no room" not in text(answer({"expected": 0, "lost": 1000}))


def test_loss_after_a_stall_of_the_tester() -> None:
    """It may not be the DUT's."""
    lost = answer({"expected": 990, "lost": 10})
    assert lost.forward is not None
    held_up = Departure(stalls=2, lost_after_stall=7)
    after = lost.model_copy(update={"forward": lost.forward.model_copy(update={"departure": held_up})})
    assert "forward: 7 of the lost frames left right after the Tester itself was held up" in text(after)
    assert "held up" not in text(lost)
    all_of_them = answer({"expected": 0, "lost": 1000})
    assert all_of_them.forward is not None
    held = all_of_them.forward.model_copy(update={"departure": held_up})
    assert "held up" not in text(all_of_them.model_copy(update={"forward": held})), "that is no queue that it filled"


def test_frames_that_come_back() -> None:
    assert "came back to the side that sent them" in text(
        answer({"expected": 0, "lost": 1000}, left={"returned": 1000})
    )


def test_remarks_do_not_fail_the_check() -> None:
    remarkable = answer({"udp_checksum_zero": 1000})
    assert is_right(remarkable)
    assert "a remark: udp_checksum_zero" in text(remarkable)


def test_an_invalid_trial_is_not_the_duts() -> None:
    invalid = answer(
        {"expected": 10, "lost": 990}, valid=False, reasons=[{"code": "receive_drops", "text": "990 frames"}]
    )
    assert not is_right(invalid)
    assert "it says nothing about the DUT" in text(invalid)


def test_no_answer() -> None:
    """Neighbours (R2544-23: learning frames)."""
    line = no_answer_text("left", "ipv6", "2001:2:0:7fff::1")
    assert "the DUT at 2001:2:0:7fff::1 on the left side did not answer Neighbor Discovery" in line
    assert "tester.left.gateway_ipv6" in line
    assert "ARP" in no_answer_text("right", "ipv4", "192.168.19.1")


def test_more_fragments_than_frames() -> None:
    shown = text(answer({"expected": 0, "fragment": 2000}))
    assert (
        "2000 frames for 1000 that were sent: fragment: the frame is a fragment (RFC 7915 §4.1, RFC 6333 §6.3): the DUT"
        " fragments" in shown
    )


def test_errors_that_only_the_warm_up_drew() -> None:
    """RFC 1812 §4.3.2.8: a DUT limits its errors; the check must not say that it sent none."""
    error = {"version": 4, "type": 3, "code": 0, "count": 6, "from": "192.168.19.1"}
    warm_up = answer(right={"icmp_errors": [error]})
    silent = answer({"expected": 0, "lost": 1000})
    shown = text(with_errors_of(warm_up, silent))
    assert "right: 6 ICMP 3/0 from 192.168.19.1: network unreachable" in shown
    assert "the DUT sent no error" not in shown
    own = answer(left={"icmp_errors": [error]})
    assert with_errors_of(warm_up, own) == own
