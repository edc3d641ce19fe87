"""The elementary step as a procedure sees it: what came of what was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.message import DirectionName, SideName
from xlatperf.engine.trial_answer import Event, JoinedOver, MovedGateway, PortCounts, TrialAnswer
from xlatperf.procedures.class_loss import ClassLoss, class_loss_percent
from xlatperf.procedures.connections import Experiment
from xlatperf.procedures.failure import Failure
from xlatperf.procedures.trial_request import TrialRequest

TESTER_TOO_SLOW = frozenset({"sent_less", "schedule", "transmit_errors", "receive_drops", "no_buffers", "uncounted"})
"""Reasons of an invalid trial that mean: the Tester can't do this rate. It is an upper bound, not the DUT's loss."""

SHORT_BY_FAR = 0.01
"""A trial that sent so much less than intended, by a Tester that wasn't held up, isn't repeated: a rate too high."""

LINK_FOLLOWS = frozenset({"link_down", "transmit_errors", "sent_less", "schedule"})
"""Reasons that a DUT's reset may give the Tester: its port went down with the DUT's."""
NOT_MEASURED = frozenset({"link_down", "stopped", "fell_silent"})
"""Reasons that say nothing about any rate: the trial never really took place."""


@dataclass(frozen=True)
class DirectionOutcome:
    """One direction: frames sent and frames that came back exactly as they must, both classes together.

    `late`: right, but after the frame timeout. `details`: all that the engine says about it.
    """

    sent: int
    expected: int
    late: int
    details: Direction

    @property
    def loss_ratio(self) -> float:
        """RFC 2544 §26.3: (input - output) / input; 0 when nothing was sent."""
        return (self.sent - self.expected) / self.sent if self.sent else 0.0

    @property
    def classic_loss_ratio(self) -> float:
        """The same without a frame timeout: a late frame is not lost."""
        return (self.sent - self.expected - self.late) / self.sent if self.sent else 0.0

    @property
    def only_after_stalls(self) -> bool:
        """Whether frames were lost, and all of them right after the Tester itself was held up."""
        lost = self.sent - self.expected
        departure = self.details.departure
        return departure is not None and 0 < lost <= departure.lost_after_stall

    @property
    def last_lost(self) -> int | None:
        """Number of the last lost frame; None if none is lost, or if the engine's list of them is cut."""
        if self.details.last_lost is not None:
            return self.details.last_lost
        ranges = self.details.lost_ranges
        return ranges[-1][1] if ranges and self.details.lost_ranges_complete else None


@dataclass(frozen=True)
class Outcome:
    """What came of a trial. `number`: its place in the journal. An invalid one says nothing about the DUT.

    `directions` is empty if the trial did not come to what it measures: phase 1 of an experiment failed, or the table
    was emptied and nothing else. `device_cpu`: CPU cores' worth that each part of the DUT used. `over`: where a trial
    of the Tester alone took place. `ports`: what arrived on each side and belongs to no class.
    """

    number: int
    valid: bool
    reasons: tuple[tuple[str, str], ...]
    directions: Mapping[DirectionName, DirectionOutcome]
    event: Event | None = None
    experiment: Experiment | None = None
    device_cpu: Mapping[str, float] = field(default_factory=dict)
    over: JoinedOver | None = None
    ports: Mapping[SideName, PortCounts] = field(default_factory=dict)
    moved_gateways: tuple[MovedGateway, ...] = ()

    @property
    def why_invalid(self) -> tuple[str, ...]:
        """Its reasons in words."""
        return tuple(f"{code}: {text}" for code, text in self.reasons)

    def passed(self, tolerance: Mapping[DirectionName, float]) -> bool:
        """Whether each direction passes by itself: the sum would hide an asymmetry (RFC 9693 §4.7).

        Without any direction nothing was measured, so nothing passed.
        """
        return (
            self.valid
            and bool(self.directions)
            and all(
                direction.loss_ratio <= tolerance.get(name, 0.0) and direction.sent > 0
                for name, direction in self.directions.items()
            )
        )

    @property
    def only_after_stalls(self) -> bool:
        """Whether all that was lost, in any phase, may be due to bursts of the Tester, which was held up before."""
        phases = (self,) if self.first_phase is self else (self.first_phase, self)
        each = [direction for phase in phases for direction in phase.directions.values()]
        lossy = [direction for direction in each if direction.sent > direction.expected]
        return self.valid and bool(lossy) and all(direction.only_after_stalls for direction in lossy)

    @property
    def lost(self) -> int:
        """Frames that did not come back as they must, all directions together."""
        return sum(direction.sent - direction.expected for direction in self.directions.values())

    @property
    def sent(self) -> int:
        """Frames sent, all directions together."""
        return sum(direction.sent for direction in self.directions.values())

    @property
    def offered_fps(self) -> float:
        """The rate that counts: what was really sent per second, in the direction that got less; 0 without any."""
        return min((direction.details.offered_fps for direction in self.directions.values()), default=0.0)

    @property
    def first_phase(self) -> Outcome:
        """Phase 1's outcome; of a trial that is phase 1, or that has none, itself."""
        first = self.experiment.first_phase if self.experiment is not None else None
        return self if first is None else first

    @property
    def established(self) -> bool:
        """Whether phase 1 was valid, and lost no more than it may: then another frame has opened the rest."""
        first = self.first_phase
        may_lose = self.experiment.may_lose if self.experiment is not None else 0.0
        if first.passed({}):
            return True
        return first is not self and bool(self.directions) and first.passed({"forward": may_lose})

    @property
    def collapsed(self) -> str | None:
        """Why we think that the DUT no longer works; None if it does (RFC 9693 §4.9)."""
        return self.experiment.collapsed if self.experiment is not None else None

    @property
    def tester_too_slow(self) -> bool:
        """Invalid because the Tester can't do this rate."""
        return not self.valid and any(code in TESTER_TOO_SLOW for code, _ in self.reasons)

    @property
    def far_too_fast(self) -> bool:
        """The Tester sent less than intended by so much that trying again is of no use."""
        return self.tester_too_slow and any(
            direction.details.short_by(SHORT_BY_FAR) for direction in self.directions.values()
        )

    @property
    def something_came(self) -> bool:
        """Whether in each direction frames came back as they must, valid or not."""
        return bool(self.directions) and all(direction.expected > 0 for direction in self.directions.values())

    def loss_percent(self) -> dict[DirectionName, float]:
        """Loss in percent per direction."""
        return {name: 100 * direction.loss_ratio for name, direction in self.directions.items()}

    def class_loss_percent(self) -> dict[DirectionName, ClassLoss]:
        """Of each class, in the directions in which they differ."""
        each = {name: class_loss_percent(one.details.classes()) for name, one in self.directions.items()}
        return {name: losses for name, losses in each.items() if losses}

    def classic_loss_percent(self) -> dict[DirectionName, float]:
        """The same without a frame timeout."""
        return {name: 100 * direction.classic_loss_ratio for name, direction in self.directions.items()}


