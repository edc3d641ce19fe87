"""R7597-8.1: what became of frames that the DUT must refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.simulated_dut import answer
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.connections import Connections, Experiment
from xlatperf.procedures.negative import NegativeOutcome, NegativeTest, negative_tests
from xlatperf.procedures.trial import Measure, Outcome, outcome_of
from xlatperf.procedures.trial_request import TrialRequest

TRIAL = TrialRequest(84, "ipv6", 5000.0, 60.0, timeout_s=5.0, frame_timeout_ms=1.0)
PORT = NegativeTest("source_port", "a", "RFC 7597 §8.1", True, "forward", (Change("source_port", 1),), 0)
BACK = NegativeTest("destination_port", "b", "RFC 7597 §5.1", False, "reverse", (Change("destination_port", 1),), 0)


def dut(
    requests: list[TrialRequest],
    alter: Callable[[dict[str, Any]], None],
    *,
    lost: int = 0,
    reasons: tuple[str, ...] = (),
) -> Measure:
    """Forwards right frames but for `lost`; `alter` says what becomes of others."""

    def measure(request: TrialRequest) -> Outcome:
        requests.append(request)
        document = answer(
            request, lambda asked, _: 10 - lost if not asked.alter else 0, reasons if request.alter else ()
        )
        if request.alter:
            alter(document)
        return outcome_of(len(requests), TrialAnswer.model_validate(document))

    return measure


def tried(alter: Callable[[dict[str, Any]], None], *tests: NegativeTest, **more: Any) -> list[NegativeOutcome]:
    return negative_tests(tests or (PORT,), TRIAL, dut([], alter, **more), 1)


def nothing(_: dict[str, Any]) -> None:
    pass


def test_trials() -> None:
    """Right frames once for each direction and part, then those of each test; slowly, and with a short wait."""
    requests: list[TrialRequest] = []
    negative_tests([PORT, PORT, BACK], TRIAL, dut(requests, nothing), 1)
    assert [(one.directions, bool(one.alter)) for one in requests] == [
        (("forward",), False),
        (("forward",), True),
        (("forward",), True),
        (("reverse",), False),
        (("reverse",), True),
    ]
    first = requests[0]
    assert (first.rate_fps, first.duration_s, first.timeout_s, first.part) == (100.0, 0.1, 1.0, 0)
    assert (first.frame_timeout_ms, first.purpose) == (None, "negative")


def test_the_outcome_stays_as_it_is() -> None:
    """What one reader leaves out of it, the next one still finds."""
    outcomes: list[Outcome] = []

    def alter(document: dict[str, Any]) -> None:
        document["forward"]["foreground"] |= {"expected": 0, "untranslated": 4, "lost": 6}

    def measure(request: TrialRequest) -> Outcome:
        outcomes.append(dut([], alter)(request))
        return outcomes[-1]

    (found,) = negative_tests([PORT], TRIAL, measure, 1)
    assert (found.passed, found.unchanged) == (0, 4)
    assert outcomes[-1].directions["forward"].details.foreground.wrong == {"untranslated": 4}


def test_each_fate() -> None:
    def alter(document: dict[str, Any]) -> None:
        document["forward"]["foreground"] |= {"expected": 1, "wrong_port": 2, "untranslated": 1, "lost": 6}
        errors = [{"version": 6, "type": 1, "code": code, "count": 1, "from": "2001:db8::1"} for code in (5, 5, 0)]
        document["left"] = {"received": 4, "returned": 1, "icmp_errors": errors}

    (found,) = tried(alter)
    assert (found.sent, found.passed, found.unchanged, found.returned, found.answered, found.dropped) == (
        10,
        3,
        1,
        1,
        3,
        2,
    )
    assert [(one.version, one.type, one.code, one.count) for one in found.answers] == [(6, 1, 5, 2), (6, 1, 0, 1)]
    assert found.untried is None


def test_refused() -> None:
    for test in (PORT, BACK):
        (found,) = tried(nothing, test)
        assert (found.passed, found.dropped, found.trials) == (0, 10, (2,))


def test_not_tried() -> None:
    """Nothing is known of a DUT that doesn't forward right frames, nor of a trial that never was valid."""
    (lossy,) = tried(nothing, lost=1)
    assert lossy.untried == "1 of 10 right frames weren't forwarded either"
    (invalid,) = tried(nothing, reasons=("clock",))
    assert invalid.untried is not None
    assert "clock" in invalid.untried
    for found in (lossy, invalid):
        assert (found.sent, found.passed, found.dropped) == (0, 0, 0)


def test_with_connections() -> None:
    """RFC 9693 §4.7: frames of a phase 2; whose phase 1 isn't complete, of which nothing can be told."""
    requests: list[TrialRequest] = []
    back = replace(BACK, part=None)
    negative_tests([back], TRIAL, dut(requests, nothing), 0, connections=1000)
    assert [one.connections for one in requests] == 2 * [Connections(10, "steady", 100.0)]
    assert [(one.directions, one.alter) for one in requests] == [(("reverse",), ()), (("reverse",), back.changes)]
    assert {(one.rate_fps, one.duration_s, one.purpose) for one in requests} == {(100.0, 0.1, "negative")}

    requests.clear()
    negative_tests([back], TRIAL, dut(requests, nothing), 0, connections=4)
    assert {one.connections for one in requests} == {Connections(4, "steady", 100.0)}

    def never_open(request: TrialRequest) -> Outcome:
        first = replace(dut([], nothing, lost=3)(replace(request, alter=())), number=8)
        return replace(first, directions={}, experiment=Experiment(first_phase=first))

    (one,) = negative_tests([back], TRIAL, never_open, 0, connections=10)
    assert one.untried == "phase 1 at 100 fps lost 3 of 10 connections: phase 2 can't be measured without them"
