"""From a cell of the bench file to its procedure: one repetition."""

from __future__ import annotations

from dataclasses import replace

from xlatperf.campaign.assemble import CellResult, RunResult
from xlatperf.campaign.dispatch_connections import measure_connections
from xlatperf.campaign.progress import Reporter, fps
from xlatperf.campaign.runs import Cell, Run, trial_template
from xlatperf.config.bench import Bench
from xlatperf.config.measure import (
    BackToBack,
    Capacity,
    DelayMeasure,
    Establishment,
    FrameLoss,
    Ipdv,
    Latency,
    Reset,
    SystemRecovery,
    Teardown,
    Throughput,
)
from xlatperf.procedures.back_to_back import BurstSearch, back_to_back
from xlatperf.procedures.capacity_result import CapacityResult
from xlatperf.procedures.establishment import EstablishmentResult
from xlatperf.procedures.frame_loss import LossSweep, SweepResult, frame_loss
from xlatperf.procedures.ipdv import IpdvTrial, ipdv
from xlatperf.procedures.latency import LatencyTrial, latency
from xlatperf.procedures.pdv import PdvTrial, pdv
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.reset import ResetTrial, reset
from xlatperf.procedures.system_recovery import RecoveryTrial, system_recovery
from xlatperf.procedures.throughput import ThroughputResult, ThroughputSearch, throughput
from xlatperf.procedures.trial import Measure, TrialRequest
from xlatperf.search.bisection import StopWidth
from xlatperf.search.loss_verification import LossVerification


def run_one(bench: Bench, run: Run, cell_result: CellResult, measure: Measure, reporter: Reporter) -> RunResult:
    """One repetition of a cell. Raises MeasurementFailed."""
    wanted = run.cell.measure
    trial = trial_template(bench, run.cell, cell_result.establish_fps)
    if isinstance(wanted, Establishment | Teardown | Capacity):
        return measure_connections(bench, run.cell, cell_result, trial, measure, reporter.search)
    if isinstance(wanted, Throughput):
        return throughput(_throughput(wanted, run.cell, cell_result, trial), measure, reporter.search)
    if isinstance(wanted, FrameLoss):
        frame = cell_result.frame
        sweep = LossSweep(
            trial=trial,
            maximum_fps=frame.maximum_fps,
            step_percent=wanted.step_percent,
            rates_fps=wanted.rates_fps,
            retries=wanted.retries,
            tester_limit_fps=frame.tester_limit_fps,
        )
        return frame_loss(sweep, measure, frame.theoretical_maximum_fps or frame.maximum_fps, reporter.search)
    if isinstance(wanted, BackToBack | SystemRecovery):
        return _overload(wanted, cell_result, trial, measure, reporter)
    trial = trial.at(cell_result.rate_fps or 0.0)
    if isinstance(wanted, Reset):
        return reset(ResetTrial(trial, wanted.event, wanted.event_at_s, wanted.retries, wanted.interruption_s), measure)
    histogram = wanted.histogram and run.repetition == 1
    trial = replace(trial, raw_delays=wanted.raw_delays)
    if isinstance(wanted, Latency):
        return latency(LatencyTrial(trial, wanted.tags, wanted.first_tag_s, histogram, wanted.retries), measure)
    if isinstance(wanted, Ipdv):
        return ipdv(IpdvTrial(trial, histogram, wanted.retries), measure)
    return pdv(PdvTrial(trial, histogram, wanted.retries), measure)


def _throughput(wanted: Throughput, cell: Cell, cell_result: CellResult, trial: TrialRequest) -> ThroughputSearch:
    percent = wanted.stop_width_percent
    return ThroughputSearch(
        trial=trial,
        minimum_fps=wanted.minimum_fps,
        maximum_fps=cell_result.frame.maximum_fps,
        stop=StopWidth(wanted.stop_width_fps, percent / 100 if percent is not None else None),
        search_duration_s=wanted.search_duration_s,
        retries=wanted.retries,
        tolerance={name: getattr(wanted.loss_tolerance, name) for name in cell.directions},
        tester_limit_fps=cell_result.frame.tester_limit_fps,
    )


