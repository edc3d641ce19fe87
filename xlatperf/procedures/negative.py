"""Negative tests: frames that the DUT must refuse, and what it does with them.

A DUT that skips a mandatory check is faster than one that doesn't, so the outcome belongs beside the rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Measure, MeasurementFailed, Outcome, measure_once
from xlatperf.procedures.trial_request import NEGATIVE, TrialRequest

FRAMES, RATE_FPS = 10, 100.0
"""No load."""
_LIMIT_REACHED_S = 4.0


@dataclass(frozen=True)
class NegativeTest:
    """Frames that are right but for one thing.

    `basis`: the section that forbids them; `must`: in so many words (RFC 2119), else it follows from what they are.
    `part`: which part of the technology alone sends, such as a MAP domain; None: all of it. `beyond`: they open
    connections after so many others, all that there may be, each from an address or port of its own. `means`: what a
    DUT does that lets them through.
    """

    name: str
    what: str
    basis: str
    must: bool
    direction: DirectionName
    changes: tuple[Change, ...]
    part: int | None = None
    beyond: int | None = None
    means: str = ""


@dataclass(frozen=True)
class IcmpAnswer:
    """ICMP errors (`version` 4) or ICMPv6 errors (6) of one kind."""

    version: int
    type: int
    code: int
    count: int


@dataclass(frozen=True)
class NegativeOutcome:
    """What became of `sent` frames. `untried`: why it isn't known; then the counts are 0.

    `passed`: came out on the other side as the DUT makes it of right frames, in whatever condition. `unchanged`: came
    out there as they were. `returned`: came back as they were. `answered`: by ICMP errors. Else they were dropped.
    """

    test: NegativeTest
    sent: int = 0
    passed: int = 0
    unchanged: int = 0
    returned: int = 0
    answers: tuple[IcmpAnswer, ...] = ()
    trials: tuple[int, ...] = ()
    untried: str | None = None

    @property
    def answered(self) -> int:
        """Frames that an ICMP error answered."""
        return sum(answer.count for answer in self.answers)

    @property
    def dropped(self) -> int:
        """Frames of which nothing came."""
        return max(0, self.sent - self.passed - self.unchanged - self.returned - self.answered)


def negative_tests(
    tests: Sequence[NegativeTest],
    trial: TrialRequest,
    measure: Measure,
    retries: int,
    *,
    connections: int | None = None,
) -> list[NegativeOutcome]:
    """All of them, one trial each. The same frames as they should be go first: what isn't forwarded is not refused.

    `connections`: of a stateful DUT, how many there can be; the frames are those of a phase 2 (RFC 9693 §4.7).
    """
    base = trial.without_load(FRAMES, RATE_FPS, NEGATIVE)
    if connections is not None:
        base = base.experiment(Connections(min(FRAMES, connections), "steady", RATE_FPS), RATE_FPS, NEGATIVE)
    right: dict[tuple[DirectionName, int | None], str | None] = {}
    outcomes = []
    for test in tests:
        if test.beyond is not None:
            outcomes.append(_beyond(test, test.beyond, trial, measure, retries))
            continue
        request = replace(base, directions=(test.direction,), part=test.part)
        place = (test.direction, test.part)
        if place not in right:
            right[place] = _not_forwarded(request, measure, retries)
        if (untried := right[place]) is not None:
            outcomes.append(NegativeOutcome(test, untried=untried))
            continue
        try:
            outcome, trials = measure_once(measure, replace(request, alter=test.changes), retries)
        except MeasurementFailed as failure:
            outcomes.append(NegativeOutcome(test, untried=str(failure)))
            continue
        outcomes.append(_found(test, outcome, trials))
    return outcomes


def _not_forwarded(request: TrialRequest, measure: Measure, retries: int) -> str | None:
    """Why nothing can be told; None if right frames are forwarded."""
    try:
        outcome, _ = measure_once(measure, request, retries)
    except MeasurementFailed as failure:
        return str(failure)
    return None if outcome.passed({}) else f"{outcome.lost} of {outcome.sent} right frames weren't forwarded either"


def _beyond(test: NegativeTest, limit: int, trial: TrialRequest, measure: Measure, retries: int) -> NegativeOutcome:
    """Phase 1 (RFC 9693 §4.4) of as many connections as there may be, then of more."""
    rate_fps = max(RATE_FPS, limit / _LIMIT_REACHED_S)
    base = replace(trial.without_load(FRAMES, RATE_FPS, NEGATIVE), part=test.part)

    def opened(count: int) -> tuple[Outcome, tuple[int, ...]]:
        return measure_once(measure, base.experiment(Connections(count, "establish"), rate_fps, NEGATIVE), retries)

    try:
        outcome, _ = opened(limit)
        if not outcome.passed({}):
            return NegativeOutcome(test, untried=f"{outcome.lost} of the {limit} allowed ones weren't opened either")
        outcome, trials = opened(limit + FRAMES)
    except MeasurementFailed as failure:
        return NegativeOutcome(test, untried=str(failure))
    found = _found(test, outcome, trials)
    return replace(found, sent=FRAMES, passed=max(0, found.passed - limit))


def _found(test: NegativeTest, outcome: Outcome, trials: tuple[int, ...]) -> NegativeOutcome:
    counters = outcome.directions[test.direction].details.foreground
    unchanged = counters.wrong.get("untranslated", 0)
    side = outcome.ports["left" if test.direction == "forward" else "right"]
    found: dict[tuple[int, int, int], int] = {}
    for one in side.icmp_errors:
        key = (one.version, one.type, one.code)
        found[key] = found.get(key, 0) + one.count
    return NegativeOutcome(
        test,
        sent=counters.sent,
        passed=counters.expected + sum(counters.wrong.values()) - unchanged,
        unchanged=unchanged,
        returned=side.returned,
        answers=tuple(IcmpAnswer(*key, count) for key, count in found.items()),
        trials=trials,
    )
