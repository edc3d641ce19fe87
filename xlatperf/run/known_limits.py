"""The Tester's limits in a campaign: those of the self-test, until the campaign's own trials do more.

A stall of the host may have spoilt the self-test. What a trial of the campaign sent in time, received and verified, is
no limit of the Tester.
"""

from __future__ import annotations

from collections.abc import Callable

from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import WITHOUT_LOAD, TrialRequest
from xlatperf.results.selftest_records import SelfTest, SelfTestEntry
from xlatperf.run.runs import Cell, Run
from xlatperf.run.selftest import Choice, limit_for, of_choice


class KnownLimits:
    """What is known of the Tester alone by now."""

    def __init__(self, selftest: SelfTest, say: Callable[[str], None] = lambda _: None) -> None:
        self.selftest = selftest
        self._say = say

    def of(self, cell: Cell) -> float | None:
        """Frames/s per direction; None: unknown, or none was found."""
        return limit_for(self.selftest.entries, Choice.of_series(cell.series, cell.measure))

    def saw(self, run: Run, request: TrialRequest, outcome: Trial | None) -> None:
        """A trial of the campaign has ended: if it did more than the self-test found possible, that was wrong."""
        if outcome is None or request.tester_alone or request.purpose in WITHOUT_LOAD or not outcome.passed({}):
            return
        measure = run.cell.measure
        phase = None if request.connections is None else request.connections.phase
        if phase != measure.selftest_phase:
            return
        choice, fps = Choice.of_series(run.cell.series, measure), outcome.offered_fps
        if len(outcome.directions) < len(choice.directions):
            return
        before = self.selftest.entries
        after = tuple(_corrected(entry, choice, fps, outcome.number) for entry in before)
        if after == before:
            return
        self.selftest = self.selftest.model_copy(update={"entries": after})
        said = next(one for one, other in zip(after, before, strict=True) if one != other)
        self._say(
            f"  the self-test over {said.driver} found {said.found_fps:,.0f} fps, but this trial did {fps:,.0f}: "
            "that is the limit now"
        )


def _corrected(entry: SelfTestEntry, choice: Choice, fps: float, trial: int) -> SelfTestEntry:
    if not of_choice(entry, choice) or entry.ceiling_fps is not None or entry.limit_fps >= fps:
        return entry
    found = entry.found_fps if entry.found_fps is not None else entry.limit_fps
    reason = f"the self-test found {found:,.0f} fps; trial {trial} of the campaign did more"
    return entry.model_copy(update={"limit_fps": fps, "found_fps": found, "reason": reason})
