"""Puts results.json together from what the procedures returned and the journal holds, and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import xlatperf
from xlatperf.campaign.deviations import deviations
from xlatperf.campaign.findings import findings
from xlatperf.campaign.journal import Entry
from xlatperf.campaign.records import trial_record
from xlatperf.campaign.results import (
    LossPoint,
    Measurement,
    Mix,
    Repetition,
    Results,
    SelfTestEntry,
    SideSizes,
)
from xlatperf.campaign.runs import Cell, cells
from xlatperf.config.bench import Bench
from xlatperf.config.measure import Throughput
from xlatperf.config.request import technology_message
from xlatperf.procedures.frame_loss import SweepResult
from xlatperf.procedures.throughput import ThroughputResult
from xlatperf.report.statistics import summarise

STANDARDS = {
    "throughput": "RFC 2544 §26.1, RFC 8219 §7.1",
    "frame_loss": "RFC 2544 §26.3, RFC 8219 §7.4",
}
TOLERANT = "RFC 8219 §7.1 with a loss tolerance (not RFC 2544 throughput)"


@dataclass(frozen=True)
class Frame:
    """What is fixed for a cell before its first trial: sizes and the rates that follow from them."""

    sizes: SideSizes
    media_mbps: float | None
    theoretical_maximum_fps: float | None
    maximum_fps: float
    tester_limit_fps: float | None


@dataclass
class CellResult:
    """What the procedures returned for a cell, by repetition; a failed one is a line of text."""

    frame: Frame
    repetitions: dict[int, ThroughputResult | SweepResult | str] = field(default_factory=dict)


def results(
    bench: Bench, done: Mapping[str, CellResult], entries: Sequence[Entry], selftest: Sequence[SelfTestEntry]
) -> Results:
    """The whole of results.json; cells that have not been begun are absent."""
    trials = tuple(trial_record(entry) for entry in entries)
    measurements = tuple(measurement(cell, done[cell.key]) for cell in cells(bench) if cell.key in done)
    return Results(
        xlatperf_version=xlatperf.__version__,
        title=bench.title or f"{bench.technology.name} on {bench.device.driver}",
        bench=bench.model_dump(mode="json"),
        technology=technology_message(bench),
        seed=bench.tester.seed,
        complete=len(measurements) == len(cells(bench)) and all(one.complete for one in measurements),
        selftest=tuple(selftest),
        measurements=measurements,
        trials=trials,
        findings=findings(trials),
        deviations=deviations(bench),
        tester_limits=_tester_limits(bench, selftest),
    )


def measurement(cell: Cell, done: CellResult) -> Measurement:
    """One cell of the matrix."""
    measure, frame = cell.measure, done.frame
    repetitions: list[Repetition] = []
    points: list[LossPoint] = []
    failures: list[str] = []
    for number, result in sorted(done.repetitions.items()):
        if isinstance(result, str):
            failures.append(f"repetition {number}: {result}")
        elif isinstance(result, ThroughputResult):
            repetitions.append(_search(cell, number, result))
        else:
            repetitions.append(_sweep(cell, number, result))
            points += [
                LossPoint(
                    repetition=number,
                    rate_fps=point.rate_fps,
                    percent_of_maximum=point.percent_of_maximum,
                    valid=point.valid,
                    loss_percent=point.loss_percent,
                    trial=point.trial,
                    remark=point.remark,
                )
                for point in result.points
            ]
    rates = [one.rate_fps for one in repetitions if one.rate_fps is not None]
    throughput = isinstance(measure, Throughput)
    tolerance = {
        name: getattr(measure.loss_tolerance, name) if isinstance(measure, Throughput) else 0.0
        for name in cell.directions
    }
    upper = [one.upper_fps for one in repetitions if one.upper_fps is not None and one.lower_fps is not None]
    widths = [
        one.upper_fps - one.lower_fps for one in repetitions if one.upper_fps is not None and one.lower_fps is not None
    ]
    return Measurement(
        name=cell.name,
        procedure=measure.procedure,
        standard=TOLERANT if any(tolerance.values()) else STANDARDS[measure.procedure],
        quantity="throughput in frames per second per direction"
        if throughput
        else "frame loss in percent per direction",
        frame_size=frame.sizes,
        frame_size_named=cell.frame_size,
        mix=Mix(take=cell.mix[0], of=cell.mix[1]),
        direction=measure.direction,
        media_mbps=frame.media_mbps,
        theoretical_maximum_fps=frame.theoretical_maximum_fps,
        minimum_fps=measure.minimum_fps if isinstance(measure, Throughput) else None,
        maximum_fps=frame.maximum_fps,
        tester_limit_fps=frame.tester_limit_fps,
        stop_width_fps=max(widths) if widths else None,
        stop_width_relative=max(width / high for width, high in zip(widths, upper, strict=True)) if widths else None,
        loss_tolerance=tolerance,
        repetitions=tuple(repetitions),
        summary=summarise(rates) if rates else None,
        points=tuple(points),
        failures=tuple(failures),
        complete=len(done.repetitions) == measure.repetitions,
    )


def _search(cell: Cell, number: int, result: ThroughputResult) -> Repetition:
    return Repetition(
        number=number,
        run=f"{cell.key}/{number}",
        rate_fps=result.rate_fps,
        total_fps=result.rate_fps * len(cell.directions),
        lower_fps=result.lower_fps,
        upper_fps=result.upper_fps,
        limited_by=result.limited_by,
        duration_s=result.duration_s,
        final_trial=result.final_trial,
        loss_percent_above=result.loss_percent_above,
        inversions=result.inversions,
        trials=result.trials,
    )


def _sweep(cell: Cell, number: int, result: SweepResult) -> Repetition:
    return Repetition(
        number=number,
        run=f"{cell.key}/{number}",
        rate_fps=None,
        total_fps=None,
        lower_fps=None,
        upper_fps=None,
        limited_by=None,
        duration_s=cell.measure.duration_s,
        final_trial=None,
        loss_percent_above=None,
        inversions=0,
        trials=result.trials,
    )


def _tester_limits(bench: Bench, selftest: Sequence[SelfTestEntry]) -> tuple[str, ...]:
    lines = [
        "Delays are between software time stamps: they include the Tester's ports and drivers.",
        "The self-test runs over ports in memory: it bounds the Tester's processing, not its ports and drivers; "
        "a port that "
        "can't follow shows in invalid trials.",
    ]
    if bench.device.driver != "manual":
        lines.append(
            "Tester and DUT share this host's processors and memory: results are those of the pair on this host."
        )
    if not selftest:
        lines.append("The Tester's own limit was not measured.")
    return tuple(lines)
