"""Procedures that find named values (delays, back-to-back, recovery, reset, connections) in results.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from xlatperf.campaign.assemble import CellResult, RunResult
from xlatperf.campaign.histograms import name_of
from xlatperf.campaign.records import delays_record
from xlatperf.campaign.results import (
    DerivedValue,
    DirectionName,
    HistogramFile,
    Measurement,
    Mix,
    Repetition,
    RepetitionValue,
    TesterAlone,
    TesterAloneDelay,
    ValueSeries,
)
from xlatperf.campaign.runs import Cell
from xlatperf.config.measure import (
    BackToBack,
    Capacity,
    ConnectionRates,
    DelayMeasure,
    Establishment,
    Latency,
    Measure,
    Reset,
    SystemRecovery,
    Teardown,
    TrafficMeasure,
)
from xlatperf.engine.message import TrafficClass
from xlatperf.procedures import teardown
from xlatperf.procedures.back_to_back import BURST, buffer_times
from xlatperf.procedures.capacity_result import CapacityResult
from xlatperf.procedures.establishment import EstablishmentResult
from xlatperf.procedures.latency import DEFINITION
from xlatperf.procedures.quantity import Derived, Measured, Quantity
from xlatperf.procedures.trial import Outcome
from xlatperf.report.statistics import summarise

STANDARDS = {
    "latency": "RFC 8219 §7.2",
    "pdv": "RFC 8219 §7.3.1",
    "ipdv": "RFC 8219 §7.3.2",
    "back_to_back": "RFC 9004, RFC 8219 §7.5",
    "system_recovery": "RFC 2544 §26.5, RFC 8219 §7.6",
    "reset": "RFC 6201 §4, RFC 8219 §7.7",
    "establishment": "RFC 9693 §4.5",
    "teardown": "RFC 9693 §4.8",
    "capacity": "RFC 9693 §4.9",
}


_Kind = tuple[Quantity, DirectionName | None, TrafficClass | None]


def value_measurement(cell: Cell, done: CellResult) -> Measurement:
    """One cell of the matrix."""
    measure, frame = cell.measure, done.frame
    found = {
        number: one for number, result in sorted(done.repetitions.items()) if (one := _measured(result)) is not None
    }
    failures = [
        f"repetition {number}: {text}" for number, text in sorted(done.repetitions.items()) if isinstance(text, str)
    ]
    standard = STANDARDS[measure.procedure]
    if isinstance(measure, Establishment) and measure.alpha is not None:
        standard = "RFC 9693 §4.5, §4.6"
    values = series(found)
    without = {result.no_result for result in found.values()}
    burst_fps = _burst_fps(done)
    return Measurement(
        measure=cell.name,
        procedure=measure.procedure,
        standard=standard,
        frame_size=frame.sizes,
        frame_size_named=cell.frame_size,
        mix=Mix(take=cell.mix[0], of=cell.mix[1]),
        direction=measure.direction,
        media_mbps=frame.media_mbps,
        theoretical_maximum_fps=frame.theoretical_maximum_fps,
        minimum_fps=measure.minimum_fps if isinstance(measure, ConnectionRates) else None,
        maximum_fps=frame.maximum_fps,
        tester_limit_fps=frame.tester_limit_fps,
        stop_width_fps=None,
        stop_width_relative=None,
        loss_tolerance={},
        repetitions=tuple(
            _repetition(cell, number, result, done.repetitions[number]) for number, result in found.items()
        ),
        summary=None,
        points=(),
        failures=tuple(failures),
        complete=len(done.repetitions) == measure.repetitions,
        rate_fps=burst_fps if isinstance(measure, BackToBack) else done.rate_fps,
        share=cell.share,
        throughput_fps=done.throughput_fps,
        values=tuple(values),
        derived=tuple(_derived(cell, found, values, done)),
        parameters=parameters(measure),
        definition=DEFINITION if isinstance(measure, Latency) else None,
        histograms=tuple(_histograms(measure, found, done)),
        tester_alone=_alone(measure, done),
        remarks=tuple(dict.fromkeys(remark for result in found.values() for remark in result.remarks)),
        no_result=next(iter(without), None) if found and None not in without and not failures else None,
    )


def _burst_fps(done: CellResult) -> float:
    """The rate in a burst (procedures/back_to_back.py)."""
    limit = done.frame.tester_limit_fps
    return float(max(1, int(done.frame.maximum_fps if limit is None else min(done.frame.maximum_fps, limit))))


def _measured(result: RunResult) -> Measured | None:
    """As quantities; None: of another kind, or failed."""
    if isinstance(result, EstablishmentResult | CapacityResult):
        return result.measured()
    return result if isinstance(result, Measured) else None


def _repetition(cell: Cell, number: int, result: Measured, whole: RunResult) -> Repetition:
    rates = whole if isinstance(whole, EstablishmentResult) else None
    return Repetition(
        number=number,
        run=f"{cell.key}/{number}",
        rate_fps=rates.rate_fps if rates is not None else None,
        total_fps=rates.rate_fps if rates is not None else None,
        lower_fps=rates.lower_fps if rates is not None else None,
        upper_fps=rates.upper_fps if rates is not None else None,
        limited_by=rates.limited_by if rates is not None else result.at_least,
        duration_s=cell.measure.duration_s if isinstance(cell.measure, TrafficMeasure) else None,
        final_trial=result.final_trial,
        loss_percent_above=None,
        inversions=0,
        trials=result.trials,
        remarks=result.remarks,
        no_result=result.no_result,
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


def _derived(
    cell: Cell, found: Mapping[int, Measured], values: Sequence[ValueSeries], done: CellResult
) -> list[DerivedValue]:
    """From all repetitions: buffer times (RFC 9004 §6.4), the tear-down rate of the medians."""
    by_name = {one.quantity: one for one in values}
    derived: Sequence[Derived] = ()
    if isinstance(cell.measure, BackToBack) and BURST.name in by_name:
        average = by_name[BURST.name].mean
        if average is not None and done.throughput_fps:
            derived = buffer_times(average, done.throughput_fps, _burst_fps(done))
    if isinstance(cell.measure, Teardown) and found:
        full, empty = (
            [one.value for one in by_name[quantity.name].values if one.value is not None]
            for quantity in (teardown.DELETING, teardown.DELETING_EMPTY)
        )
        resolved = all(result.at_least is None for result in found.values())
        derived = (teardown.rate_of_medians(cell.connections or 0, full, empty, resolved=resolved),)
    return [derived_record(one) for one in derived]


def derived_record(one: Derived) -> DerivedValue:
    """As results.json has it."""
    return DerivedValue(quantity=one.name, unit=one.unit, meaning=one.meaning, standard=one.standard, value=one.value)


def parameters(measure: Measure) -> dict[str, float | int | str | None]:
    """What the standard wants reported of how it was measured."""
    known: dict[str, float | int | str | None] = {"timeout_s": measure.timeout_s}
    if isinstance(measure, TrafficMeasure):
        known = {"duration_s": measure.duration_s, **known}
    if isinstance(measure, ConnectionRates):
        known |= {"stop_width_fps": measure.stop_width_fps, "stop_width_percent": measure.stop_width_percent}
    if isinstance(measure, Establishment):
        known |= {"alpha": measure.alpha}
    if isinstance(measure, Capacity):
        known |= {
            "alpha": measure.alpha,
            "beta": measure.beta,
            "gamma": measure.gamma,
            "safe_connections": measure.safe_connections,
            "minimum_phase_1_s": measure.minimum_phase_1_s,
            "maximum_connections": measure.maximum_connections,
            "tolerated_error": measure.tolerated_error,
            "maximum_repeats": measure.maximum_repeats,
        }
    if isinstance(measure, Latency):
        known |= {"tags": measure.tags, "tags_from_s": measure.first_tag_s}
    if isinstance(measure, BackToBack):
        known |= {
            "search": "binary search with loss verification (ETSI GS NFV-TST 009 §12.3.3)",
            "maximum_repeats": measure.maximum_repeats,
            "repeat_up_to_frames": measure.repeat_up_to_frames,
            "step_frames": measure.step_frames,
            "step_percent": measure.step_percent,
        }
    if isinstance(measure, SystemRecovery):
        known |= {
            "overload_percent": measure.overload_percent,
            "reduced_percent": measure.reduced_percent,
            "reduced_s": measure.reduced_s,
        }
    if isinstance(measure, Reset):
        known |= {"event": measure.event, "event_at_s": measure.event_at_s, "reset_of": measure.reset_of or "process"}
        if measure.interruption_s:
            known |= {"power_off_s": measure.power_off_s}
    return known


def _histograms(measure: Measure, found: Mapping[int, Measured], done: CellResult) -> list[HistogramFile]:
    if not isinstance(measure, DelayMeasure) or not measure.histogram:
        return []
    files: list[HistogramFile] = []
    first = found.get(1)
    if first is not None and first.final_trial is not None:
        files.append(HistogramFile(file=name_of(first.final_trial), trial=first.final_trial, tester_alone=False))
    if isinstance(done.alone, Outcome):
        files.append(HistogramFile(file=name_of(done.alone.number), trial=done.alone.number, tester_alone=True))
    return files


def _alone(measure: Measure, done: CellResult) -> TesterAlone | None:
    """TL, WCL and PDV of the Tester itself."""
    if not isinstance(measure, DelayMeasure) or done.alone is None or done.rate_fps is None:
        return None
    duration_s = min(measure.duration_s, measure.tester_alone_s)
    if isinstance(done.alone, str):
        return TesterAlone(rate_fps=done.rate_fps, duration_s=duration_s, trial=None, delays=(), failure=done.alone)
    delays: list[TesterAloneDelay] = []
    for name, direction in done.alone.directions.items():
        for of, found in direction.details.delays():
            low, high = found.delay.min_ns, found.delay.p999_ns
            record = delays_record(found)
            delays.append(
                TesterAloneDelay(
                    direction=name,
                    traffic_class=of,
                    tl_ns=found.tagged.median_ns if found.tagged is not None else None,
                    wcl_ns=found.tagged.p999_ns if found.tagged is not None else None,
                    pdv_ns=high - low if high is not None and low is not None else None,
                    tagged=record.tagged,
                    delay=record.delay,
                    delay_variation=record.delay_variation,
                )
            )
    return TesterAlone(
        over=done.alone.over or "memory",
        rate_fps=done.rate_fps,
        duration_s=duration_s,
        trial=done.alone.number,
        delays=tuple(delays),
        failure=None,
    )
