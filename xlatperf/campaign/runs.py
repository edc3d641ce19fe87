"""The matrix of runs: measure x mix x frame size x repetition. A run is one search or one sweep."""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.config.bench import Bench
from xlatperf.config.measure import FrameLoss, Throughput
from xlatperf.procedures.trial import DirectionName, TrialRequest


@dataclass(frozen=True)
class Cell:
    """One cell of the matrix: everything but the repetition."""

    index: int
    measure: Throughput | FrameLoss
    mix: tuple[int, int]
    frame_size: int

    @property
    def name(self) -> str:
        """The measure's name in the report."""
        return self.measure.name or self.measure.procedure.replace("_", " ")

    @property
    def key(self) -> str:
        """Unlike all other cells' keys, and the same each time the campaign is started."""
        take, of = self.mix
        measure = self.measure
        return f"{self.index + 1}-{measure.procedure}/mix={take}of{of}/size={self.frame_size}/{measure.direction}"

    @property
    def directions(self) -> tuple[DirectionName, ...]:
        """The directions that send at once."""
        if self.measure.direction == "bidirectional":
            return ("forward", "reverse")
        return (self.measure.direction,)


@dataclass(frozen=True)
class Run:
    """One repetition of a cell, numbered from 1."""

    cell: Cell
    repetition: int

    @property
    def key(self) -> str:
        """The run's name in journal and results."""
        return f"{self.cell.key}/{self.repetition}"


def cells(bench: Bench) -> list[Cell]:
    """The matrix in the order it is measured."""
    return [
        Cell(index, measure, mix, size)
        for index, measure in enumerate(bench.measure)
        for mix in bench.traffic.mix
        for size in measure.frame_sizes
    ]


def runs(bench: Bench) -> list[Run]:
    """All repetitions of all cells in the order they are measured."""
    return [Run(cell, number) for cell in cells(bench) for number in range(1, cell.measure.repetitions + 1)]


def trial_template(bench: Bench, cell: Cell) -> TrialRequest:
    """The trial that the cell's procedure varies in rate (and duration)."""
    measure = cell.measure
    return TrialRequest(
        frame_size=cell.frame_size,
        frame_size_of=bench.traffic.frame_size_of,
        rate_fps=1.0,
        duration_s=measure.duration_s,
        timeout_s=measure.timeout_s,
        directions=cell.directions,
        frame_timeout_ms=measure.frame_timeout_ms,
    )
