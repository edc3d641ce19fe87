"""The elementary step as a procedure sees it: what is asked, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from xlatperf.engine.trial_answer import TrialAnswer

DirectionName = Literal["forward", "reverse"]

TESTER_TOO_SLOW = frozenset({"sent_less", "schedule", "transmit_errors", "receive_drops", "no_buffers"})
"""Reasons of an invalid trial that mean: the Tester can't do this rate. It is an upper bound, not the DUT's loss."""

NOT_MEASURED = frozenset({"link_down", "stopped"})
"""Reasons that say nothing about any rate: the trial never really took place."""


@dataclass(frozen=True)
class TrialRequest:
    """Fixed traffic, fixed rate per direction, fixed duration. Units are in the names."""

    frame_size: int
    frame_size_of: Literal["ipv4", "ipv6"]
    rate_fps: float
    duration_s: float
    timeout_s: float = 2.0
    directions: tuple[DirectionName, ...] = ("forward", "reverse")
    frame_timeout_ms: float | None = None
    purpose: str = "search"

    def record(self) -> dict[str, Any]:
        """As written to the journal."""
        return {**asdict(self), "directions": list(self.directions)}

    def fingerprint(self) -> str:
        """Equal for equal requests: what resuming compares."""
        return json.dumps(self.record(), sort_keys=True)

    def at(self, rate_fps: float, duration_s: float | None = None, purpose: str | None = None) -> TrialRequest:
        """The same with another rate."""
        return replace(
            self,
            rate_fps=rate_fps,
            duration_s=self.duration_s if duration_s is None else duration_s,
            purpose=self.purpose if purpose is None else purpose,
        )


@dataclass(frozen=True)
class DirectionOutcome:
    """One direction: frames sent and frames that came back exactly as they must, both classes together."""

    sent: int
    expected: int

    @property
    def loss_ratio(self) -> float:
        """RFC 2544 §26.3: (input - output) / input; 0 when nothing was sent."""
        return (self.sent - self.expected) / self.sent if self.sent else 0.0


@dataclass(frozen=True)
class Outcome:
    """What came of a trial. `number`: its place in the journal. An invalid one says nothing about the DUT."""

    number: int
    valid: bool
    reasons: tuple[tuple[str, str], ...]
    directions: Mapping[DirectionName, DirectionOutcome]

    def passed(self, tolerance: Mapping[DirectionName, float]) -> bool:
        """Whether each direction passes by itself: the sum would hide an asymmetry (RFC 9693 §4.7)."""
        return self.valid and all(
            direction.loss_ratio <= tolerance.get(name, 0.0) and direction.sent > 0
            for name, direction in self.directions.items()
        )

    @property
    def tester_too_slow(self) -> bool:
        """Invalid because the Tester can't do this rate."""
        return not self.valid and any(code in TESTER_TOO_SLOW for code, _ in self.reasons)

    @property
    def nothing_came(self) -> bool:
        """Whether in some direction not one frame came back as it must."""
        return self.valid and any(direction.expected == 0 for direction in self.directions.values())

    def loss_percent(self) -> dict[DirectionName, float]:
        """Loss in percent per direction."""
        return {name: 100 * direction.loss_ratio for name, direction in self.directions.items()}


Measure = Callable[[TrialRequest], Outcome]
"""Runs a trial. Raises MeasurementFailed if there can't be an outcome."""


class MeasurementFailed(Exception):
    """This run has no result; the message is one line for the report."""


def outcome_of(number: int, answer: TrialAnswer) -> Outcome:
    """The engine's answer as a procedure sees it."""
    return Outcome(
        number=number,
        valid=answer.valid,
        reasons=tuple((reason.code, reason.text) for reason in answer.reasons),
        directions={
            name: DirectionOutcome(
                sent=sum(counters.sent for _, counters in direction.classes()),
                expected=sum(counters.expected for _, counters in direction.classes()),
            )
            for name, direction in answer.directions()
        },
    )


def measure_valid(measure: Measure, request: TrialRequest, retries: int) -> list[Outcome]:
    """All attempts at one trial, the last one being what counts: valid, or invalid because the Tester is too slow.

    An invalid trial is repeated up to `retries` times. Raises MeasurementFailed if it is then still invalid for a
    reason that has nothing to do with the rate.
    """
    attempts: list[Outcome] = []
    for _ in range(retries + 1):
        attempts.append(measure(request))
        if attempts[-1].valid:
            return attempts
    if not attempts[-1].tester_too_slow:
        reasons = "; ".join(f"{code}: {text}" for code, text in attempts[-1].reasons) or "no reason given"
        raise MeasurementFailed(f"no valid trial at {request.rate_fps:g} fps in {retries + 1} attempts: {reasons}")
    return attempts
