"""Runs the matrix on a Tester, with journal and results; stops anywhere, goes on from there."""

from __future__ import annotations

from xlatperf.config.bench import Bench
from xlatperf.devices.device import DeviceError
from xlatperf.engine.errors import EngineDied
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.file import results_schema, results_text
from xlatperf.results.results import Results
from xlatperf.results.selftest_records import SelfTest
from xlatperf.run.assemble import results
from xlatperf.run.before import Before
from xlatperf.run.cell_result import CellResult
from xlatperf.run.first_look import look_first
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.journal import Journal
from xlatperf.run.journal_content import Content
from xlatperf.run.known_limits import KnownLimits
from xlatperf.run.learning import learn_hops
from xlatperf.run.measure_cell import measure_cell
from xlatperf.run.negative import campaign_tests
from xlatperf.run.progress import Reporter
from xlatperf.run.replay import NotMeasured, OtherBench, Replay
from xlatperf.run.runs import Run, all_keys, runs
from xlatperf.run.tester import Tester
from xlatperf.run.timeouts import Timeouts


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
                measure_cell(bench, run, done, tester, limits, replay, reporter, timeouts)
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


def write_results(folder: CampaignFolder, final: Results) -> None:
    """results.json, the same bytes for the same trials."""
    folder.write_text("results.json", results_text(final))
