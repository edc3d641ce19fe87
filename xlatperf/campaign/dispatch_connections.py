"""From a cell to the procedures of RFC 9693 that measure connections, and to the check of the DUT's timeout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xlatperf.campaign.assemble import CellResult
from xlatperf.campaign.handover import establish_fps_for
from xlatperf.campaign.runs import Cell, Run, cells, trial_template
from xlatperf.config.bench import Bench
from xlatperf.config.measure import Capacity, ConnectionRates, Establishment, SystemRecovery, Teardown, TrafficMeasure
from xlatperf.procedures.capacity import CapacitySearch, capacity
from xlatperf.procedures.capacity_result import CapacityResult
from xlatperf.procedures.establishment import EstablishmentResult, EstablishmentSearch, establishment
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.teardown import TearDown, teardown
from xlatperf.procedures.timeout_check import TimeoutCheck, TimeoutFound, timeout_check
from xlatperf.procedures.trial import Measure, MeasurementFailed, TrialRequest
from xlatperf.search.bisection import Progress, StopWidth

if TYPE_CHECKING:
    from xlatperf.campaign.replay import Replay

MOST_BY_ITSELF = 10_000_000
"""Up to so many connections the search for the capacity goes without being told to go further."""


def measure_connections(
    bench: Bench,
    cell: Cell,
    known: CellResult,
    trial: TrialRequest,
    measure: Measure,
    progress: Callable[[Progress], None],
) -> EstablishmentResult | CapacityResult | Measured:
    """One repetition. Raises MeasurementFailed."""
    wanted, frame = cell.measure, known.frame
    if isinstance(wanted, Establishment):
        search = EstablishmentSearch(
            trial=trial,
            connections=cell.connections or 1,
            minimum_fps=wanted.minimum_fps,
            maximum_fps=frame.maximum_fps,
            stop=_stop(wanted),
            alpha=wanted.alpha,
            retries=wanted.retries,
            tester_limit_fps=frame.tester_limit_fps,
        )
        return establishment(search, measure, progress)
    if isinstance(wanted, Capacity):
        table = CapacitySearch(
            trial=trial,
            initial=wanted.safe_connections,
            most=most_connections(bench, wanted, cell.subscribers),
            minimum_fps=wanted.minimum_fps,
            maximum_fps=frame.maximum_fps,
            stop=_stop(wanted),
            error=wanted.tolerated_error,
            alpha=wanted.alpha,
            beta=wanted.beta,
            gamma=wanted.gamma,
            shortest_s=wanted.minimum_phase_1_s,
            repeats=wanted.maximum_repeats,
            retries=wanted.retries,
            tester_limit_fps=frame.tester_limit_fps,
        )
        return capacity(table, measure, progress)
    assert isinstance(wanted, Teardown)  # noqa: S101 - the caller knows only these three
    return teardown(TearDown(trial, cell.connections or 1, known.establish_fps or 0.0, retries=wanted.retries), measure)


def most_connections(bench: Bench, wanted: Capacity, subscribers: int | None) -> int:
    """Where the search for the capacity ends."""
    if wanted.maximum_connections is not None:
        return wanted.maximum_connections
    return max(wanted.safe_connections, min(MOST_BY_ITSELF, bench.four_tuples(subscribers).size))


def _stop(wanted: ConnectionRates) -> StopWidth:
    percent = wanted.stop_width_percent
    return StopWidth(wanted.stop_width_fps, percent / 100 if percent is not None else None)


def needed_s(cell: Cell, establish_fps: float, gap_s: float) -> float:
    """How long the DUT must keep a connection for phase 1, the gap and phase 2 (RFC 9693 §4.4), to the millisecond.

    It is what a trial waits, so that what was waited for isn't less than what is needed by a fraction of that.
    `gap_s`: what lay between the phases beside the wait for residual frames, in the experiments so far.
    """
    measure = cell.measure
    if not isinstance(measure, TrafficMeasure):
        return 0.0
    sending_s = measure.duration_s + (measure.reduced_s if isinstance(measure, SystemRecovery) else 0.0)
    return round((cell.connections or 0) / establish_fps + measure.timeout_s + gap_s + sending_s, 3)


@dataclass
class Timeouts:
    """What is known of how long the DUT keeps connections: checked once for the longest measure, if it does."""

    bench: Bench
    replay: Replay
    kept_s: float = 0.0
    forgotten: TimeoutFound | None = None
    checks: tuple[tuple[Cell, TimeoutFound], ...] = ()
    unclear: bool = False

    def check(self, cell: Cell, establish_fps: float, done: Mapping[str, CellResult]) -> None:
        """Before a phase 2. Raises MeasurementFailed if the DUT forgets connections during it."""
        need = needed_s(cell, establish_fps, self.replay.longest_gap_s)
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
        found = timeout_check(check, self.replay.measure(Run(cell, 0, "timeout-check")))
        self.checks += ((cell, found),)
        if found.verdict == "remembers":
            self.kept_s = max(self.kept_s, seconds)
        elif found.verdict == "forgets":
            self.forgotten = found
        else:
            self.unclear = True

    def _longest(self, done: Mapping[str, CellResult]) -> float:
        times = [0.0]
        for cell in cells(self.bench):
            if isinstance(cell.measure, TrafficMeasure) and cell.connections is not None:
                try:
                    rate_fps = establish_fps_for(self.bench, cell, done) or 1.0
                    times.append(needed_s(cell, rate_fps, self.replay.longest_gap_s))
                except MeasurementFailed:
                    continue
        return max(times)
