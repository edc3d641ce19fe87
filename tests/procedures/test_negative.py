"""R7597-8.1: what became of frames that the DUT must refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tests.simulated_dut import answer
from tests.trials import trial_of, without_frames
from xlatperf.engine.trial_answer import Experiment
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.negative import NegativeOutcome, NegativeTest, negative_tests
from xlatperf.procedures.trial import Measure, Trial
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

    def measure(request: TrialRequest) -> Trial:
        requests.append(request)
        document = answer(
            request,
            lambda asked, _: asked.frames - lost if not asked.alter else asked.fence,
            reasons if request.alter else (),
        )
        if request.alter:
            alter(document)
        return trial_of(len(requests), request, document)

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
    assert (first.rate_fps, first.duration_s, first.timeout_s, first.part) == (1000.0, 0.02, 1.0, 0)
    assert (first.frame_timeout_ms, first.purpose, first.fence) == (None, "negative", 10)


def test_the_outcome_stays_as_it_is() -> None:
    """What one reader leaves out of it, the next one still finds."""
    outcomes: list[Trial] = []

    def alter(document: dict[str, Any]) -> None:
        document["forward"]["foreground"] |= {"untranslated": 4, "lost": 6}

    def measure(request: TrialRequest) -> Trial:
        outcomes.append(dut([], alter)(request))
        return outcomes[-1]

    (found,) = negative_tests([PORT], TRIAL, measure, 1)
    assert (found.passed, found.unchanged) == (0, 4)
    assert outcomes[-1].directions["forward"].foreground.wrong == {"untranslated": 4}


def test_each_fate() -> None:
    def alter(document: dict[str, Any]) -> None:
        document["forward"]["foreground"] |= {"expected": 11, "wrong_port": 2, "untranslated": 1, "lost": 6}
        errors = [{"version": 6, "type": 1, "code": code, "count": 1, "from": "2001:db8::1"} for code in (5, 5, 0)]
        document["left"] = {"received": 4, "returned": 1, "icmp_errors": errors}

    (found,) = tried(alter)
    assert (found.sent, found.passed, found.unchanged, found.returned, found.dropped) == (10, 3, 1, 1, 2)
    assert [(one.version, one.type, one.code, one.count) for one in found.answers] == [(6, 1, 5, 2), (6, 1, 0, 1)]
    assert found.untried is None


def test_what_became_of_the_fence_is_not_what_became_of_the_test() -> None:
    """Right frames behind the others: also where they come back twice, wrong, or not at all."""

    def alter(document: dict[str, Any]) -> None:
        document["forward"]["foreground"] |= {"expected": 7, "payload": 3, "duplicate": 2, "lost": 10}
        document["forward"]["fence"] = {"sent": 10, "expected": 6, "lost": 1, "wrong": {"payload": 3, "duplicate": 2}}

    (found,) = tried(alter)
    assert (found.sent, found.passed, found.dropped) == (10, 1, 9)


def test_connections_are_used_again_as_long_as_nothing_came_through() -> None:
    """What a lenient DUT let in may have opened others; where the fence is lost, they may be gone."""
    fates = iter(["refused", "passed", "refused", "gone", "refused", "refused"])

    def alter(document: dict[str, Any]) -> None:
        fate = next(fates)
        if fate == "passed":
            document["reverse"]["foreground"] |= {"expected": 20, "lost": 0}
        elif fate == "gone":
            document["reverse"]["foreground"] |= {"expected": 0, "lost": 20}
            document["reverse"]["fence"] = {"sent": 10, "expected": 0, "lost": 10}

    requests: list[TrialRequest] = []
    back = replace(BACK, part=None)
    found = negative_tests([back] * 5, TRIAL, dut(requests, alter), 0, connections=1000)
    reused = [one.connections.reuse for one in requests if one.connections is not None]
    assert reused == [False, True, True, False, True, False, True]
    assert [one.passed for one in found] == [0, 10, 0, 0, 0]
    assert found[3].trials == (5, 6)


def test_right_frames_have_connections_of_their_own() -> None:
    """Those that a lenient DUT has disturbed say nothing of the other direction; then the new ones do for its tests."""
    requests: list[TrialRequest] = []
    forth, back = (replace(one, part=None) for one in (PORT, BACK))

    def passes_forward(document: dict[str, Any]) -> None:
        if "forward" in document:
            document["forward"]["foreground"] |= {"expected": 20, "lost": 0}

    found = negative_tests([forth, back, back], TRIAL, dut(requests, passes_forward), 0, connections=1000)
    assert [(bool(one.alter), one.connections.reuse) for one in requests if one.connections is not None] == [
        (False, False),
        (True, True),
        (False, False),
        (True, True),
        (True, True),
    ]
    assert [one.passed for one in found] == [10, 0, 0]


def test_refused() -> None:
    for test in (PORT, BACK):
        (found,) = tried(nothing, test)
        assert (found.passed, found.dropped, found.trials) == (0, 10, (2,))


def test_right_frames_that_a_held_up_host_took_away_once() -> None:
    """They are tried again; what is missing each time is told of the DUT, with the fewest."""
    for lost, missing in (([1, 0], 0), ([3, 2], 2), ([20, 20], 20)):
        left = iter(lost)

        def measure(request: TrialRequest, left: Iterator[int] = left) -> Trial:
            return dut([], nothing, lost=0 if request.alter else next(left, 0))(request)

        (found,) = negative_tests([PORT], TRIAL, measure, 1)
        assert found.right_missing == missing
        assert (found.untried is None) == (not missing)


def test_not_tried() -> None:
    """Nothing is known of a DUT that doesn't forward right frames, nor of a trial that never was valid."""
    (lossy,) = tried(nothing, lost=1)
    assert lossy.untried == "right frames, which go first, did not all come as they must: 1 of 20 frames lost"
    assert lossy.right_missing == 1
    (invalid,) = tried(nothing, reasons=("clock",))
    assert invalid.untried is not None
    assert "clock" in invalid.untried
    assert invalid.right_missing == 0, "that isn't known"
    for found in (lossy, invalid):
        assert (found.sent, found.passed, found.dropped) == (0, 0, 0)


def test_with_connections() -> None:
    """RFC 9693 §4.7: frames of a phase 2; whose phase 1 isn't complete, of which nothing can be told."""
    requests: list[TrialRequest] = []
    back = replace(BACK, part=None)
    negative_tests([back], TRIAL, dut(requests, nothing), 0, connections=1000)
    wanted = Connections(10, "steady", 1000.0)
    assert [one.connections for one in requests] == [wanted, replace(wanted, reuse=True)]
    assert [(one.directions, one.alter) for one in requests] == [(("reverse",), ()), (("reverse",), back.changes)]
    assert {(one.rate_fps, one.duration_s, one.purpose) for one in requests} == {(1000.0, 0.02, "negative")}

    requests.clear()
    negative_tests([back], TRIAL, dut(requests, nothing), 0, connections=4)
    assert {one.connections.count for one in requests if one.connections is not None} == {4}

    def never_open(request: TrialRequest) -> Trial:
        first = dut([], nothing, lost=3)(replace(request, alter=()))
        return without_frames(8, request=request, experiment=Experiment(first_phase=first))

    (one,) = negative_tests([back], TRIAL, never_open, 0, connections=10)
    assert one.untried is not None
    assert one.untried.startswith("phase 1 at 1,000 fps was not complete: 3 of 20 frames lost: phase 2 can't be")
