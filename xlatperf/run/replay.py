"""The `measure` that a campaign gives to procedures: first the journal's trials, then new ones.

A procedure is a pure function of the outcomes. So replaying what the journal has brings it exactly to where it was,
and from there on it asks for the trials that are missing.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.failures import Exit, KnownFailure
from xlatperf.files.writing import own_folder, whole
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.procedures.trial import NOT_MEASURED, Measure, Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.histograms import name_of, take_out
from xlatperf.run import raw_delays
from xlatperf.run.experiment import FRAME_TAGS, frame_tags
from xlatperf.run.journal import Journal
from xlatperf.run.runs import Run
from xlatperf.run.tester import Tester


class OtherBench(KnownFailure):
    """The journal's trials are not those that this bench asks for."""


class NotMeasured(KnownFailure):
    """A trial could not take place: link down, stopped, or the DUT fell silent. The campaign can go on from here."""

    exit_code = Exit.MEASUREMENT_FAILED


def _is_none(trial: Trial) -> bool:
    """Whether it never really took place: then it is measured again, and no procedure sees it."""
    codes = {reason.code for reason in trial.reasons} & NOT_MEASURED
    if trial.request.sees_outages:
        codes -= {"link_down", "fell_silent"}  # the procedure knows what that means
    if trial.collapsed is not None:
        codes -= {"link_down"}
    return bool(codes)


class Replay:
    """Outcomes from the journal as long as there are any, then from the Tester."""

    def __init__(
        self,
        journal: Journal,
        tester: Tester,
        *,
        sessions: int = 0,
        on_trial: Callable[[Run, TrialRequest, Trial | None, bool], None] = lambda *_: None,
    ) -> None:
        """`sessions`: how often the campaign was started before; a killed trial's tag is then not used again at once.

        `on_trial(run, request, outcome, replayed)` is called before (outcome None) and after each trial.
        """
        self._journal = journal
        self._tester = tester
        self._on_trial = on_trial
        self.longest_gap_s = 0.0
        self._waiting: dict[str, deque[Trial]] = defaultdict(deque)
        for entry in journal.entries:
            self._waiting[entry.run].append(entry)
        last = (journal.entries[-1].frame_tag or 0) if journal.entries else -1
        self._next_tag = (last + 1 + sessions) % FRAME_TAGS

    def measure(self, run: Run) -> Measure:
        """The `measure` of one run."""

        def measure(request: TrialRequest) -> Trial:
            known = self._known(run, request) or self._new(run, request)
            if known.experiment is not None:
                self.longest_gap_s = max(self.longest_gap_s, known.experiment.gap_s or 0.0)
            return known

        return measure

    def left_over(self) -> list[str]:
        """Runs of the journal of which trials were not asked for."""
        return [run for run, entries in self._waiting.items() if entries]

    def _check(self, entry: Trial, request: TrialRequest) -> None:
        if entry.request != request:
            raise OtherBench(
                f"{self._journal.path.parent}: this folder belongs to another bench file or another version: trial "
                f"{entry.number} of {entry.run} was {entry.request.rate_fps:g} fps for {entry.request.duration_s:g} s, "
                f"now {request.rate_fps:g} fps for {request.duration_s:g} s is asked for"
            )

    def _known(self, run: Run, request: TrialRequest) -> Trial | None:
        """From the journal; what was no trial is shown, and the one behind it counts."""
        waiting = self._waiting[run.key]
        while waiting:
            entry = waiting.popleft()
            self._check(entry, request)
            self._on_trial(run, request, entry, True)
            if not _is_none(entry):
                return entry
        return None

    def _new(self, run: Run, request: TrialRequest) -> Trial:
        """Measured now. One that was none is in the journal as well: the DUT has counted its frames.

        Raises NotMeasured, NoAnswer.
        """
        for _ in range(run.cell.measure.retries + 1):
            self._on_trial(run, request, None, False)
            silent: NoAnswer | None = None
            started, clock = datetime.now(UTC), time.monotonic()
            tag = self._tag(frame_tags(request))
            try:
                answer = self._tester.trial(run, request, tag)
            except NoAnswer as problem:
                if problem.answer is None:
                    raise
                silent, answer = problem, problem.answer
            times = {
                "started": started.isoformat(timespec="milliseconds"),
                "wall_s": round(time.monotonic() - clock, 3),
            }
            measured = self._keep(run, request, answer, tag, times)
            self._on_trial(run, request, measured, False)
            if not _is_none(measured):
                return measured
            if silent is not None:
                raise silent
        texts = "; ".join(f"{reason.code}: {reason.text}" for reason in answer.reasons)
        raise NotMeasured(f"{run.key}: no trial possible: {texts}")

    def _keep(self, run: Run, request: TrialRequest, answer: TrialAnswer, tag: int, times: Mapping[str, Any]) -> Trial:
        """In the journal, and what belongs to it in files beside."""
        answer, histograms = take_out(answer)
        number = len(self._journal.entries)
        changed: dict[str, Any] = {"frame_tag": tag + frame_tags(request) - 1}
        if histograms:
            self._keep_histograms(histograms, run, number)
        if answer.raw_delays:
            changed["raw_delays"] = raw_delays.keep(answer.raw_delays, number)
        return self._journal.append(run.key, request, answer.model_copy(update=changed), times)

    def _tag(self, count: int) -> int:
        """The first of so many successive frame tags; the journal has the last one."""
        first = self._next_tag if self._next_tag + count <= FRAME_TAGS else 0
        self._next_tag = (first + count) % FRAME_TAGS
        return first

    def _keep_histograms(self, histograms: dict[str, Any], run: Run, number: int) -> None:
        """On disk before the journal says that the trial took place. A trial that is measured again replaces it."""
        path = self._journal.path.parent / name_of(number)
        own_folder(path.parent)
        with whole(path) as file:
            json.dump({"trial": number, "run": run.key, **histograms}, file, separators=(",", ":"))
