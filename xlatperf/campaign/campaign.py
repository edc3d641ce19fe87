"""Runs the matrix on a Tester, with journal and results; stops anywhere, goes on from there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from xlatperf.campaign.assemble import CellResult, Frame, results
from xlatperf.campaign.folder import CampaignFolder
from xlatperf.campaign.journal import Journal
from xlatperf.campaign.progress import Reporter, fps
from xlatperf.campaign.replay import OtherBench, Replay
from xlatperf.campaign.results import Results, SelfTestEntry
from xlatperf.campaign.runs import Cell, Run, runs, trial_template
from xlatperf.campaign.selftest import limit_for
from xlatperf.campaign.tester import Tester
from xlatperf.config.bench import Bench
from xlatperf.config.measure import FrameLoss, Throughput
from xlatperf.procedures.frame_loss import LossSweep, SweepResult, frame_loss
from xlatperf.procedures.theoretical import mean_maximum_fps
from xlatperf.procedures.throughput import ThroughputResult, ThroughputSearch, throughput
from xlatperf.procedures.trial import Measure, MeasurementFailed
from xlatperf.search.bisection import StopWidth

DEFAULT_MEDIA_MBPS = 10_000.0
"""When neither the bench file nor the ports know the line rate (veth, tap ...)."""


def frame_of(cell: Cell, tester: Tester, selftest: Sequence[SelfTestEntry]) -> Frame:
    """Sizes on both sides and the rates that follow from them (RFC 8219 §5.1, App. A)."""
    measure = cell.measure
    sizes, background = tester.sizes(cell.frame_size)
    media = measure.media_mbps or tester.media_mbps() or DEFAULT_MEDIA_MBPS
    theoretical = mean_maximum_fps(media, (sizes.left, sizes.right), background, *cell.mix)
    if isinstance(measure, FrameLoss) and measure.rates_fps is not None:
        maximum = max(measure.rates_fps)
    else:
        maximum = theoretical if measure.maximum_fps == "theoretical" else measure.maximum_fps
    return Frame(sizes, media, theoretical, maximum, limit_for(selftest, cell.frame_size, measure.direction))


def run_one(
    bench: Bench, cell: Cell, frame: Frame, measure: Measure, reporter: Reporter
) -> ThroughputResult | SweepResult:
    """One repetition of a cell. Raises MeasurementFailed."""
    wanted = cell.measure
    trial = trial_template(bench, cell)
    if isinstance(wanted, Throughput):
        percent = wanted.stop_width_percent
        search = ThroughputSearch(
            trial=trial,
            minimum_fps=wanted.minimum_fps,
            maximum_fps=frame.maximum_fps,
            stop=StopWidth(wanted.stop_width_fps, percent / 100 if percent is not None else None),
            search_duration_s=wanted.search_duration_s,
            retries=wanted.retries,
            tolerance={name: getattr(wanted.loss_tolerance, name) for name in cell.directions},
            tester_limit_fps=frame.tester_limit_fps,
        )
        return throughput(search, measure, reporter.search)
    sweep = LossSweep(
        trial=trial,
        maximum_fps=frame.maximum_fps,
        step_percent=wanted.step_percent,
        rates_fps=wanted.rates_fps,
        retries=wanted.retries,
        tester_limit_fps=frame.tester_limit_fps,
    )
    return frame_loss(sweep, measure, frame.theoretical_maximum_fps or frame.maximum_fps, reporter.search)


def in_words(result: ThroughputResult | SweepResult) -> str:
    """A run's result in one line."""
    if isinstance(result, SweepResult):
        lossy = sum(1 for point in result.points if point.valid and any(point.loss_percent.values()))
        return f"{len(result.points)} rates, {lossy} with loss"
    limits = {
        "dut": "limited by the DUT",
        "tester": "limited by the Tester: the DUT may be faster",
        "maximum": "the highest rate of the search: the DUT may be faster",
        "minimum": "not even the lowest rate of the search passed",
    }
    return f"{fps(result.rate_fps)} per direction, {limits[result.limited_by]}"


def run_campaign(
    folder: CampaignFolder,
    tester: Tester,
    selftest: Sequence[SelfTestEntry],
    reporter: Reporter,
    *,
    sessions: int = 0,
) -> Results:
    """Runs what is missing, writes results.json after each run. `sessions`: how often it was started before.

    Raises FolderError, JournalError, OtherBench, NotMeasured, NoAnswer, EngineError, EngineDied; whatever is in the
    journal then stays, and the next start goes on from there.
    """
    bench = folder.bench
    folder.write_json("results.schema.json", results_schema())
    journal = Journal(folder.path / "journal.jsonl")
    try:
        if journal.cut_bytes:
            reporter.say(
                f"the journal's last line was torn: {journal.cut_bytes} bytes cut, that trial is measured again"
            )
        replay = Replay(journal, tester, sessions=sessions, on_trial=reporter.trial)
        wanted = runs(bench)
        reporter.plan(wanted)
        done: dict[str, CellResult] = {}
        answered = len(journal.entries)
        for run in wanted:
            reporter.run(run)
            cell = done.setdefault(run.cell.key, CellResult(frame_of(run.cell, tester, selftest)))
            cell.repetitions[run.repetition] = _attempt(bench, run, cell.frame, replay.measure(run), reporter)
            if len(journal.entries) > answered:  # nothing new, nothing to write: replaying is quick
                answered = len(journal.entries)
                write_results(folder, results(bench, done, journal.entries, selftest))
        left_over = replay.left_over()
        if left_over:
            raise OtherBench(
                f"{folder.path}: this folder belongs to another bench file or another version: the journal has "
                f"more trials of {left_over[0]} than this bench asks for"
            )
        final = results(bench, done, journal.entries, selftest)
        write_results(folder, final)
        return final
    finally:
        journal.close()


def _attempt(
    bench: Bench, run: Run, frame: Frame, measure: Measure, reporter: Reporter
) -> ThroughputResult | SweepResult | str:
    """A run's result, or why it has none."""
    try:
        result = run_one(bench, run.cell, frame, measure, reporter)
    except MeasurementFailed as failure:
        reporter.result(run, f"failed: {failure}")
        return str(failure)
    reporter.result(run, in_words(result))
    return result


def write_results(folder: CampaignFolder, final: Results) -> None:
    """results.json, the same bytes for the same trials."""
    folder.write_text("results.json", results_text(final))


def results_schema() -> dict[str, Any]:
    """The JSON Schema of results.json, which names its schema itself."""
    schema = Results.model_json_schema(mode="serialization")
    schema["properties"]["$schema"] = {"type": "string"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def results_text(final: Results) -> str:
    """Results as the file has them."""
    document: dict[str, Any] = {"$schema": "results.schema.json", **final.model_dump(mode="json")}
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read_results(text: str) -> Results:
    """The model of a results.json. Raises ValueError."""
    document = json.loads(text)
    document.pop("$schema", None)
    return Results.model_validate(document)


def failed(final: Results) -> bool:
    """Whether a measurement failed: no result at all, or no rate passed (exit code 1)."""
    return not final.complete or any(
        one.failures or any(repetition.limited_by == "minimum" for repetition in one.repetitions)
        for one in final.measurements
    )
