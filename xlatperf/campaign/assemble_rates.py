"""Throughput and frame loss in results.json."""

from __future__ import annotations

from xlatperf.campaign.assemble import CellResult
from xlatperf.campaign.results import LossPoint, Measurement, Mix, Repetition
from xlatperf.campaign.runs import Cell
from xlatperf.config.measure import FrameLoss, Throughput
from xlatperf.procedures.frame_loss import SweepResult
from xlatperf.procedures.throughput import ThroughputResult
from xlatperf.report.statistics import summarise

STANDARDS = {
    "throughput": "RFC 2544 §26.1, RFC 8219 §7.1",
    "frame_loss": "RFC 2544 §26.3, RFC 8219 §7.4",
}
TOLERANT = "RFC 8219 §7.1 with a loss tolerance (not RFC 2544 throughput)"


def measurement(cell: Cell, done: CellResult, *, classic: bool = False) -> Measurement:
    """One cell of the matrix. `classic`: a frame loss in which late frames are not lost."""
    measure, frame = cell.measure, done.frame
    assert isinstance(measure, Throughput | FrameLoss)  # noqa: S101 - the caller has looked
    name = cell.name
    timeout_ms = None if classic else cell.frame_timeout_ms
    repetitions: list[Repetition] = []
    points: list[LossPoint] = []
    failures: list[str] = []
    for number, result in sorted(done.repetitions.items()):
        if isinstance(result, str):
            failures.append(f"repetition {number}: {result}")
        elif isinstance(result, ThroughputResult):
            repetitions.append(_search(cell, number, result))
        elif isinstance(result, SweepResult):
            repetitions.append(_sweep(cell, number, result, measure.duration_s))
            points += [
                LossPoint(
                    repetition=number,
                    rate_fps=point.rate_fps,
                    offered_fps=point.offered_fps,
                    percent_of_maximum=point.percent_of_maximum,
                    valid=point.valid,
                    loss_percent=point.classic_loss_percent if classic else point.loss_percent,
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
    standard = TOLERANT if any(tolerance.values()) else STANDARDS[measure.procedure]
    if timeout_ms is not None:
        standard += f" with a timeout of {timeout_ms:g} ms for each frame, which RFC 2544 has not"
        if not throughput:
            name = f"{name} with frame timeout {timeout_ms:g} ms"
    return Measurement(
        measure=name,
        procedure=measure.procedure,
        standard=standard,
        quantity="throughput" if throughput else "frame loss rate",
        unit="frames/s" if throughput else "%",
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
        frame_timeout_ms=timeout_ms,
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


def _sweep(cell: Cell, number: int, result: SweepResult, duration_s: float) -> Repetition:
    return Repetition(
        number=number,
        run=f"{cell.key}/{number}",
        rate_fps=None,
        total_fps=None,
        lower_fps=None,
        upper_fps=None,
        limited_by=None,
        duration_s=duration_s,
        final_trial=None,
        loss_percent_above=None,
        inversions=0,
        trials=result.trials,
    )
