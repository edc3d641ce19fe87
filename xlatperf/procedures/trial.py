"""The elementary step as a procedure sees it: what came of what was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Self

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.class_loss import ClassLoss, class_loss_percent
from xlatperf.procedures.failure import Failure
from xlatperf.procedures.shortfall import shortfall
from xlatperf.procedures.trial_request import TrialRequest

TESTER_TOO_SLOW = frozenset({"sent_less", "schedule", "transmit_errors", "receive_drops", "no_buffers", "uncounted"})
"""Reasons of an invalid trial that mean: the Tester can't do this rate. It is an upper bound, not the DUT's loss."""

SHORT_BY_FAR = 0.01
"""A trial that sent so much less than intended, by a Tester that wasn't held up, isn't repeated: a rate too high."""

LINK_FOLLOWS = frozenset({"link_down", "transmit_errors", "sent_less", "schedule"})
"""Reasons that a DUT's reset may give the Tester: its port went down with the DUT's."""
NOT_MEASURED = frozenset({"link_down", "address_conflict", "stopped", "fell_silent"})
"""Reasons that say nothing about any rate: the trial never really took place."""


class Trial(TrialAnswer):
    """A trial: what was asked, and what came of it. So it is handed to procedures, and so it stands in results.json.

    `number`: its place in the journal, from 0; `run`: key of the run that it belongs to.
    """

    frame_tag: SkipJsonSchema[int | None] = Field(default=None, exclude_if=lambda tag: tag is None)
    number: int
    run: str
    request: TrialRequest

    @classmethod
    def of(cls, number: int, run: str, request: TrialRequest, answer: TrialAnswer) -> Self:
        """With the engine's answer."""
        told = {name: getattr(answer, name) for name in answer.model_fields_set}
        return cls(**told, number=number, run=run, request=request)

    @property
    def first_phase(self) -> TrialAnswer:
        """Phase 1; of a trial that is phase 1, or that has none, itself."""
        return self.phases[0]

    @property
    def phases(self) -> tuple[TrialAnswer, ...]:
        """The trial, with the phase 1 that went before it in the same experiment (RFC 9693 §4.4)."""
        first = self.experiment.first_phase if self.experiment is not None else None
        return (self,) if first is None else (first, self)

    @property
    def only_after_stalls(self) -> bool:
        """Whether all that was lost, in any phase, may be due to bursts of the Tester, which was held up before."""
        lossy = [one for phase in self.phases for one in phase.directions.values() if one.loss]
        return self.valid and bool(lossy) and all(one.only_after_stalls for one in lossy)

    @property
    def established(self) -> bool:
        """Whether phase 1 was valid, and lost no more than it may: then another frame has opened the rest."""
        first = self.first_phase
        if first.passed({}):
            return True
        may_lose = self.experiment.may_lose if self.experiment is not None else 0.0
        return first is not self and bool(self.directions) and first.passed({"forward": may_lose})

    @property
    def collapsed(self) -> str | None:
        """Why we think that the DUT no longer works; None if it does (RFC 9693 §4.9)."""
        return self.experiment.collapsed if self.experiment is not None else None

    @property
    def tester_too_slow(self) -> bool:
        """Invalid because the Tester can't do this rate."""
        return not self.valid and any(reason.code in TESTER_TOO_SLOW for reason in self.reasons)

    @property
    def far_too_fast(self) -> bool:
        """The Tester sent less than intended by so much that trying again is of no use."""
        return self.tester_too_slow and any(direction.short_by(SHORT_BY_FAR) for direction in self.directions.values())

    @property
    def says_nothing(self) -> bool:
        """Invalid, and no result follows from it: not so a reset with which the Tester's port went down as well."""
        return not self.valid and not (
            self.request.event is not None and link_followed(reason.code for reason in self.reasons)
        )

    def loss_percent(self) -> dict[DirectionName, float]:
        """Loss in percent per direction."""
        return {name: direction.loss_percent for name, direction in self.directions.items()}

    def classic_loss_percent(self) -> dict[DirectionName, float]:
        """The same without a frame timeout."""
        return {name: direction.classic_loss_percent for name, direction in self.directions.items()}

    def class_loss_percent(self) -> dict[DirectionName, ClassLoss]:
        """Of each class, in the directions in which they differ."""
        each = {name: class_loss_percent(direction.classes) for name, direction in self.directions.items()}
        return {name: losses for name, losses in each.items() if losses}


