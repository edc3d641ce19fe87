"""Runs the matrix on a Tester, with journal and results; stops anywhere, goes on from there."""

from __future__ import annotations

from dataclasses import replace

from xlatperf.config.bench import Bench
from xlatperf.devices.device import DeviceError
from xlatperf.engine.errors import EngineDied
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.failure import Failure
from xlatperf.procedures.in_words import in_words
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.theoretical import mean_maximum_fps
from xlatperf.procedures.trial import MeasurementFailed, Trial, measure_once
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.file import results_schema, results_text
from xlatperf.results.results import Results
from xlatperf.results.selftest_records import SelfTest
from xlatperf.run.assemble import results
from xlatperf.run.before import Before
from xlatperf.run.cell_result import CellResult
from xlatperf.run.first_look import look_first
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.handover import establish_fps_for, throughput_for
from xlatperf.run.journal import Journal
from xlatperf.run.journal_content import Content
from xlatperf.run.known_limits import KnownLimits
from xlatperf.run.learning import learn_hops
from xlatperf.run.negative import campaign_tests
from xlatperf.run.progress import Reporter
from xlatperf.run.replay import NotMeasured, OtherBench, Replay
from xlatperf.run.runs import Cell, Run, all_keys, runs, trial_template
from xlatperf.run.tester import Tester
from xlatperf.run.timeouts import Timeouts

DEFAULT_MEDIA_MBPS = 10_000.0
"""When neither the bench file nor the ports know the line rate (veth, tap ...)."""


def begun(bench: Bench, cell: Cell, tester: Tester) -> CellResult:
    """What is fixed before a cell's first trial: sizes, and the rates that follow from them (RFC 8219 §5.1, App. A)."""
    measure = cell.measure
    sizes, background = tester.sizes(cell.frame_size)
    media = measure.media_mbps or tester.media_mbps() or DEFAULT_MEDIA_MBPS
    theoretical = mean_maximum_fps(media, bench.technology.on_segments(sizes.left, sizes.right), background, *cell.mix)
    conditions = Conditions(
        trial=trial_template(bench, cell),
        maximum_fps=measure.highest_fps(theoretical),
        theoretical_fps=theoretical,
        connections=cell.connections,
        most_connections=bench.most_connections(cell.series),
    )
    return CellResult(sizes, media, conditions)


def run_campaign(
    folder: CampaignFolder,
    tester: Tester,
    selftest: SelfTest,
    reporter: Reporter,
    *,
    sessions: int = 0,
    from_line: int | None = None,
    content: Content | None = None,
) -> Results:
    """Runs what is missing, writes results.json after each run, and when it can't go on.

    `sessions`: how often it was started before. `from_line` of the journal on, it's measured again. `content`: what
    was read of it already, before that line.

    Raises FolderError, JournalError, OtherBench, NotMeasured, NoAnswer, EngineError, EngineDied; whatever is in the
    journal then stays, and the next start goes on from there.
    """
    bench = folder.bench
    folder.write_json("results.schema.json", results_schema())
    journal = Journal(folder.path / "journal.jsonl", from_line, content)
    try:
        wanted = runs(bench)
        _need_asked_for(folder, bench, journal)
        if journal.put_aside is not None:
            kept = folder.put_aside("results.json", f"from-line-{from_line}")
            beside = "" if kept is None else f", the results of it in {kept}"
            reporter.say(f"what was measured before, from line {from_line} on, is in {journal.put_aside}{beside}")
        if journal.cut_bytes:
            reporter.say(
                f"the journal's last line was torn: {journal.cut_bytes} bytes cut, that trial is measured again"
            )
        limits = KnownLimits(selftest, reporter.say)

        def on_trial(run: Run, request: TrialRequest, outcome: Trial | None, replayed: bool) -> None:
            reporter.trial(run, request, outcome, replayed)
            limits.saw(run, request, outcome)

        replay = Replay(journal, tester, sessions=sessions, on_trial=on_trial)
        reporter.plan(wanted)
        done: dict[str, CellResult] = {}
        records: dict[int, Trial] = {}
        timeouts = Timeouts(bench, replay)
        answered = len(journal.entries)
        before = Before()

        def write() -> Results:
            journal.need_it_there()
            known = results(bench, done, journal.entries, limits.selftest, records, timeouts.checks, before)
            write_results(folder, known)
            return known

        try:
            before.learnt = learn_hops(bench, wanted, tester, replay, reporter)
            before.looked = look_first(bench, wanted, journal.entries, replay, reporter)
            before.negative = campaign_tests(bench, wanted, replay, reporter)
            for run in wanted:
                reporter.run(run)
                _measure_cell(bench, run, done, tester, limits, replay, reporter, timeouts)
                if len(journal.entries) > answered:  # nothing new, nothing to write: replaying is quick
                    answered = len(journal.entries)
                    write()
        except (NotMeasured, NoAnswer, DeviceError, EngineDied):
            write()
            raise
        left_over = replay.left_over()
        if left_over:
            raise OtherBench(
                f"{folder.path}: this folder belongs to another bench file or another version: the journal has "
                f"more trials of {left_over[0]} than this bench asks for"
            )
        return write()
    finally:
        journal.close()


def _need_asked_for(folder: CampaignFolder, bench: Bench, journal: Journal) -> None:
    """Raises OtherBench, before anything is measured, for trials of runs that this bench doesn't have."""
    known = all_keys(bench)
    other = next((entry for entry in journal.entries if entry.run not in known), None)
    if other is not None:
        raise OtherBench(
            f"{folder.path}: this folder belongs to another bench file or another version: trial {other.number} of its "
            f"journal is of {other.run}, which this bench doesn't ask for"
        )


def _measure_cell(
    bench: Bench,
    run: Run,
    done: dict[str, CellResult],
    tester: Tester,
    limits: KnownLimits,
    replay: Replay,
    reporter: Reporter,
    timeouts: Timeouts,
) -> None:
    """One run; before the first of a cell, what it needs: sizes, rates, and the Tester alone at that rate."""
    cell, measure = run.cell, run.cell.measure
    first = cell.key not in done
    if first:
        done[cell.key] = begun(bench, cell, tester)
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
            known.alone = _tester_alone(cell, conditions, replay)
        result = measure.run(conditions, replay.measure(run))
    except MeasurementFailed as failure:
        result = failure.failure
    known.repetitions[run.repetition] = result
    reporter.result(run, f"failed: {result.in_words()}" if isinstance(result, Failure) else in_words(result))


def _tester_alone(cell: Cell, conditions: Conditions, replay: Replay) -> Trial | str | None:
    """The outcome, or why there is none; None if it is not wanted."""
    request = cell.measure.alone(conditions)
    if request is None:
        return None
    try:
        return measure_once(replay.measure(Run(cell, 0)), request, cell.measure.retries)[0]
    except MeasurementFailed as failure:
        return str(failure)


def write_results(folder: CampaignFolder, final: Results) -> None:
    """results.json, the same bytes for the same trials."""
    folder.write_text("results.json", results_text(final))
