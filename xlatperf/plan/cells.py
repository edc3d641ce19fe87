"""What a bench file's campaign will be: trials and time of each of its cells, in the order in which it measures them.

The procedures themselves run, against devices that are only numbers (`modelled`): what they ask for is counted. So the
least and the most are those of these devices, not bounds of all that there can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import get_args

from xlatperf.config.bench import Bench
from xlatperf.plan.modelled import Modelled, models
from xlatperf.plan.trial_time import trial_s
from xlatperf.procedures.trial import Measure, Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.selftest_records import SelfTest
from xlatperf.run.cell_result import CellResult
from xlatperf.run.known_limits import KnownLimits
from xlatperf.run.measure_cell import measure_cell
from xlatperf.run.runs import Beside, Cell, Run, cells
from xlatperf.run.tester import Sizes
from xlatperf.run.timeouts import Timeouts
from xlatperf.search.bisection import Progress


@dataclass
class Asked:
    """What a device was asked for. `connections`: the most at once; `highest_fps`: per direction."""

    trials: int = 0
    seconds: float = 0.0
    connections: int = 0
    highest_fps: float = 0.0

    def __add__(self, other: Asked) -> Asked:
        return Asked(
            self.trials + other.trials,
            self.seconds + other.seconds,
            max(self.connections, other.connections),
            max(self.highest_fps, other.highest_fps),
        )

    def times(self, count: int) -> Asked:
        """So often."""
        return Asked(self.trials * count, self.seconds * count, self.connections, self.highest_fps)


@dataclass(frozen=True)
class PlannedCell:
    """`known`: sizes and rates. `each`: of every device, what a repetition asks for; `once`: what comes beside it."""

    cell: Cell
    known: CellResult
    each: tuple[Asked, ...]
    once: tuple[Asked, ...]

    @property
    def repetitions(self) -> int:
        """N."""
        return self.cell.measure.repetitions

    @property
    def media_supposed(self) -> bool:
        """Whether its highest rate is that of media that nobody has named: ports aren't asked before they are used."""
        known = self.known.conditions
        return self.cell.measure.media_mbps is None and known.maximum_fps == known.theoretical_fps

    @property
    def all_of_it(self) -> tuple[Asked, ...]:
        """Of every device, all repetitions together."""
        return tuple(each.times(self.repetitions) + once for each, once in zip(self.each, self.once, strict=True))


@dataclass
class _Device:
    """A modelled device in a campaign: what it answers, and what it was asked for by each run."""

    modelled: Modelled
    done: dict[str, CellResult] = field(default_factory=dict)
    longest_gap_s: float = 0.0
    asked: dict[str, Asked] = field(default_factory=dict)
    _number: int = 0

    def measure(self, run: Run) -> Measure:
        """As a campaign's."""
        asked = self.asked.setdefault(run.key, Asked())

        def measure(request: TrialRequest) -> Trial:
            conditions = self.done[run.cell.key].conditions
            told = self.modelled.trial(run.cell, conditions, request)
            wanted, measured = request.connections, run.cell.measure
            asked.trials += 1
            asked.seconds += trial_s(measured, request)
            if not request.tester_alone:
                asked.connections = max(asked.connections, 0 if wanted is None else wanted.count)
                phase_1_fps = wanted.establish_fps if wanted is not None else None
                asked.highest_fps = max(asked.highest_fps, request.rate_fps, phase_1_fps or 0.0)
            self._number += 1
            return Trial.of(self._number, run.key, request, told)

        return measure


class _Nobody:
    """Watches a plan being made."""

    def say(self, line: str) -> None:
        """Is told nothing."""

    def search(self, progress: Progress) -> None:
        """Is told nothing."""

    def result(self, run: Run, text: str) -> None:
        """Is told nothing."""


class _Known:
    """Sizes are asked for once: the engine makes frames for it."""

    def __init__(self, sizes: Sizes) -> None:
        self.sizes = cache(sizes.sizes)
        self.media_mbps = cache(sizes.media_mbps)


def planned_cells(bench: Bench, sizes: Sizes, least_fps: float = 0.0) -> list[PlannedCell]:
    """In order. `least_fps`: no modelled device is slower. Raises EngineError, EngineDied."""
    order, known = cells(bench), _Known(sizes)
    devices = [_campaign(bench, order, known, modelled) for modelled in models(least_fps)]
    return [
        PlannedCell(
            cell,
            devices[0].done[cell.key],
            tuple(device.asked.get(Run(cell, 1).key, Asked()) for device in devices),
            tuple(_once(cell, device) for device in devices),
        )
        for cell in order
    ]


def _campaign(bench: Bench, order: Sequence[Cell], sizes: Sizes, modelled: Modelled) -> _Device:
    """The first repetition of each cell: all others ask for the same."""
    device, nobody = _Device(modelled), _Nobody()
    timeouts, limits = Timeouts(bench, device), KnownLimits(SelfTest())
    for cell in order:
        measure_cell(bench, Run(cell, 1), device.done, sizes, limits, device, nobody, timeouts)
    return device


def _once(cell: Cell, device: _Device) -> Asked:
    """The Tester alone, and whether the DUT keeps its connections."""
    return sum((device.asked.get(Run(cell, 0, beside).key, Asked()) for beside in get_args(Beside)), Asked())
