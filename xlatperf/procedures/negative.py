"""Negative tests: frames that the DUT must refuse, and what it does with them.

A DUT that skips a mandatory check is faster than one that doesn't, so the outcome belongs beside the rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pydantic import Field, computed_field

from xlatperf.engine.direction_answer import Fence
from xlatperf.engine.message import DirectionName, Message
from xlatperf.engine.trial_answer import IcmpErrors
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.shortfall import shortfall
from xlatperf.procedures.trial import Measure, MeasurementFailed, Trial, measure_once
from xlatperf.procedures.trial_request import FENCE, NEGATIVE, TrialRequest

FRAMES, RATE_FPS = 10, 1000.0
"""No load. Right frames follow, as a fence: when they are back, the DUT has dealt with all before them."""
_LIMIT_REACHED_S = 4.0


Fate = Literal["passed", "unchanged", "returned"]
"""What becomes of a frame that is neither answered nor dropped: see NegativeOutcome."""


@dataclass(frozen=True)
class NegativeTest:
    """Frames that are right but for one thing.

    `basis`: the section that forbids them; `must`: in so many words (RFC 2119), else it follows from what they are.
    `part`: which part of the technology alone sends, such as a MAP domain, and `of`: in words; None: all of it.
    `beyond`: they open connections after so many others, all that there may be, each from an address or port of its
    own. `means`: what a DUT does that lets them through. `routable`: they are to somebody else than the DUT, so that it
    may forward them as they are, by its routes, also back. `impossible`: why there are no such frames.
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
    of: str = ""
    routable: bool = False
    impossible: str = ""


class NegativeOutcome(Message):
    """What became of `sent` frames. `untried`: why it isn't known; then the counts are 0.

    `passed`: came out on the other side as the DUT makes it of right frames, in whatever condition. `unchanged`: came
    out there as they were. `returned`: came back to the side that sent them. `answers`: ICMP errors of each kind.
    Else they were dropped. `trials`: their numbers, among `negative_trials` of results.json. `right_missing`: of the
    right frames that go first so many did not come as they must, in each of several trials.
    """

    test: NegativeTest
    sent: int = 0
    passed: int = 0
    unchanged: int = 0
    returned: int = 0
    answers: tuple[IcmpErrors, ...] = ()
    trials: tuple[int, ...] = ()
    untried: str | None = None
    right_missing: int = Field(default=0, exclude_if=lambda count: count == 0)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def dropped(self) -> int:
        """Frames of which nothing came."""
        answered = sum(answer.count for answer in self.answers)
        return max(0, self.sent - self.passed - self.unchanged - self.returned - answered)

    @property
    def wrongly(self) -> dict[Fate, int]:
        """What became of frames that must not, and of how many."""
        fates: dict[Fate, int] = {"passed": self.passed}
        if not self.test.routable:
            fates |= {"unchanged": self.unchanged, "returned": self.returned}
        return {fate: count for fate, count in fates.items() if count}

    @property
    def refused(self) -> bool:
        """Whether it's known that nothing became of any that must not."""
        return self.untried is None and not self.wrongly

    @property
    def violated(self) -> bool:
        """Whether something became of some that the standard forbids in so many words."""
        return self.test.must and bool(self.wrongly)


def negative_tests(
    tests: Sequence[NegativeTest],
    trial: TrialRequest,
    measure: Measure,
    retries: int,
    *,
    connections: int | None = None,
) -> list[NegativeOutcome]:
    """All of them, one trial each. Right frames alone go first: where they aren't forwarded, nothing is refused.

    `connections`: of a stateful DUT, how many there can be; the frames are those of a phase 2 (RFC 9693 §4.7).
    """
    base = trial.without_load(FRAMES + FENCE, RATE_FPS, NEGATIVE)
    if connections is not None:
        wanted = Connections(min(FRAMES, connections), "steady", RATE_FPS, reuse=True)
        base = base.experiment(wanted, RATE_FPS, NEGATIVE)
    right: dict[tuple[DirectionName, int | None], _NotForwarded | None] = {}
    outcomes = []
    disturbed = False
    for test in sorted(tests, key=lambda one: one.beyond is not None):  # after these no connection can be used again
        if test.impossible:
            outcomes.append(NegativeOutcome(test=test, untried=test.impossible))
            continue
        if test.beyond is not None:
            outcomes.append(_beyond(test, test.beyond, trial, measure, retries))
            continue
        request = replace(base, directions=(test.direction,), part=test.part)
        place = (test.direction, test.part)
        if place not in right:
            right[place], disturbed = _not_forwarded(_anew(request), measure, retries), False
        if (missing := right[place]) is not None:
            outcomes.append(NegativeOutcome(test=test, untried=missing.why, right_missing=missing.right))
            continue
        try:
            found = _tried(test, replace(request, alter=test.changes), measure, retries, fresh=disturbed)
        except MeasurementFailed as failure:
            outcomes.append(NegativeOutcome(test=test, untried=str(failure)))
            continue
        disturbed = bool(found.passed or found.unchanged or found.returned)
        outcomes.append(found)
    return outcomes


