"""The matrix of runs: measure x series x mix x frame size x repetition. A run is one search, one sweep or one trial."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from xlatperf.config.bench import Bench
from xlatperf.config.request import ALL_FOREGROUND
from xlatperf.engine.message import DirectionName
from xlatperf.keys.in_words import plural
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.incremental import Incremental
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.registry import order
from xlatperf.procedures.series import Series
from xlatperf.procedures.size_mix import in_turn
from xlatperf.procedures.trial_request import TrialRequest

_COUNTED = {
    "connections": "connection",
    "subscribers": "subscriber",
    "networks": "network",
    "flows": "flow",
    "device_cores": "core",
    "table_size": "table size",
    "hash_size": "hash size",
}
_SIZES = ("table_size", "hash_size")
_IN_KEYS = {
    **{name: name for name in Series._fields if name not in ("frame_size", "mixed")},
    "device_cores": "cores",
    "table_size": "table",
    "hash_size": "hash",
}


@dataclass(frozen=True)
class Cell:
    """One cell of the matrix: everything but the repetition.

    A measure has several series if it has a frame timeout (throughput with and without it), shares of the throughput,
    numbers of connections, of subscribers or of cores, or columns. `measure`: as it is in its column.
    """

    index: int
    measure: Procedure
    mix: tuple[int, int]
    series: Series
    frame_timeout_ms: float | None = None
    share: float | None = None
    column: int | None = None

    @property
    def frame_size(self) -> int:
        """That the bench file names; of several as one traffic the mean."""
        return self.series.frame_size

    @property
    def connections(self) -> int | None:
        """Their number; None: none, or as many as the DUT bears."""
        return self.series.connections

    @property
    def name(self) -> str:
        """The series' name in the report."""
        measure = self.measure
        name, all_series = measure.label, tuple(measure.series())
        for field, one in _COUNTED.items():
            count = getattr(self.series, field)
            if count is not None and any(getattr(other, field) != count for other in all_series):
                name += f", {plural(count, one)}" if field not in _SIZES else f", {one} {count:,}"
        if self.frame_timeout_ms is not None and not measure.read_twice:
            return timed(name, self.frame_timeout_ms)
        if self.share is not None and len(measure.variants) > 1:
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
        for field, name in _IN_KEYS.items():
            value = getattr(self.series, field)
            if value is not None:
                series += f"/{name}={'-'.join(map(str, value)) if isinstance(value, tuple) else value}"
        if self.column is not None and "alpha" in self.measure.table[self.column - 1].given:
            series += f"/alpha={self.measure.table[self.column - 1].alpha}"
        size = self.frame_size if self.series.mixed is None else self.series.mixed.what
        place = f"{self.index + 1}-{measure.procedure}/mix={take}of{of}/size={size}/{measure.direction}"
        return place + series

    @property
    def directions(self) -> tuple[DirectionName, ...]:
        """The directions that send at once."""
        return self.measure.directions


def timed(name: str, frame_timeout_ms: float) -> str:
    """The name of a result in which late frames are lost."""
    return f"{name} with frame timeout {frame_timeout_ms:g} ms"


Beside = Literal["tester-alone", "timeout-check", "learning", "first-look", "negative-tests"]


@dataclass(frozen=True)
class Run:
    """One repetition of a cell, numbered from 1; 0: what is done once for it, `beside` says what."""

    cell: Cell
    repetition: int
    beside: Beside = "tester-alone"

    @property
    def key(self) -> str:
        """The run's name in journal and results."""
        return f"{self.cell.key}/{self.repetition or self.beside}"


def cells(bench: Bench) -> list[Cell]:
    """The matrix in the order it is measured."""
    found = [
        Cell(index, place.measure, mix, place.series, timeout, share, place.column)
        for index, measure in enumerate(bench.measure)
        for mix in _mixes(bench, measure)
        for place in measure.places()
        for timeout, share in place.measure.variants
    ]
    return sorted(found, key=lambda cell: order(cell.measure))


def _mixes(bench: Bench, measure: Procedure) -> tuple[tuple[int, int], ...]:
    """Frames that open connections are all foreground, whatever the mix."""
    return bench.traffic.mix[:1] if measure.facts.of_connections else bench.traffic.mix


def runs(bench: Bench) -> list[Run]:
    """All repetitions of all cells in the order they are measured."""
    return [Run(cell, number) for cell in cells(bench) for number in range(1, cell.measure.repetitions + 1)]


def all_keys(bench: Bench) -> set[str]:
    """Of all runs that its journal may have."""
    mixes = {ALL_FOREGROUND, *bench.traffic.mix}
    beside = {
        Run(replace(cell, mix=mix), 0, what).key for cell in cells(bench) for mix in mixes for what in get_args(Beside)
    }
    return beside | {run.key for run in runs(bench)}


def trial_template(bench: Bench, cell: Cell, establish_fps: float | None = None) -> TrialRequest:
    """The trial that the cell's procedure varies in rate (and duration); phase 2 after phase 1 at `establish_fps`."""
    measure = cell.measure
    connections, phase_1 = None, measure.phase_1
    if cell.connections is not None and phase_1 is not None and measure.sending_s > 0:
        connections = Connections(cell.connections, "steady", establish_fps, may_lose=phase_1.may_lose)
    apart_s, flows = measure.flows_apart_s, bench.flows(cell.series, cell.directions)
    return TrialRequest(
        frame_size=cell.frame_size,
        frame_sizes=in_turn(cell.series.mixed),
        frame_size_of=bench.traffic.frame_size_of,
        rate_fps=1.0,
        duration_s=measure.trial_s or 0.0,
        timeout_s=measure.timeout_s,
        directions=cell.directions,
        frame_timeout_ms=cell.frame_timeout_ms,
        connections=connections,
        incremental=None if apart_s is None or flows in (None, 1) else Incremental(flows, apart_s),
    )
