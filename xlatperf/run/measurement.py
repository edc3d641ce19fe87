"""What a procedure returned for a cell of the matrix, in results.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.quantity import Measured, Quantity, Value
from xlatperf.procedures.trial import Trial
from xlatperf.results.frames import Mix
from xlatperf.results.histograms import name_of
from xlatperf.results.results import Measurement, Repetition
from xlatperf.results.value_records import HistogramFile, RepetitionValue, ValueSeries, value_series
from xlatperf.run.cell_result import CellResult
from xlatperf.run.runs import Cell, timed
from xlatperf.run.tester_alone import tester_alone

_Kind = tuple[Quantity, DirectionName | None, TrafficClass | None, float | None]


def measurements_of(cell: Cell, done: CellResult) -> list[Measurement]:
    """One for a cell; two where its trials are read twice: classic, and with late frames lost."""
    timeouts_ms = (None, cell.frame_timeout_ms) if cell.measure.read_twice else (cell.frame_timeout_ms,)
    return [_measurement(cell, done, timeout_ms) for timeout_ms in timeouts_ms]


def _measurement(cell: Cell, done: CellResult, frame_timeout_ms: float | None) -> Measurement:
    measure, conditions, found = cell.measure, done.conditions, done.measured
    name, standard, throughput = cell.name, measure.standards, conditions.throughput
    late = measure.read_twice and frame_timeout_ms is not None
    if frame_timeout_ms is not None:
        standard += f" with a timeout of {frame_timeout_ms:g} ms for each frame, which RFC 2544 has not"
        name = timed(name, frame_timeout_ms) if late else name
    repetitions = tuple(_repetition(cell, number, result) for number, result in found.items())
    without = {result.no_result for result in found.values()}
    return Measurement(
        measure=name,
        series=measure.series_label,
        procedure=measure.procedure,
        standard=standard,
        frame_size=done.sizes,
        frame_size_named=cell.frame_size,
        mix=Mix(take=cell.mix[0], of=cell.mix[1]),
        direction=measure.direction,
        media_mbps=done.media_mbps,
        one_line=done.one_line,
        theoretical_maximum_fps=conditions.theoretical_fps,
        minimum_fps=measure.lowest_fps,
        maximum_fps=conditions.maximum_fps,
        tester_limit_fps=conditions.tester_limit_fps,
        loss_tolerance=_loss_tolerance(cell),
        repetitions=repetitions,
        failures=done.failures,
        complete=len(done.repetitions) == measure.repetitions,
        frame_timeout_ms=frame_timeout_ms,
        rate_fps=measure.rate_of_trials(conditions),
        share=cell.share,
        throughput_fps=throughput.fps if throughput is not None else None,
        throughput_more_possible=throughput.more_possible if throughput is not None else (),
        values=series({number: result.late if late else result.values for number, result in found.items()}),
        derived=tuple(measure.derived(list(found.values()), conditions)),
        parameters=measure.parameters(),
        definition=measure.facts.definition,
        histograms=_histograms(measure, found, done),
        tester_alone=tester_alone(measure, done),
        remarks=tuple(dict.fromkeys(remark for result in found.values() for remark in result.remarks)),
        no_result=next(iter(without), None) if found and None not in without and not done.failures else None,
    )


def _loss_tolerance(cell: Cell) -> dict[DirectionName, float]:
    """Of the directions of its trials; of an establishment rate, which is measured by phases, what there is."""
    of_phases = cell.measure.facts.of_connections
    return {
        name: share
        for name, share in cell.measure.tolerance.items()
        if (share > 0 if of_phases else name in cell.directions)
    }


def _repetition(cell: Cell, number: int, result: Measured) -> Repetition:
    return Repetition(
        number=number,
        run=f"{cell.key}/{number}",
        limited_by=result.limited_by,
        search=result.search,
        final_trial=result.final_trial,
        trials=result.trials,
        remarks=result.remarks,
        no_result=result.no_result,
        steps=result.steps,
        goals=result.goals,
    )


def series(found: Mapping[int, Sequence[Value]]) -> tuple[ValueSeries, ...]:
    """One per quantity, direction, class and rate, in the order in which the procedure names them."""
    kinds: dict[_Kind, list[RepetitionValue]] = {}
    for number, values in found.items():
        for value in values:
            kinds.setdefault((value.quantity, value.direction, value.traffic_class, value.rate_fps), []).append(
                RepetitionValue(repetition=number, value=value.value, remark=value.remark, trial=value.trial)
            )
    return tuple(
        value_series(quantity, values, direction=direction, traffic_class=traffic_class, rate_fps=rate_fps)
        for (quantity, direction, traffic_class, rate_fps), values in kinds.items()
    )


def _histograms(measure: Procedure, found: Mapping[int, Measured], done: CellResult) -> tuple[HistogramFile, ...]:
    if not measure.keeps_histogram:
        return ()
    trials = [(found[1].final_trial, False)] if 1 in found else []
    trials += [(done.alone.number, True)] if isinstance(done.alone, Trial) else []
    return tuple(
        HistogramFile(file=name_of(number), trial=number, tester_alone=alone)
        for number, alone in trials
        if number is not None
    )
