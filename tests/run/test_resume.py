"""A campaign killed at any point goes on where it stopped: nothing lost, nothing measured twice, the same results."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from tests.run.kinds_of_lines import first_of_each_kind
from tests.simulated_campaign import campaign
from tests.simulated_dut import Killed, SimulatedTester, capacity
from xlatperf.commands.report import write_report
from xlatperf.config.load import parse_bench
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.procedures.trial_request import FIRST_LOOK, TrialRequest
from xlatperf.report.series import performance
from xlatperf.report.sweep import sweep
from xlatperf.results.file import failed, read_results
from xlatperf.results.results import Results
from xlatperf.run.folder import CampaignFolder, FolderError
from xlatperf.run.replay import NotMeasured, OtherBench
from xlatperf.run.runs import Run

BENCH = """
technology = { name = "native", family = "ipv6" }
[[measure]]
procedure = "throughput"
frame_sizes = [84, 512]
maximum_fps = 100000
stop_width_percent = 10
duration_s = 1
search_duration_s = 0.5
repetitions = 2
[[measure]]
procedure = "frame_loss"
frame_sizes = [84]
maximum_fps = 100000
rates_fps = [100000, 50000, 20000, 10000]
duration_s = 1
"""


def start(path: Path, tester: SimulatedTester, sessions: int = 0, text: str = BENCH) -> Results:
    return campaign(path, tester, text, sessions=sessions)


def content(path: Path) -> bytes:
    return (path / "results.json").read_bytes()


def test_undisturbed(tmp_path: Path) -> None:
    """R8219-7.1: results, summary and trials belong together."""
    results = start(tmp_path / "c", SimulatedTester(capacity(33_333)))
    assert results.complete
    assert not failed(results)
    assert [one.procedure for one in results.measurements] == ["throughput", "throughput", "frame_loss"]
    first = performance(results.measurements[0])
    assert first is not None
    assert first.n == 2
    assert 30_000 <= first.median <= 33_333
    assert [trial.number for trial in results.first_look_trials] == [0]
    numbers = [trial.number for trial in results.trials]
    assert numbers == list(range(1, 1 + len(results.trials)))
    assert sorted(number for one in results.measurements for run in one.repetitions for number in run.trials) == numbers
    assert [point.rate_fps for point in sweep(results.measurements[2])] == [100_000, 50_000, 20_000, 10_000]
    assert read_results(content(tmp_path / "c").decode()) == results
    schema = json.loads((tmp_path / "c" / "results.schema.json").read_text())
    assert set(json.loads(content(tmp_path / "c"))) <= set(schema["properties"])


def test_killed_after_each_kind_of_trial(tmp_path: Path) -> None:
    """The same bytes whether it was killed at the first trial of a kind, after it, or not; none is measured twice."""
    whole = SimulatedTester(capacity(33_333))
    start(tmp_path / "whole", whole)
    wanted, trials = content(tmp_path / "whole"), len(whole.tags)
    behind = first_of_each_kind([json.loads(line) for line in (tmp_path / "whole" / "journal.jsonl").open()])
    for die_at in sorted({0, *(one - 1 for one in behind), *(one for one in behind if one < trials)}):
        path = tmp_path / f"killed{die_at}"
        first = SimulatedTester(capacity(33_333), die_at)
        with pytest.raises(Killed):
            start(path, first)
        second = SimulatedTester(capacity(33_333))
        start(path, second, sessions=1)
        assert len(first.tags) + len(second.tags) == trials
        assert not set(first.tags) & set(second.tags)
        assert content(path) == wanted


def test_killed_again_and_again_with_a_torn_line(tmp_path: Path) -> None:
    """Each kill also tears the line that was being written."""
    start(tmp_path / "whole", SimulatedTester(capacity(33_333)))
    path, sessions = tmp_path / "killed", 0
    while True:
        try:
            start(path, SimulatedTester(capacity(33_333), die_at=3), sessions)
            break
        except Killed:
            sessions += 1
            with (path / "journal.jsonl").open("ab") as file:
                number = (path / "journal.jsonl").read_bytes().count(b"\n")
                file.write(f'{{"number":{number},"run":"1-through'.encode())
    assert sessions > 3
    assert content(path) == content(tmp_path / "whole")


def test_a_complete_line_without_its_end_is_kept(tmp_path: Path) -> None:
    start(tmp_path / "whole", SimulatedTester(capacity(33_333)))
    path = tmp_path / "cut"
    start(path, SimulatedTester(capacity(33_333)))
    journal = path / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-1])
    again = SimulatedTester(capacity(33_333))
    start(path, again, 1)
    assert again.tags == []
    assert content(path) == content(tmp_path / "whole")


def test_a_complete_campaign_measures_nothing(tmp_path: Path) -> None:
    start(tmp_path / "c", SimulatedTester(capacity(33_333)))
    wanted = content(tmp_path / "c")
    again = SimulatedTester(capacity(1))
    start(tmp_path / "c", again, 1)
    assert again.tags == []
    assert content(tmp_path / "c") == wanted


def test_another_bench_file_is_refused(tmp_path: Path) -> None:
    start(tmp_path / "c", SimulatedTester(capacity(33_333)))
    with pytest.raises(FolderError, match="belongs to another bench file"):
        start(tmp_path / "c", SimulatedTester(capacity(33_333)), text=BENCH.replace("duration_s = 1", "duration_s = 2"))


def test_a_journal_of_another_bench_is_refused(tmp_path: Path) -> None:
    start(tmp_path / "c", SimulatedTester(capacity(33_333)))
    other = BENCH.replace("maximum_fps = 100000", "maximum_fps = 90000")
    (tmp_path / "c" / "bench.toml").write_text(other)
    with pytest.raises(OtherBench, match="belongs to another bench file or another version: trial 1"):
        start(tmp_path / "c", SimulatedTester(capacity(33_333)), text=other)


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    with (
        CampaignFolder(tmp_path / "c", parse_bench(BENCH, "b"), BENCH),
        pytest.raises(FolderError, match="another xlatperf is running"),
    ):
        start(tmp_path / "c", SimulatedTester(capacity(1)))


def test_invalid_trials_are_in_the_results_but_not_the_duts(tmp_path: Path) -> None:
    tester = SimulatedTester(capacity(1e9))
    tester.reasons = [("schedule",), ()]
    results = start(tmp_path / "c", tester)
    assert [trial.valid for trial in results.trials[:2]] == [False, True]
    assert results.measurements[0].repetitions[0].limited_by == "maximum"
    assert [(one.kind, one.reason, one.count) for one in results.findings] == [("tester", "schedule", 1)]


@pytest.mark.parametrize("code", ["link_down", "stopped", "fell_silent"])
def test_what_is_no_trial_stops_the_campaign_and_spoils_nothing(tmp_path: Path, code: str) -> None:
    """What the DUT has counted is in the journal, and in results.json, also if nothing was measured."""
    whole = start(tmp_path / "whole", SimulatedTester(capacity(33_333)))
    tester = SimulatedTester(capacity(33_333))
    tester.reasons = [(), (code,), (code,), (code,)]
    with pytest.raises(NotMeasured, match=code):
        start(tmp_path / "c", tester)
    kept = read_results((tmp_path / "c" / "results.json").read_text())
    assert [[reason.code for reason in one.reasons] for one in kept.trials] == [[], [code], [code], [code]]
    results = start(tmp_path / "c", SimulatedTester(capacity(33_333)), 1)
    assert values(results) == values(whole)
    assert len(results.trials) == len(whole.trials) + 3
    assert [(one.kind, one.reason, one.count) for one in results.findings] == [
        ("error" if code == "fell_silent" else "tester", code, 3)
    ]
    before = content(tmp_path / "c")
    nobody = SimulatedTester(capacity(33_333), die_at=0)
    start(tmp_path / "c", nobody, 2)
    assert content(tmp_path / "c") == before, "from the journal alone come the same bytes"


def values(results: Results) -> list[float]:
    found = [performance(item) for item in results.measurements]
    return [one.median for one in found if one is not None]


def test_a_trial_that_was_none_is_said(tmp_path: Path) -> None:
    """And measured again, where the DUT works again."""
    tester = SimulatedTester(capacity(33_333))
    tester.reasons = [(), ("fell_silent",)]
    screen = Console(file=io.StringIO(), width=200)
    results = campaign(tmp_path / "c", tester, BENCH, say=screen)
    assert [trial.number for trial in results.trials if not trial.valid] == [2]
    assert results.measurements[0].repetitions[0].trials[:2] == (1, 3)
    assert isinstance(screen.file, io.StringIO)
    assert "no trial: because of fell_silent" in screen.file.getvalue()


def test_a_dut_that_stays_silent_leaves_what_it_did(tmp_path: Path) -> None:
    """The trial in which it died is none; its counts, and the intervals of a soak, are in the folder."""
    soak = """
