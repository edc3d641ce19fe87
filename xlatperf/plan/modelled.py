"""A device that is only numbers: the procedures run against several of them tell how many trials a search takes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.plan.answers import after_phase_1, answer, deleted
from xlatperf.procedures.capacity_keys import MOST_BY_ITSELF
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.trial_request import SHORTEST_S, TIMEOUT, TrialRequest
from xlatperf.run.runs import Cell

LEAST_FPS = 100.0
"""The lowest rate of a device where a measure names none."""
RATES = 16
"""So many steps lie between the lowest rate and the highest one."""
COLLAPSING = 0.05
"""Of its rate, a device that collapses under overload forwards so much."""
NO_BURST = 0.5
"""Of the shortest burst that the Tester sends, the smallest buffer takes so much."""


@dataclass(frozen=True)
class Modelled:
    """`rate`: where its rates lie between the lowest of each search, 0, and the highest, 1, on a logarithmic scale;
    `table`: the same of how many connections it holds, between those that a search begins with and the most.

    `overload`: of its rate, what it forwards when it's offered more. `filling`: what remains of its establishment rate
    with twice the connections. `least_fps`: it's not slower than that.
    """

    rate: float = 1.0
    table: float = 1.0
    overload: float = 1.0
    filling: float = 1.0
    least_fps: float = 0.0

    def trial(self, cell: Cell, conditions: Conditions, request: TrialRequest) -> TrialAnswer:
        """What comes of it."""
        measure, wanted = cell.measure, request.connections
        if request.tester_alone:
            return answer(request, 1.0)
        if request.purpose == TIMEOUT:
            return after_phase_1(request, 1.0, 1.0)
        if wanted is None:
            return answer(request, self._forwarded(measure, conditions, request))
        if wanted.clear:
            return deleted(request)
        first_fps = request.rate_fps if wanted.phase == "establish" else wanted.establish_fps or 0.0
        opened = self._of(first_fps, self._establish_fps(measure, conditions, wanted.count))
        if wanted.phase == "establish":
            return answer(request, min(opened, self._held(cell, conditions, wanted.count)))
        if wanted.phase == "each_once":
            return after_phase_1(request, opened, self._held(cell, conditions, wanted.count))
        return after_phase_1(request, 1.0, self._forwarded(measure, conditions, request))

    def _of(self, offered_fps: float, limit_fps: float) -> float:
        """The share that comes through."""
        return 1.0 if offered_fps <= limit_fps else limit_fps * self.overload / offered_fps

    def _fps(self, measure: Procedure, conditions: Conditions) -> float:
        """Its rate, in the range of these trials."""
        most = conditions.most_fps
        return _between(min(max(measure.lowest_fps or LEAST_FPS, self.least_fps), most), most, self.rate)

    def _establish_fps(self, measure: Procedure, conditions: Conditions, count: int) -> float:
        fps, first = self._fps(measure, conditions), measure.least_connections
        if not first or count <= first or self.filling == 1:
            return fps
        return max(self.least_fps, fps * 2 ** (log2(count / first) * log2(self.filling)))

    def _held(self, cell: Cell, conditions: Conditions, count: int) -> float:
        """The share of the connections that it holds; all, where nobody asks how many that are."""
        first, told = cell.measure.least_connections, cell.series.table_size
        if not first:
            return 1.0
        most = cell.measure.most_connections(conditions.most_connections or MOST_BY_ITSELF)
        return min(1.0, _between(first, most if told is None else min(most, told), self.table) / count)

    def _forwarded(self, measure: Procedure, conditions: Conditions, request: TrialRequest) -> float:
        """The share of the frames; of a burst, what fits into its buffer."""
        if request.purpose == "burst":
            shortest = max(1.0, ceil(conditions.top_fps * SHORTEST_S))
            longest = max(shortest, conditions.top_fps * conditions.trial.duration_s)
            return min(1.0, _between(shortest * NO_BURST, longest, self.rate) / max(1, request.frames))
        return self._of(request.rate_fps, self._fps(measure, conditions))


def _between(least: float, most: float, at: float) -> float:
    return float(least * max(1.0, most / least) ** at)


def models(least_fps: float = 0.0) -> tuple[Modelled, ...]:
    """One that passes everything, then others: slower, with less room, collapsing, slowing down as they fill."""
    steps = [step / RATES for step in range(RATES, -1, -1)]
    return (
        *(Modelled(step, step, least_fps=least_fps) for step in steps),
        *(Modelled(step, step, overload=COLLAPSING, least_fps=least_fps) for step in steps[1::2]),
        *(
            Modelled(rate, table, filling=left, least_fps=least_fps)
            for rate in (0.75, 1.0)
            for table in (0.5, 1.0)
            for left in (0.5, 0.8)
        ),
    )
