"""Nobody watches a plan being made."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.runs import Run
from xlatperf.search.bisection import Progress


class Silent:
    """A reporter that says nothing."""

    def say(self, line: str) -> None:
        """Nothing."""

    def plan(self, runs: Sequence[Run]) -> None:
        """Nothing."""

    def run(self, run: Run) -> None:
        """Nothing."""

    def search(self, progress: Progress) -> None:
        """Nothing."""

    def trial(self, run: Run, request: TrialRequest, outcome: Trial | None, replayed: bool) -> None:
        """Nothing."""

    def result(self, run: Run, text: str) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""