def _tried(
    test: NegativeTest, request: TrialRequest, measure: Measure, retries: int, *, fresh: bool
) -> NegativeOutcome:
    """One test. `fresh`: with new connections, as what the DUT let through may have changed those that there are."""
    outcome, trials = measure_once(measure, _anew(request) if fresh else request, retries)
    reused = request.connections is not None and not fresh
    if reused and not _fence_came(test, outcome):  # without connections all is dropped
        outcome, more = measure_once(measure, _anew(request), retries)
        trials += more
    return _found(test, outcome, trials)


def _anew(request: TrialRequest) -> TrialRequest:
    """With connections of its own, where it has any."""
    wanted = request.connections
    return request if wanted is None else replace(request, connections=replace(wanted, reuse=False))


def _fence_came(test: NegativeTest, outcome: Trial) -> bool:
    fence = outcome.directions[test.direction].fence
    return fence is not None and fence.expected == fence.sent


class _NotForwarded(NamedTuple):
    """Why nothing can be told. `right`: frames that are right, and did not come as they must."""

    why: str
    right: int = 0


def _not_forwarded(request: TrialRequest, measure: Measure, retries: int) -> _NotForwarded | None:
    """None if right frames are forwarded, once at least: a host that holds the DUT up takes some away."""
    found: list[_NotForwarded] = []
    for _ in range(retries + 1):
        try:
            outcome, _ = measure_once(measure, request, retries)
        except MeasurementFailed as failure:
            return _NotForwarded(str(failure))
        if outcome.passed({}):
            return None
        found.append(_of_right_frames(outcome, request))
    return min(found, key=lambda one: one.right)


def _of_right_frames(outcome: Trial, request: TrialRequest) -> _NotForwarded:
    late = sum(direction.after_wait for direction in outcome.directions.values())
    others = outcome.lost - late
    said = [f"right frames, which go first, did not all come as they must: {shortfall(outcome)}"] if others else []
    if late:
        said.append(
            f"{late} of {outcome.sent} right frames came when the wait of {request.timeout_s:g} s for them was over"
        )
    return _NotForwarded("; ".join(said), others)


def _beyond(test: NegativeTest, limit: int, trial: TrialRequest, measure: Measure, retries: int) -> NegativeOutcome:
    """Phase 1 (RFC 9693 §4.4) of as many connections as there may be, then of more, and the first ones again."""
    rate_fps = max(RATE_FPS, limit / _LIMIT_REACHED_S)
    base = replace(trial.without_load(FRAMES, RATE_FPS, NEGATIVE), part=test.part)

    def opened(count: int, again: int = 0) -> tuple[Trial, tuple[int, ...]]:
        wanted = Connections(count, "establish", again=again)
        return measure_once(measure, base.experiment(wanted, rate_fps, NEGATIVE), retries)

    try:
        outcome, _ = opened(limit)
        if not outcome.passed({}):
            return NegativeOutcome(
                test=test, untried=f"{outcome.lost} of the {limit} allowed ones weren't opened either"
            )
        outcome, trials = opened(limit + FRAMES, again=FENCE)
    except MeasurementFailed as failure:
        return NegativeOutcome(test=test, untried=str(failure))
    found = _found(test, outcome, trials)
    return found.model_copy(update={"sent": FRAMES, "passed": max(0, found.passed - limit)})


def _found(test: NegativeTest, outcome: Trial, trials: tuple[int, ...]) -> NegativeOutcome:
    """Of the frames before the fence."""
    direction = outcome.directions[test.direction]
    counters, fence = direction.foreground, direction.fence or Fence()
    wrong = {reason: count - fence.wrong.get(reason, 0) for reason, count in counters.wrong.items()}
    unchanged = wrong.pop("untranslated", 0)
    wrong.pop("duplicate", None)  # of what counts already
    sent = counters.sent - fence.sent
    side = outcome.sides["left" if test.direction == "forward" else "right"]
    found: dict[tuple[int, int, int], int] = {}
    for one in side.icmp_errors:
        key = (one.version, one.type, one.code)
        found[key] = found.get(key, 0) + one.count
    return NegativeOutcome(
        test=test,
        sent=sent,
        passed=min(sent - unchanged, counters.expected - fence.expected + sum(wrong.values())),
        unchanged=unchanged,
        returned=side.returned,
        answers=tuple(
            IcmpErrors(version=version, type=type_, code=code, count=count)
            for (version, type_, code), count in found.items()
        ),
        trials=trials,
    )
