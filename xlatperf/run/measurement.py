"""What a procedure returned for a cell of the matrix, in results.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from xlatperf.engine.message import TrafficClass
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.quantity import Derived, Measured, Quantity
from xlatperf.procedures.trial import Outcome
from xlatperf.results.histograms import name_of
from xlatperf.results.results import (
    DerivedValue,
    DirectionName,
    HistogramFile,
    LossPoint,
    Measurement,
    Mix,
    Repetition,
    RepetitionValue,
    ValueSeries,
)
from xlatperf.results.statistics import summarise
from xlatperf.run.cell_result import CellResult
from xlatperf.run.runs import Cell, timed
from xlatperf.run.tester_alone import tester_alone

_Kind = tuple[Quantity, DirectionName | None, TrafficClass | None]


def measurements_of(cell: Cell, done: CellResult) -> list[Measurement]:
    """One for a cell; two where its trials are read twice: classic, and with late frames lost."""
    timeouts_ms = (None, cell.frame_timeout_ms) if cell.measure.read_twice else (cell.frame_timeout_ms,)
    return [_measurement(cell, done, timeout_ms) for timeout_ms in timeouts_ms]


def by_rate(measure: Procedure) -> bool:
    """Whether its results are a rate, or are told for each rate: they stand in `summary` and `points`."""
    return measure.quantities[0].unit in ("frames/s", "%")


def _measurement(cell: Cell, done: CellResult, frame_timeout_ms: float | None) -> Measurement:
    measure, conditions, found = cell.measure, done.conditions, done.measured
    name, standard = cell.name, measure.standards
    if frame_timeout_ms is not None:
        standard += f" with a timeout of {frame_timeout_ms:g} ms for each frame, which RFC 2544 has not"
        if measure.read_twice:
            name = timed(name, frame_timeout_ms)
    repetitions = tuple(_repetition(cell, number, result) for number, result in found.items())
    without = {result.no_result for result in found.values()}
    return Measurement(
        measure=name,
        procedure=measure.procedure,
        standard=standard,
        frame_size=done.sizes,
        frame_size_named=cell.frame_size,
        mix=Mix(take=cell.mix[0], of=cell.mix[1]),
        direction=measure.direction,
        media_mbps=done.media_mbps,
        theoretical_maximum_fps=conditions.theoretical_fps,
        minimum_fps=measure.lowest_fps,
        maximum_fps=conditions.maximum_fps,
        tester_limit_fps=conditions.tester_limit_fps,
        loss_tolerance={name: share for name, share in measure.tolerance.items() if name in cell.directions},
        repetitions=repetitions,
        points=_points(found, classic=frame_timeout_ms is None),
        failures=done.failures,
        complete=len(done.repetitions) == measure.repetitions,
        frame_timeout_ms=frame_timeout_ms,
        rate_fps=measure.rate_of_trials(conditions),
        share=cell.share,
        throughput_fps=conditions.throughput_fps,
        derived=tuple(derived_record(one) for one in measure.derived(list(found.values()), conditions)),
        definition=measure.definition,
        histograms=_histograms(measure, found, done),
        tester_alone=tester_alone(measure, done),
        remarks=tuple(dict.fromkeys(remark for result in found.values() for remark in result.remarks)),
        no_result=next(iter(without), None) if found and None not in without and not done.failures else None,
        **(_of_rates(measure, repetitions) if by_rate(measure) else _of_values(measure, found)),
    )


def _of_rates(measure: Procedure, repetitions: Sequence[Repetition]) -> dict[str, Any]:
    """What the repetitions together say."""
    rates = [one.rate_fps for one in repetitions if one.rate_fps is not None]
    bounds = [
        (one.lower_fps, one.upper_fps) for one in repetitions if one.lower_fps is not None and one.upper_fps is not None
    ]
    return {
        "quantity": measure.quantities[0].name,
        "unit": measure.quantities[0].unit,
        "stop_width_fps": max((upper - lower for lower, upper in bounds), default=None),
        "stop_width_relative": max(((upper - lower) / upper for lower, upper in bounds), default=None),
        "summary": summarise(rates) if rates else None,
    }


def _of_values(measure: Procedure, found: Mapping[int, Measured]) -> dict[str, Any]:
    return {
        "stop_width_fps": None,
        "stop_width_relative": None,
        "summary": None,
        "values": tuple(series(found)),
        "parameters": measure.parameters(),
    }


def _repetition(cell: Cell, number: int, result: Measured) -> Repetition:
    search, rate_fps = result.search, None
    if search is not None:
        rate_fps = next((one.value or 0.0 for one in result.values if one.quantity.role == "result"), 0.0)
    return Repetition(
        number=number,
        run=f"{cell.key}/{number}",
        rate_fps=rate_fps,
        total_fps=rate_fps * len(cell.directions) if rate_fps is not None else None,
        lower_fps=search.lower_fps if search is not None else None,
        upper_fps=search.upper_fps if search is not None else None,
        limited_by=search.limited_by if search is not None else result.at_least,
        duration_s=(search.duration_s if search is not None else None) or cell.measure.trial_s,
        final_trial=result.final_trial,
        loss_percent_above=search.loss_percent_above if search is not None else None,
        inversions=search.inversions if search is not None else 0,
        trials=result.trials,
        remarks=result.remarks,
        no_result=result.no_result,
    )


def _points(found: Mapping[int, Measured], *, classic: bool) -> tuple[LossPoint, ...]:
    """`classic`: late frames are not lost."""
    return tuple(
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
        for number, result in found.items()
        for point in result.points
    )


def series(found: Mapping[int, Measured]) -> list[ValueSeries]:
    """One per quantity, direction and class, in the order in which the procedure names them."""
    kinds: dict[_Kind, list[RepetitionValue]] = {}
    for number, result in found.items():
        for value in result.values:
            kinds.setdefault((value.quantity, value.direction, value.traffic_class), []).append(
                RepetitionValue(repetition=number, value=value.value, remark=value.remark)
            )
    return [_series(kind, values) for kind, values in kinds.items()]


def _series(kind: _Kind, values: Sequence[RepetitionValue]) -> ValueSeries:
    quantity, direction, traffic_class = kind
    known = [one.value for one in values if one.value is not None]
    return ValueSeries(
        quantity=quantity.name,
        unit=quantity.unit,
        meaning=quantity.meaning,
        standard=quantity.standard,
        direction=direction,
        traffic_class=traffic_class,
        role=quantity.role,
        headline=quantity.headline,
        values=tuple(values),
        summary=summarise(known) if known else None,
        mean=fmean(known) if known else None,
        standard_deviation=stdev(known) if len(known) > 1 else None,
    )


def derived_record(one: Derived) -> DerivedValue:
    """As results.json has it."""
    return DerivedValue(quantity=one.name, unit=one.unit, meaning=one.meaning, standard=one.standard, value=one.value)


def _histograms(measure: Procedure, found: Mapping[int, Measured], done: CellResult) -> tuple[HistogramFile, ...]:
    if not measure.keeps_histogram:
        return ()
    trials = [(found[1].final_trial, False)] if 1 in found else []
    trials += [(done.alone.number, True)] if isinstance(done.alone, Outcome) else []
    return tuple(
        HistogramFile(file=name_of(number), trial=number, tester_alone=alone)
        for number, alone in trials
        if number is not None
    )
