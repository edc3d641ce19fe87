"""The elementary test of RFC 9693: N connections at a rate R, with or without validating that all are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.shortfall import shortfall
from xlatperf.procedures.timeout_check import check_after, timeout_check
from xlatperf.procedures.trial import Measure, MeasurementFailed, Trial, measure_valid
from xlatperf.procedures.trial_request import TrialRequest

Verdict = Literal["passed", "phase_1", "validation", "tester", "collapsed"]
"""What failed. `tester`: the Tester can't do this rate, nothing is known of the DUT."""

VERDICTS: dict[Verdict, str] = {
    "passed": "all came back, or as many as must",
    "phase_1": "phase 1 was not complete",
    "validation": "phase 1 was complete, the validation was not",
    "tester": "the Tester can't do this rate",
    "collapsed": "the DUT collapsed",
}


@dataclass(frozen=True)
class ElementaryTest:
    """One experiment. `..._lost`: frames that didn't come as they must; None: the phase did not take place, or was not
    valid. `shortfall`: what became of those of the phase that failed.

    `held_before` and `held`: entries in the DUT's connection tracking table, emptied, and after phase 1, where its
    driver can count them. `gap_s`: what lay between the phases. `offered_fps`: connections per second that phase 1
    really opened when asked for `rate_fps`.
    """

    connections: int
    rate_fps: float
    offered_fps: float
    validation_fps: float | None
    verdict: Verdict
    phase_1_lost: int | None
    validation_lost: int | None
    held_before: int | None
    held: int | None
    collapsed: str | None
    trials: tuple[int, ...]
    gap_s: float = 0.0
    shortfall: str = ""

    @property
    def seconds(self) -> float:
        """How long the DUT must keep the oldest connection, beside the wait for residual frames."""
        back_s = self.connections / self.validation_fps if self.validation_fps is not None else 0.0
        return self.connections / self.rate_fps + self.gap_s + back_s

    @property
    def worked(self) -> int | None:
        """How many connections worked in the last phase that took place and was valid."""
        lost = self.validation_lost if self.validation_lost is not None else self.phase_1_lost
        return self.connections - lost if lost is not None else None

    @property
    def lost_share(self) -> float:
        """Share of the connections that don't work; 1 if that isn't known."""
        known = [lost for lost in (self.phase_1_lost, self.validation_lost) if lost is not None]
        return max(known) / self.connections if known and self.verdict in ("phase_1", "validation") else 1.0

    @property
    def hopeless(self) -> bool:
        """A lower rate may be no better. (That it's the Tester doesn't say so: the lowest rate may take very long.)"""
        return self.phase_1_lost == self.connections

    def in_words(self) -> str:
        """For people, one line."""
        if self.verdict in ("phase_1", "validation") and self.shortfall:
            return f"{VERDICTS[self.verdict]}: {self.shortfall}"
        if self.verdict == "collapsed":
            return f"{VERDICTS[self.verdict]}: {self.collapsed}"
        return VERDICTS[self.verdict]


@dataclass
class ElementaryTests:
    """Runs them, and remembers what they said. `alpha`: validate at alpha times the rate (§4.6); None: don't."""

    trial: TrialRequest
    alpha: float | None
    retries: int
    measure: Measure
    tolerance: Mapping[DirectionName, float] = field(default_factory=dict)
    """The share of the frames that may be lost: forward of phase 1, reverse of the validation."""
    done: list[ElementaryTest] = field(default_factory=list)
    trials: list[int] = field(default_factory=list)
    kept_s: float = 0.0
    """The DUT is known to keep connections as long as this."""
    timeout_unclear: str | None = None
    """Why nothing is known of that."""

    def request(self, connections: int, rate_fps: float) -> TrialRequest:
        """Phase 1, or with validation both phases, as one experiment."""
        if self.alpha is None:
            return self.trial.experiment(Connections(connections, "establish"), rate_fps, "establish")
        may_lose = self.tolerance.get("forward", 0.0)
        wanted = Connections(connections, "each_once", establish_fps=rate_fps, may_lose=may_lose)
        return self.trial.experiment(wanted, self.alpha * rate_fps, "validate")

    def run(self, connections: int, rate_fps: float) -> ElementaryTest:
        """One elementary test. Raises MeasurementFailed if there is no valid trial, whatever the rate."""
        request = self.request(connections, rate_fps)
        attempts = measure_valid(self.measure, request, self.retries, self.tolerance)
        numbers = tuple(attempt.number for attempt in attempts)
        self.trials += numbers
        last = attempts[-1]
        first = last.first_phase
        experiment = last.experiment
        validated = self.alpha is not None and bool(last.directions) and last is not first
        verdict = self._verdict(last)
        test = ElementaryTest(
            connections=connections,
            rate_fps=rate_fps,
            offered_fps=first.offered_fps,
            validation_fps=request.rate_fps if self.alpha is not None else None,
            verdict=verdict,
            phase_1_lost=first.lost if first.valid and first.directions else None,
            validation_lost=last.lost if validated and last.valid else None,
            held_before=experiment.held_before if experiment is not None else None,
            held=experiment.held if experiment is not None else None,
            collapsed=last.collapsed,
            trials=numbers,
            gap_s=(experiment.gap_s or 0.0) if experiment is not None else 0.0,
            shortfall=_shortfall(verdict, first, last),
        )
        if test.verdict == "passed" and self.alpha is not None:
            self.kept_s = max(self.kept_s, test.seconds)
        self.done.append(test)
        return test

    def check_timeout(self, test: ElementaryTest) -> None:
        """After a validation that lost frames: is it only that the DUT forgets connections while it takes place?

        Raises MeasurementFailed if so: it is neither the rate's fault nor the table's.
        """
        if test.verdict != "validation" or test.seconds <= self.kept_s or self.timeout_unclear is not None:
            return
        easy_fps = max(done.rate_fps for done in self.done if done.verdict in ("passed", "validation"))
        check = check_after(self.trial, test.connections, easy_fps, test.seconds, self.retries)
        found = timeout_check(check, self.measure)
        self.trials += found.trials
        if found.verdict == "forgets":
            raise MeasurementFailed(found.text)
        if found.verdict == "unclear":
            self.timeout_unclear = found.text
        else:
            self.kept_s = max(self.kept_s, found.waited_s)

    def _verdict(self, last: Trial) -> Verdict:
        if last.collapsed is not None:
            return "collapsed"
        if not last.valid:
            return "tester"
        if self.alpha is None:
            return "passed" if last.passed(self.tolerance) else "phase_1"
        if not last.established:
            return "phase_1"
        if not last.passed(self.tolerance):
            return "validation"
        return "passed"


def _shortfall(verdict: Verdict, first: TrialAnswer, last: Trial) -> str:
    if verdict == "phase_1":
        return shortfall(first)
    return shortfall(last) if verdict == "validation" else ""
