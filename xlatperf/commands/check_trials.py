"""`xlatperf check`: trials as procedures ask for them, each with a number of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from xlatperf.config.bench import Bench
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.about import About
from xlatperf.meaning.lost_frames import unexplained
from xlatperf.procedures.first_look import LOST_AMONG
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import FENCE, TrialRequest
from xlatperf.run.experiment import FRAME_TAGS, Experiments, frame_tags
from xlatperf.run.session import Session
from xlatperf.run.tester import trial_message

SHOWING, SHOWING_S = 2000, 5.0
"""So many frames, if that takes no longer, show who is lost where fewer don't."""
ATTEMPTS = 3
"""Trials that are invalid are repeated, and those in which a hold-up of the Tester may have cost the DUT frames."""


class CheckTrials:
    """Runs them on what the engine is configured for, with connections as an experiment (RFC 9693 §4.4)."""

    def __init__(self, bench: Bench, running: Session, first_tag: int) -> None:
        """`first_tag`: beyond those of other trials of the check."""
        self._bench = bench
        self._engine = running.engine
        self._fences = running.fences
        self._tag = first_tag
        self._experiments = Experiments(running.engine, running.device, self._plain, old=running.old)

    def configure(self, message: dict[str, Any]) -> None:
        """The engine, which then knows no connections. Raises EngineError, EngineDied."""
        self._engine.configure(message)
        self._experiments.old.forget()

    def measure(self, request: TrialRequest) -> Trial:
        """One trial. Raises EngineError, EngineDied, DeviceError."""
        return Trial.of(self._tag, "check", request, self._answer(request))

    def undisturbed(self, request: TrialRequest) -> Trial:
        """The first such trial with a fence, or the last valid one, or the last attempt. Raises as `measure`."""
        valid: Trial | None = None
        for _ in range(ATTEMPTS):
            trial = self.measure(replace(request, fence=FENCE))
            if trial.valid:
                valid = trial
                if not _lost_after_stall(trial):
                    break
        return trial if valid is None else valid

    def showing_who(self, request: TrialRequest, about: About, say: Callable[[str], None]) -> Trial:
        """An undisturbed trial, or one with more frames where some are lost and so few don't show who. Raises so."""
        trial = self.undisturbed(request)
        more = min(SHOWING, int(request.rate_fps * SHOWING_S))
        if not trial.valid or more <= request.frames or not unexplained(trial, about):
            return trial
        say(f"some are lost, and so few don't show who: trying {more:,}")
        again = self.undisturbed(request.at(request.rate_fps, more / request.rate_fps))
        return again if again.valid and any(one.loss for one in again.directions.values()) else trial

    def _answer(self, request: TrialRequest) -> TrialAnswer:
        tag = self._tag
        self._tag = (self._tag + frame_tags(request)) % (FRAME_TAGS - 4)  # an experiment has a few in a row
        run = self._plain if request.connections is None else self._experiments.run
        return run(request, tag)

    def _plain(self, request: TrialRequest, tag: int) -> TrialAnswer:
        told = {"lost_among": LOST_AMONG, **self._fences.asked(request)}
        message = {**trial_message(self._bench, request, tag), **told}
        return self._fences.saw(self._engine.trial(message))


def _lost_after_stall(trial: Trial) -> bool:
    """Whether any lost frame left faster than it was due, in any phase: those behind it met the queue that it made.

    Not where most of a class are missing: that's no queue, and a DUT sends the errors that say why only so often.
    """
    return any(
        direction.departure.lost_after_stall > 0
        and all(2 * counters.lost < counters.sent for counters in direction.classes.values())
        for phase in trial.phases
        for direction in phase.directions.values()
    )