technology = { name = "native", family = "ipv6" }
measure = [{ procedure = "soak", frame_sizes = [84], rate_fps = 10000, duration_s = 4, interval_s = 1 }]
"""
    for text in (BENCH, soak):
        path = tmp_path / str(len(text))
        tester = DiesInTheFirst(capacity(33_333))
        if text == BENCH:
            with pytest.raises(NoAnswer, match="gone"):
                campaign(path, tester, text)
        else:
            (item,) = campaign(path, tester, text).measurements
            assert "fell_silent" in str(item), "of a soak that is the result"
        (kept,) = read_results(content(path).decode()).trials
        assert [reason.code for reason in kept.reasons] == ["fell_silent"]
        assert kept.forward is not None
        assert kept.forward.sent > 0


def test_a_campaign_without_a_trial_has_a_report(tmp_path: Path) -> None:
    """The DUT never answered: that's what it says."""

    class NeverThere(SimulatedTester):
        def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
            raise NoAnswer("nobody answers")

    path = tmp_path / "c"
    with pytest.raises(NoAnswer):
        start(path, NeverThere(capacity(1)))
    results = read_results(content(path).decode())
    assert not results.trials
    assert not results.complete
    write_report(results, path)
    assert "No trial has run." in (path / "report.html").read_text()


