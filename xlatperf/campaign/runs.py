"""The matrix of runs: measure x series x mix x frame size x repetition. A run is one search, one sweep or one trial."""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.config.bench import Bench
from xlatperf.config.measure import AtRate, FrameLoss, Measure, Throughput
from xlatperf.procedures.trial import DirectionName, TrialRequest


@dataclass(frozen=True)
class Cell:
    """One cell of the matrix: everything but the repetition.

    A measure has several series if it has a frame timeout (throughput with and without it) or shares of the throughput.
    """

    index: int
    measure: Measure
    mix: tuple[int, int]
    frame_size: int
    frame_timeout_ms: float | None = None
    share: float | None = None

    @property
    def name(self) -> str:
        """The series' name in the report."""
        name = self.measure.name or self.measure.procedure.replace("_", " ")
        if self.frame_timeout_ms is not None and isinstance(self.measure, Throughput):
            return f"{name} with frame timeout {self.frame_timeout_ms:g} ms"
        if self.share is not None and isinstance(self.measure, AtRate) and len(self.measure.shares) > 1:
            return f"{name} at {100 * self.share:g} % of the throughput"
        return name

    @property
    def key(self) -> str:
        """Unlike all other cells' keys, and the same each time the campaign is started."""
        take, of = self.mix
        measure = self.measure
        series = f"/share={self.share:g}" if self.share is not None else ""
        if self.frame_timeout_ms is not None:
            series += f"/frame_timeout={self.frame_timeout_ms:g}ms"
        place = f"{self.index + 1}-{measure.procedure}/mix={take}of{of}/size={self.frame_size}/{measure.direction}"
        return place + series

    @property
    def directions(self) -> tuple[DirectionName, ...]:
        """The directions that send at once."""
        if self.measure.direction == "bidirectional":
            return ("forward", "reverse")
        return (self.measure.direction,)


@dataclass(frozen=True)
class Run:
    """One repetition of a cell, numbered from 1; 0: the Tester alone, to be shown beside."""

    cell: Cell
    repetition: int

    @property
    def key(self) -> str:
        """The run's name in journal and results."""
        return f"{self.cell.key}/{self.repetition or 'tester-alone'}"


def _series(measure: Measure) -> list[tuple[float | None, float | None]]:
    """Frame timeout in ms and share of the throughput, of each series."""
    if isinstance(measure, Throughput) and measure.frame_timeout_ms is not None:
        return [(None, None), (measure.frame_timeout_ms, None)]
    if isinstance(measure, FrameLoss):
        return [(measure.frame_timeout_ms, None)]  # both results come from the same trials
    if isinstance(measure, AtRate) and measure.rate_fps is None:
        return [(None, share) for share in measure.shares]
    return [(None, None)]


def cells(bench: Bench) -> list[Cell]:
    """The matrix in the order it is measured: throughput first, because others need it (RFC 8219 §7.2)."""
    found = [
        Cell(index, measure, mix, size, timeout, share)
        for index, measure in enumerate(bench.measure)
        for mix in bench.traffic.mix
        for size in measure.frame_sizes
        for timeout, share in _series(measure)
    ]
    return sorted(found, key=lambda cell: not isinstance(cell.measure, Throughput))


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
        frame_timeout_ms=cell.frame_timeout_ms,
    )
