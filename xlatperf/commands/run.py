"""`xlatperf run`: a campaign; again on the same folder goes on where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from xlatperf.commands import paths
from xlatperf.commands.alone import AloneOption, name_of
from xlatperf.commands.baseline import keep_baseline
from xlatperf.commands.campaign_results import read_folder
from xlatperf.commands.exits import UserError
from xlatperf.commands.foreseen import foreseen_of, of_file
from xlatperf.commands.measures import load_measures
from xlatperf.commands.row_folder import refuse_row
from xlatperf.commands.run_in_a_row import in_a_row
from xlatperf.commands.screen import lines_to, screen
from xlatperf.config.bench import Bench
from xlatperf.engine.errors import EngineDied
from xlatperf.failures import Exit
from xlatperf.files.reading import BENCH_BYTES, read_text
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.results.file import BASELINE_FILE, failed
from xlatperf.results.results import Results
from xlatperf.results.selftest_records import SelfTest
from xlatperf.run import raw_delays
from xlatperf.run.already import already_there
from xlatperf.run.cabled import kept
from xlatperf.run.campaign import run_campaign
from xlatperf.run.environment import host_of, with_session
from xlatperf.run.folder import CampaignFolder, FolderError
from xlatperf.run.joined import nearest_to_use
from xlatperf.run.journal_content import Content
from xlatperf.run.progress import Reporter, reporter_for
from xlatperf.run.receive_ring import ring_advice
from xlatperf.run.selftest import enough_for, selftest
from xlatperf.run.session import port_remark, session
from xlatperf.run.signals import Interrupted
from xlatperf.run.tester import EngineTester


def run(
    bench_file: Annotated[Path, typer.Argument(parser=paths.path, metavar="BENCH", help="The bench file.")],
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder", "-f", parser=paths.path, help="The campaign's folder; else campaigns/ and the file's name."
        ),
    ] = None,
    skip_selftest: Annotated[
        bool,
        typer.Option(
            "--skip-selftest", help="Don't measure the Tester first: its limit is unknown, unless a cable told it."
        ),
    ] = False,
    from_line: Annotated[
        int | None,
        typer.Option(
            "--from-line", min=1, help="Measure again from this line of the journal on, when a line is damaged."
        ),
    ] = None,
    alone: AloneOption = None,
) -> int:
    """Run a campaign. Run again on the same folder to go on where it stopped: nothing is measured twice."""
    bench = load_measures(bench_file)
    only = name_of(bench, alone, bench_file)
    if any(measure.keeps_raw_delays for measure in bench.measure):
        try:
            raw_delays.check()
        except raw_delays.NoParquet as error:
            raise UserError(f"{bench_file}: measure: {error}") from error
    path = folder or Path("campaigns") / bench_file.stem
    text = read_text(bench_file, BENCH_BYTES)
    again = f"xlatperf run {bench_file} --folder {path}" + ("" if only is None else f" --alone {only}")
    if not bench.alone:
        refuse_row(path)
        foreseen_of(bench, bench_file)
        return _campaign(bench_file, bench, text, path, again, skip_selftest, from_line)
    if from_line is not None:
        raise UserError("--from-line: not with two devices in a row: each of the three campaigns has a journal")
    return in_a_row(
        bench,
        bench_file,
        text,
        path,
        lambda one, its_text, at: _campaign(bench_file, one, its_text, at, again, skip_selftest, None),
        only,
    )


def _campaign(
    bench_file: Path, bench: Bench, text: str, path: Path, again: str, skip_selftest: bool, from_line: int | None
) -> int:
    """`again`: the command that goes on with it."""
    console = screen()
    with CampaignFolder(path, bench, text) as campaign:
        _keep_baseline(campaign, bench_file)
        already = already_there(campaign, from_line)
        known = already.results
        if known is not None and known.complete and from_line is None:
            lines_to(console)(f"{path}: this campaign is complete, nothing is left to measure")
            return _end(campaign, known, console)
        reporter = reporter_for(console)
        try:
            final = _measure(campaign, reporter, bench_file, skip_selftest, from_line, already.journal)
        except Interrupted:
            reporter.say(f"interrupted; {again} goes on from here")
            raise
        finally:
            reporter.close()
        return _end(campaign, final, console)


def _keep_baseline(campaign: CampaignFolder, bench_file: Path) -> None:
    """At each start as it is then; what was kept stays where that campaign is no longer there. Raises UserError."""
    of = campaign.bench.report.baseline_folder
    if of is not None and (of.exists() or not (campaign.path / BASELINE_FILE).exists()):
        keep_baseline(campaign.path, of, f"{bench_file}: report.baseline", read_folder(of))


def _measure(
    campaign: CampaignFolder,
    reporter: Reporter,
    bench_file: Path,
    skip_selftest: bool,
    from_line: int | None,
    journal: Content | None,
) -> Results:
    bench = campaign.bench
    remark = port_remark(bench)
    if remark is not None:
        reporter.say(remark)
    alone = _tester_itself(campaign, reporter, bench_file, skip_selftest)
    with of_file(bench_file), session(bench, reporter.say) as running:
        for line in ring_advice(running.opened, bench.asked_fps, bench.tester.queues):
            reporter.say(line)
        before: dict[str, Any] | None = campaign.read_json("environment.json")
        environment = with_session(before, running.opened, running.device.facts(), host_of(running.engine))
        campaign.write_json("environment.json", environment)
        try:
            return run_campaign(
                campaign,
                EngineTester(
                    running.engine,
                    bench,
                    folder=campaign.path,
                    device=running.device,
                    say=reporter.say,
                    joined=lambda: nearest_to_use(bench),
                ),
                alone,
                reporter,
                sessions=len(environment["sessions"]) - 1,
                from_line=from_line,
                content=journal,
            )
        except NoAnswer:
            for line in running.device.diagnose():
                reporter.say(f"  {line}")
            raise


def _tester_itself(campaign: CampaignFolder, reporter: Reporter, bench_file: Path, skip: bool) -> SelfTest:
    """The self-test of this campaign: measured at its first start, then kept. Raises EngineDied, FolderError."""
    before = campaign.read_json("selftest.json")
    if before is not None:
        try:
            return SelfTest.model_validate(before)
        except ValueError as error:
            raise FolderError(
                f"{campaign.path / 'selftest.json'}: not a self-test's result, or another version's: delete "
                "it to measure it anew"
            ) from error
    known = kept(bench_file, campaign.bench)
    for line in [] if known.cabled is None else known.cabled.in_words():
        reporter.say(line)
    if not skip:
        bench = campaign.bench
        entries = selftest(bench, progress=reporter.say, known=known.entries, enough_fps=enough_for(bench))
        known = known.model_copy(update={"entries": tuple(entries)})
    for entry in known.entries:
        if entry.limit_fps <= 0:
            raise EngineDied(
                f"the self-test over {entry.driver} failed with {entry.frame_size_named} bytes, {entry.direction}: "
                f"{entry.reason}"
            )
    campaign.write_json("selftest.json", known.model_dump(mode="json"))
    return known


def _end(campaign: CampaignFolder, final: Results, console: Console) -> int:
    """Report and exit code."""
    from xlatperf.commands.report import write_report

    for line in write_report(final, campaign.path):
        lines_to(console)(line)
    return Exit.MEASUREMENT_FAILED if failed(final) else Exit.DONE
