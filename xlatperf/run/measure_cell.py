"""One run of a campaign: what its procedure is run with, and what came of it."""

from __future__ import annotations

from dataclasses import replace

from xlatperf.config.bench import Bench
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.failure import Failure
from xlatperf.procedures.in_words import in_words
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.theoretical import mean_maximum_fps
from xlatperf.procedures.trial import MeasurementFailed, Trial, measure_once
from xlatperf.run.cell_result import CellResult
from xlatperf.run.cell_sizes import CellSizes, mixed_sizes
from xlatperf.run.handover import establish_fps_for, throughput_for
from xlatperf.run.known_limits import KnownLimits
from xlatperf.run.measures import Measures
from xlatperf.run.progress import RunReporter
from xlatperf.run.runs import Cell, Run, trial_template
from xlatperf.run.tester import Sizes
from xlatperf.run.timeouts import Timeouts

DEFAULT_MEDIA_MBPS = 10_000.0
"""When neither the bench file nor the ports know the line rate (veth, tap ...)."""


def _begun(bench: Bench, cell: Cell, tester: Sizes) -> CellResult:
    """What is fixed before a cell's first trial: sizes, and the rates that follow from them (RFC 8219 §5.1, App. A)."""
    measure = cell.measure
    mixed = cell.series.mixed

    def of(size: int) -> CellSizes:
        sizes = tester.sizes(size, cell.directions)
        return sizes if cell.mix[0] else sizes.of_background_alone()

    sizes = of(cell.frame_size) if mixed is None else mixed_sizes(mixed, of)
    media = measure.media_mbps or tester.media_mbps() or DEFAULT_MEDIA_MBPS
    of_tester = (sizes.longest.exact("left"), sizes.longest.exact("right"))
    together = bench.tester.one_port and len(cell.directions) > 1
    on_segments = of_tester if together else bench.technology.on_segments(*of_tester, bench.tester.tag_bytes)
    theoretical = mean_maximum_fps(media, on_segments, sizes.background, *cell.mix, together=together)
    conditions = Conditions(
        trial=trial_template(bench, cell),
        maximum_fps=measure.highest_fps(theoretical),
        theoretical_fps=theoretical,
        connections=cell.connections,
        most_connections=bench.most_connections(cell.series),
    )
    return CellResult(sizes.told, media, conditions, together)


def measure_cell(
    bench: Bench,
    run: Run,
    done: dict[str, CellResult],
    tester: Sizes,
    limits: KnownLimits,
    measures: Measures,
    reporter: RunReporter,
    timeouts: Timeouts,
) -> None:
    """One run; before the first of a cell, what it needs: sizes, rates, and the Tester alone at that rate."""
    cell, measure = run.cell, run.cell.measure
    first = cell.key not in done
    if first:
        done[cell.key] = _begun(bench, cell, tester)
    known = done[cell.key]
    known.conditions = replace(known.conditions, tester_limit_fps=limits.of(cell))
    result: Measured | Failure
    try:
        establish_fps = establish_fps_for(bench, cell, done)
        trial = trial_template(bench, cell, establish_fps)
        known.conditions = replace(known.conditions, trial=trial, establish_fps=establish_fps)
        if establish_fps is not None and measure.sending_s:
            timeouts.check(cell, establish_fps, done)
        throughput = throughput_for(bench, cell, done)
        rate_fps = measure.rate_at(None if throughput is None else throughput.fps, cell.share)
        known.conditions = replace(known.conditions, throughput=throughput, rate_fps=rate_fps)
        conditions = replace(known.conditions, repetition=run.repetition, progress=reporter.search)
        if first:
            if throughput is not None and throughput.more_possible:
                reporter.say(f"{cell.name}: the throughput that it follows from is {throughput.in_words()}")
            known.alone = _tester_alone(cell, conditions, measures)
        result = measure.run(conditions, measures.measure(run))
    except MeasurementFailed as failure:
        result = failure.failure
    known.repetitions[run.repetition] = result
    reporter.result(run, f"failed: {result.in_words()}" if isinstance(result, Failure) else in_words(result))


def _tester_alone(cell: Cell, conditions: Conditions, measures: Measures) -> Trial | str | None:
    """The outcome, or why there is none; None if it is not wanted."""
    request = cell.measure.alone(conditions)
    if request is None:
        return None
    try:
        return measure_once(measures.measure(Run(cell, 0)), request, cell.measure.retries)[0]
    except MeasurementFailed as failure:
        return str(failure)
