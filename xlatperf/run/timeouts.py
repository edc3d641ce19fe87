"""Whether the DUT keeps connections as long as the measures need: checked before the first phase 2 (RFC 9693 §4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xlatperf.config.bench import Bench
from xlatperf.procedures.timeout_check import TimeoutCheck, TimeoutFound, timeout_check
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.run.cell_result import CellResult
from xlatperf.run.handover import establish_fps_for
from xlatperf.run.measures import Measures
from xlatperf.run.runs import Cell, Run, cells, trial_template


def needed_s(cell: Cell, establish_fps: float, gap_s: float) -> float:
    """How long the DUT must keep a connection for phase 1, the gap and phase 2 (RFC 9693 §4.4), to the millisecond.

    It is what a trial waits, so that what was waited for isn't less than what is needed by a fraction of that.
    `gap_s`: what lay between the phases beside the wait for residual frames, in the experiments so far.
    """
    measure = cell.measure
    if not measure.sending_s:
        return 0.0
    return round((cell.connections or 0) / establish_fps + measure.timeout_s + gap_s + measure.sending_s, 3)


@dataclass
class Timeouts:
    """What is known of how long the DUT keeps connections: checked once for the longest measure, if it does."""

    bench: Bench
    measures: Measures
    kept_s: float = 0.0
    forgotten: TimeoutFound | None = None
    checks: tuple[TimeoutFound, ...] = ()
    unclear: bool = False

    def check(self, cell: Cell, establish_fps: float, done: Mapping[str, CellResult]) -> None:
        """Before a phase 2. Raises MeasurementFailed if the DUT forgets connections during it."""
        need = needed_s(cell, establish_fps, self.measures.longest_gap_s)
        if not self.checks:
            self._run(cell, max(need, self._longest(done)))
        if self.unclear or need <= self.kept_s:
            return
        if self.forgotten is not None and need < self.forgotten.waited_s:
            self._run(cell, need)
        if self.forgotten is not None and need >= self.forgotten.waited_s:
            raise MeasurementFailed(self.forgotten.text)

    def _run(self, cell: Cell, seconds: float) -> None:
        trial = trial_template(self.bench, cell)
        check = TimeoutCheck(trial, cell.connections or 1, seconds, retries=cell.measure.retries)
        found = timeout_check(check, self.measures.measure(Run(cell, 0, "timeout-check")))
        self.checks += (found,)
        if found.verdict == "remembers":
            self.kept_s = max(self.kept_s, seconds)
        elif found.verdict == "forgets":
            self.forgotten = found
        else:
            self.unclear = True

    def _longest(self, done: Mapping[str, CellResult]) -> float:
        times = [0.0]
        for cell in cells(self.bench):
            if cell.measure.sending_s and cell.connections is not None:
                try:
                    rate_fps = establish_fps_for(self.bench, cell, done) or 1.0
                    times.append(needed_s(cell, rate_fps, self.measures.longest_gap_s))
                except MeasurementFailed:
                    continue
        return max(times)