NO_LOSS: Mapping[DirectionName, float] = {}

Measure = Callable[[TrialRequest], Outcome]
"""Runs a trial. Raises MeasurementFailed if there can't be an outcome."""


class MeasurementFailed(Exception):
    """This run has no result; the message is one line for the report."""

    def __init__(self, what: str, *details: str) -> None:
        """`details`: of the trial that it failed with."""
        self.failure = Failure(what, details)
        super().__init__(self.failure.in_words())


def outcome_of(
    number: int,
    answer: TrialAnswer,
    experiment: Experiment | None = None,
    device_cpu: Mapping[str, float] | None = None,
) -> Outcome:
    """The engine's answer as a procedure sees it."""
    return Outcome(
        number=number,
        valid=answer.valid,
        reasons=tuple((reason.code, reason.text) for reason in answer.reasons),
        directions={
            name: DirectionOutcome(
                sent=sum(counters.sent for _, counters in direction.classes()),
                expected=sum(counters.expected for _, counters in direction.classes()),
                late=sum(counters.wrong.get("late", 0) for _, counters in direction.classes()),
                details=direction,
            )
            for name, direction in answer.directions()
        },
        event=answer.event,
        experiment=experiment,
        device_cpu=device_cpu or {},
        over=answer.over,
        ports={"left": answer.left, "right": answer.right},
        moved_gateways=answer.moved_gateways,
    )


def measure_valid(
    measure: Measure, request: TrialRequest, retries: int, tolerance: Mapping[DirectionName, float] = NO_LOSS
) -> list[Outcome]:
    """All attempts at one trial, the last one being what counts: valid, or invalid because the Tester is too slow.

    Repeated up to `retries` times are an invalid trial (a timed one not if its rate is far above what the Tester can
    do), a phase 2 whose phase 1 is not complete, and a trial with more loss than `tolerance` all of which came right
    after the Tester itself was held up: such a loss counts only where it persists. Raises MeasurementFailed if it is
    then still invalid for a reason that has nothing to do with the rate or if phase 1, which has a rate of its own, is
    still not complete.
    A DUT that collapsed collapses again: that outcome is handed back as it is, valid or not.
    """
    attempts: list[Outcome] = []
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


def not_established(request: TrialRequest, outcome: Outcome) -> tuple[str, ...] | None:
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
    lost = first.lost if first.directions else wanted.count
    return f"{phase} lost {lost:,} of {wanted.count:,} connections", "phase 2 can't be measured without them"


def never_valid(top_fps: float, bottom_fps: float, last: Outcome) -> MeasurementFailed:
    """That no rate of a search had a valid trial: nothing is known of the DUT."""
    what = f"no valid trial at any rate, {top_fps:,.0f} down to {bottom_fps:,.0f} fps"
    return MeasurementFailed(what, *last.why_invalid)


def link_followed(codes: Iterable[str]) -> bool:
    """Whether a trial with a reset is invalid only because the Tester's port went down with the DUT's."""
    known = set(codes)
    return "link_down" in known and known <= LINK_FOLLOWS


def measure_once(measure: Measure, request: TrialRequest, retries: int) -> tuple[Outcome, tuple[int, ...]]:
    """A trial at a rate that is given: its valid outcome, and the numbers of all attempts.

    Raises MeasurementFailed if none is valid: there is no other rate to go to.
    """
    attempts = measure_valid(measure, request, retries)
    if attempts[-1].collapsed is not None:
        raise MeasurementFailed("the DUT collapsed", attempts[-1].collapsed)
    if not attempts[-1].valid:
        raise MeasurementFailed(f"the Tester could not do {request.rate_fps:g} fps", *attempts[-1].why_invalid)
    return attempts[-1], tuple(attempt.number for attempt in attempts)