NO_LOSS: Mapping[DirectionName, float] = {}

Measure = Callable[[TrialRequest], Trial]
"""Runs a trial. Raises MeasurementFailed if there can't be one."""


class MeasurementFailed(Exception):
    """This run has no result; the message is one line for the report."""

    def __init__(self, what: str, *details: str) -> None:
        """`details`: of the trial that it failed with."""
        self.failure = Failure(what, details)
        super().__init__(self.failure.in_words())


def measure_valid(
    measure: Measure, request: TrialRequest, retries: int, tolerance: Mapping[DirectionName, float] = NO_LOSS
) -> list[Trial]:
    """All attempts at one trial, the last one being what counts: valid, or invalid because the Tester is too slow.

    Repeated up to `retries` times are an invalid trial (a timed one not if its rate is far above what the Tester can
    do), a phase 2 whose phase 1 is not complete, and a trial with more loss than `tolerance` all of which came right
    after the Tester itself was held up: such a loss counts only where it persists. Raises MeasurementFailed if it is
    then still invalid for a reason that has nothing to do with the rate or if phase 1, which has a rate of its own, is
    still not complete.
    A DUT that collapsed collapses again: that outcome is handed back as it is, valid or not.
    """
    attempts: list[Trial] = []
    missing: tuple[str, ...] | None = None
    for _ in range(retries + 1):
        attempts.append(measure(request))
        missing = not_established(request, attempts[-1])
        if attempts[-1].collapsed is not None:
            break
        if attempts[-1].valid and missing is None:
            if attempts[-1].passed(tolerance) or not attempts[-1].only_after_stalls:
                break
            continue
        if attempts[-1].far_too_fast and missing is None and not request.untimed:
            break
    if missing is not None:
        raise MeasurementFailed(*missing)
    if attempts[-1].valid or attempts[-1].collapsed is not None:
        return attempts
    if not attempts[-1].tester_too_slow:
        reasons = attempts[-1].why_invalid or ("no reason given",)
        raise MeasurementFailed(f"no valid trial at {request.rate_fps:g} fps in {len(attempts)} attempts", *reasons)
    return attempts


def not_established(request: TrialRequest, outcome: Trial) -> tuple[str, ...] | None:
    """Why the connections of a phase 2 trial are not all there, then details; None: they are, or it needs none."""
    wanted = request.connections
    if wanted is None or wanted.phase != "steady":
        return None
    if outcome.collapsed is not None:
        return f"the DUT collapsed with {wanted.count:,} connections", outcome.collapsed
    first = outcome.first_phase
    if first is outcome and outcome.directions:
        return None  # phase 2 took place, and nobody speaks of phase 1
    if outcome.established:
        return None
    phase = f"phase 1 at {wanted.establish_fps or 0:,.0f} fps"
    if not first.valid:
        return f"{phase} was not valid", *first.why_invalid
    seen = shortfall(first) or f"none of {wanted.count:,} connections was opened"
    return f"{phase} was not complete: {seen}", "phase 2 can't be measured without all connections"


def never_valid(top_fps: float, bottom_fps: float, last: Trial) -> MeasurementFailed:
    """That no rate of a search had a valid trial: nothing is known of the DUT."""
    what = f"no valid trial at any rate, {top_fps:,.0f} down to {bottom_fps:,.0f} fps"
    return MeasurementFailed(what, *last.why_invalid)


def link_followed(codes: Iterable[str]) -> bool:
    """Whether a trial with a reset is invalid only because the Tester's port went down with the DUT's."""
    known = set(codes)
    return "link_down" in known and known <= LINK_FOLLOWS


def measure_once(measure: Measure, request: TrialRequest, retries: int) -> tuple[Trial, tuple[int, ...]]:
    """A trial at a rate that is given: its valid outcome, and the numbers of all attempts.

    Raises MeasurementFailed if none is valid: there is no other rate to go to.
    """
    attempts = measure_valid(measure, request, retries)
    if attempts[-1].collapsed is not None:
        raise MeasurementFailed("the DUT collapsed", attempts[-1].collapsed)
    if not attempts[-1].valid:
        raise MeasurementFailed(f"the Tester could not do {request.rate_fps:g} fps", *attempts[-1].why_invalid)
    return attempts[-1], tuple(attempt.number for attempt in attempts)