def _overload(
    wanted: BackToBack | SystemRecovery, cell: CellResult, trial: TrialRequest, measure: Measure, reporter: Reporter
) -> Measured:
    throughput_fps = cell.throughput_fps or 0.0
    if isinstance(wanted, SystemRecovery):
        recovery = RecoveryTrial(
            trial=trial,
            throughput_fps=throughput_fps,
            maximum_fps=cell.frame.maximum_fps,
            overload_percent=wanted.overload_percent,
            reduced_percent=wanted.reduced_percent,
            reduced_s=wanted.reduced_s,
            retries=wanted.retries,
            tester_limit_fps=cell.frame.tester_limit_fps,
        )
        return system_recovery(recovery, measure)
    percent = wanted.step_percent
    search = BurstSearch(
        trial=trial,
        throughput_fps=throughput_fps,
        maximum_fps=cell.frame.maximum_fps,
        stop=StopWidth(wanted.step_frames, percent / 100 if percent is not None else None),
        verification=LossVerification(wanted.maximum_repeats, wanted.repeat_up_to_frames),
        retries=wanted.retries,
        tester_limit_fps=cell.frame.tester_limit_fps,
    )
    return back_to_back(search, measure, reporter.search)


def tester_alone_request(bench: Bench, cell: Cell, rate_fps: float, establish_fps: float | None) -> TrialRequest | None:
    """The same frames at the same rate in loopback, for TL, WCL and PDV of the Tester itself; None if not wanted."""
    wanted = cell.measure
    if not isinstance(wanted, DelayMeasure) or not wanted.tester_alone_s:
        return None
    duration_s = min(wanted.duration_s, wanted.tester_alone_s)
    tags = wanted.tags if isinstance(wanted, Latency) else LatencyTrial.tags
    trial = replace(trial_template(bench, cell, establish_fps).at(rate_fps, duration_s), tester_alone=True)
    request = LatencyTrial(trial, tags, duration_s / 2, wanted.histogram).request()
    return replace(request, purpose="tester alone", delay_variation=isinstance(wanted, Ipdv))


def in_words(result: RunResult) -> str:
    """A run's result in one line."""
    if isinstance(result, str):
        return f"failed: {result}"
    if isinstance(result, SweepResult):
        lossy = sum(1 for point in result.points if point.valid and any(point.loss_percent.values()))
        return f"{len(result.points)} rates, {lossy} with loss"
    if isinstance(result, ThroughputResult):
        return f"{fps(result.rate_fps)} per direction, {LIMITS[result.limited_by]}"
    if isinstance(result, EstablishmentResult):
        return f"{result.rate_fps:,.0f} connections/s, {LIMITS[result.limited_by]}"
    if isinstance(result, CapacityResult):
        result = result.measured()
    if result.no_result is not None:
        return result.no_result
    return ", ".join(
        f"{value.quantity.name} {shown(value.value, value.quantity.unit)}"
        + (f" {value.direction}" if value.direction is not None else "")
        for value in result.values
        if value.quantity.role == "result" and value.traffic_class is None
    )


def shown(value: float | None, unit: str) -> str:
    """A value for people: `12.3 us`, `1,200 frames`."""
    if value is None:
        return "none"
    if unit == "ns":
        return f"{value / 1000:,.1f} us"
    return f"{value:.6g} {unit}" if unit == "s" else f"{value:,.0f} {unit}"


LIMITS = {
    "dut": "limited by the DUT",
    "tester": "limited by the Tester: the DUT may be faster",
    "maximum": "the highest rate of the search: the DUT may be faster",
    "minimum": "not even the lowest rate of the search passed",
}