class DiesInTheFirst(SimulatedTester):
    """In the first that is measured, and nobody brings it back."""

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        if request.purpose == FIRST_LOOK:
            return super().trial(run, request, frame_tag)
        self.reasons = [("fell_silent",)]
        raise NoAnswer("it is gone", super().trial(run, request, frame_tag))


def test_a_failed_run_is_in_the_results(tmp_path: Path) -> None:
    tester = SimulatedTester(capacity(33_333))
    tester.reasons = [("clock",)] * 3
    results = start(tmp_path / "c", tester)
    (failure,) = results.measurements[0].failures
    assert failure.what == "no valid trial at 100000 fps in 3 attempts"
    assert (failure.repetition, failure.details) == (1, ("clock: because of clock",))
    assert failed(results)
    assert results.complete


def test_deviations_are_declared(tmp_path: Path) -> None:
    """Standards.md §9."""
    siit = f'technology.name = "siit"\n{BENCH[BENCH.index("[[measure]]") :]}'
    results = start(tmp_path / "c", SimulatedTester(capacity(33_333)), text=siit)
    sections = {one.section for one in results.deviations}
    assert {
        "RFC 2544 §24",
        "RFC 2544 App. C.2.6.4",
        "RFC 6052 §3.1, §3.3",
        "RFC 8219 §5.1.1",
        "RFC 2544 §12",
    } <= sections


def test_nothing_about_the_session_in_the_results(tmp_path: Path) -> None:
    start(tmp_path / "c", SimulatedTester(capacity(33_333)))
    text = content(tmp_path / "c").decode()
    for word in ("started", "wall_s", "frame_tag", "session", "hostname"):
        assert f'"{word}' not in text
