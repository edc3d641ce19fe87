"""What becomes of frames that must be refused: five outcomes, and each test says which are right."""

from __future__ import annotations

import pytest

from xlatperf.engine.trial_answer import IcmpErrors
from xlatperf.meaning.refusals import in_words
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.negative import NegativeOutcome, NegativeTest

TUNNEL = NegativeTest("p", "from nobody", "RFC 7596 §6.2", True, "forward", (Change("source", 1),), means="it's blind")
ROUTABLE = NegativeTest("r", "to nobody", "RFC 6052 §2.3", False, "forward", (Change("source", 1),), routable=True)
ANSWERED = (IcmpErrors(version=6, type=1, code=5, count=4),)
LOOP = (
    "the DUT sends them back to where they came from, by its routes (a loop) or as its own, and does not look at them"
)


@pytest.mark.parametrize(
    ("test", "fates", "said"),
    [
        (TUNNEL, {}, "10 of 10 dropped."),
        (TUNNEL, {"answers": ANSWERED}, "4 of 10 answered by ICMPv6 1/5, 6 of 10 dropped."),
        (TUNNEL, {"passed": 10}, "10 of 10 came through, and none may: it's blind."),
        (TUNNEL, {"returned": 10}, f"10 of 10 came back, and none may: {LOOP}."),
        (
            TUNNEL,
            {"unchanged": 3},
            "3 of 10 came out unchanged, 7 of 10 dropped, and none may: the DUT forwards them by its routes and does "
            "not look at them.",
        ),
        (ROUTABLE, {"returned": 10}, "10 of 10 came back."),
        (ROUTABLE, {"unchanged": 10}, "10 of 10 came out unchanged."),
        (
            ROUTABLE,
            {"passed": 2, "unchanged": 8},
            "2 of 10 came through, 8 of 10 came out unchanged, and none should come through.",
        ),
        (TUNNEL, {"sent": 0, "untried": "there is one lwB4"}, "not tried: there is one lwB4."),
    ],
)
def test_each_fate(test: NegativeTest, fates: dict[str, object], said: str) -> None:
    found = NegativeOutcome.model_validate({"test": test, "sent": 10, **fates})
    assert in_words(found).partition("): ")[2] == said
    assert found.refused == (" and none " not in said and found.untried is None)
    assert found.violated == (test.must and "none may" in said)


def test_whose_frames() -> None:
    one = NegativeTest("p", "from a port of another CE", "b", True, "forward", (), 1, of="domains[1]")
    assert in_words(NegativeOutcome(test=one, sent=1)).startswith("frames from a port of another CE, of domains[1] (")
