"""Where the trials of runs come from: a campaign's Tester and journal, or a device that is only modelled."""

from __future__ import annotations

from typing import Protocol

from xlatperf.procedures.trial import Measure
from xlatperf.run.runs import Run


class Measures(Protocol):
    """Gives each run its trials. `longest_gap_s`: what lay between two phases of an experiment so far, at most."""

    longest_gap_s: float

    def measure(self, run: Run) -> Measure:
        """The `measure` of one run."""
        ...
