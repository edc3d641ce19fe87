"""Frames that come back as something else aren't called lost without a word of that (R8219-5.1-1)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.meaning.test_explain import answer, text
from tests.trials import REQUEST
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.findings import findings
from xlatperf.procedures.trial import Trial
from xlatperf.results.results import Finding

LOST = {"expected": 0, "lost": 1000}


def sample(reason: str, text: str, number: int | None = None) -> dict[str, Any]:
    return {"side": "right", "direction": "forward", "reason": reason, "number": number, "class": None, "text": text}


@pytest.mark.parametrize("reason", ["malformed", "foreign"])
def test_as_many_as_are_missing_came_as_something_else(reason: str) -> None:
    seen = "EtherType 8100, an 802.1Q tag"
    said = text(answer(LOST, right={reason: 1000}, samples=[sample(reason, seen)]))
    assert said.startswith(
        "forward foreground: 1000 of 1000 frames did not come back as themselves: 1000 came on the right that aren't "
        "known as the Tester's frames: so these came back wrong, in what a receiver must rely on, for instance: "
        f"{seen}."
    )
    assert "lost" not in said
    assert "route" not in said


def test_some_did() -> None:
    said = text(answer({"expected": 990, "lost": 10}, right={"malformed": 10}))
    assert "forward foreground: 10 of 1000 frames did not come back as themselves: 10 came on the right" in said


@pytest.mark.parametrize("number", [0, 2, 899])
def test_a_few_frames_of_the_devices_own_explain_no_loss(number: int) -> None:
    assert "forward foreground: all 1000 frames lost, and the DUT" in text(answer(LOST, right={"foreign": number}))


def test_where_one_direction_is_tried_they_are_of_it() -> None:
    """With hairpinning they come on the side that sent them."""
    strange = answer(LOST, left={"foreign": 1000})
    assert "1000 came on the left that aren't known" in text(strange)
    document = strange.dump()
    both = TrialAnswer.model_validate({**document, "reverse": document["forward"]})
    assert "forward foreground: all 1000 frames lost" in text(both)
    assert "reverse foreground: 1000 of 1000 frames did not come back as themselves: 1000 came on the left" in text(
        both
    )


def test_a_frame_whose_number_is_spoilt_counts_as_wrong_and_as_lost() -> None:
    said = text(answer({**LOST, "payload": 1000}, samples=[{**sample("payload", "spoilt"), "class": "foreground"}]))
    assert "forward foreground: 1000 of 1000 frames: payload:" in said
    assert "for instance one whose number can't be read: spoilt" in said
    assert "1000 of 1000 frames did not come back as themselves: 1000 came back so wrong that nobody can tell" in said
    assert "frames lost" not in said


def test_duplicates_and_fragments_are_more_than_what_was_sent() -> None:
    """They don't stand for what is lost."""
    for reason in ("duplicate", "fragment"):
        assert "990 of 1000 frames lost" in text(answer({"expected": 10, "lost": 990, reason: 990}))


def trials(*answers: TrialAnswer) -> tuple[Finding, ...]:
    """A campaign's findings."""
    return findings([Trial.of(number, "run", REQUEST, one) for number, one in enumerate(answers)])


def test_a_campaign_says_so_of_all_trials_together() -> None:
    vlan = sample("foreign", "EtherType 8100, an 802.1Q tag")
    strange = answer({"expected": 500, "lost": 500}, right={"foreign": 500}, samples=[vlan])
    found = trials(strange, answer(), strange)
    (unrecognised,) = [one for one in found if one.reason == "unrecognised"]
    assert (unrecognised.kind, unrecognised.direction, unrecognised.traffic_class) == ("error", "forward", None)
    assert (unrecognised.count, unrecognised.trials, unrecognised.first_trial) == (1000, 2, 0)
    assert unrecognised.meaning == (
        "about as many as are missing came on the right that aren't known as the Tester's frames: so these came back "
        "wrong, in what a receiver must rely on, for instance: EtherType 8100, an 802.1Q tag"
    )


def test_a_campaign_does_not_say_that_a_class_was_refused_which_came_otherwise() -> None:
    native = {"sent": 1000, "expected": 0, "lost": 1000, "delay": {"count": 0}}
    document = answer(right={"malformed": 1000}).dump()
    document["forward"] |= {"background": native, "intended": 2000, "sent": 2000}
    assert {one.reason for one in trials(TrialAnswer.model_validate(document))} == {"unrecognised"}, (
        "and the strangers are told so"
    )
    document["right"] = {"received": 1000}
    assert "refused" in {one.reason for one in trials(TrialAnswer.model_validate(document))}


def test_spoilt_numbers_in_a_campaign() -> None:
    found = trials(answer({**LOST, "payload": 1000}))
    assert [one.reason for one in found if one.kind == "error"] == ["payload", "spoilt_number"]
    assert found[1].meaning.startswith("about as many came back so wrong that nobody can tell which they are")
