"""`xlatperf run` on a real device: killed in the middle it goes on where it stopped, with the same results."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.long import more, only_long
from tests.run.kinds_of_lines import first_of_each_kind
from tests.run.recorded_tester import RecordedTester
from tests.system.campaigns import campaign
from tests.system.command import started, traces, xlatperf
from tests.system.requirements import needs_root
from tests.system.trials import RELAXED
from tests.values import rates_of
from xlatperf.lab.process_identity import ProcessIdentity, identify
from xlatperf.results.selftest_records import SelfTest
from xlatperf.run.campaign import run_campaign
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.progress import PlainReporter

BENCH = f"""
technology = {{ name = "native", family = "ipv4" }}
device.driver = "linux"
{RELAXED}
[[measure]]
procedure = "throughput"
frame_sizes = [64]
minimum_fps = 500
maximum_fps = 1000000
stop_width_percent = 50
repetitions = 2
duration_s = 0.2
timeout_s = 0.2
settle_s = 0.05
learning_wait_s = 0.02
retries = 1
[[measure]]
procedure = "frame_loss"
frame_sizes = [64]
rates_fps = [1000, 2000, 3000, 4000]
duration_s = 0.2
timeout_s = 0.2
settle_s = 0.05
learning_wait_s = 0.02
"""

pytestmark = needs_root


def lines(folder: Path) -> list[bytes]:
    """The journal's whole lines."""
    path = folder / "journal.jsonl"
    content = path.read_bytes() if path.exists() else b""
    return content.splitlines(keepends=True) if content.endswith(b"\n") else content.splitlines(keepends=True)[:-1]


def entries(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(folder)]


def wait_until(ready: Callable[[], bool], what: str, timeout_s: float = 60) -> None:
    deadline = time.monotonic() + timeout_s
    while not ready():
        assert time.monotonic() < deadline, f"not within {timeout_s:g} s: {what}"
        time.sleep(0.02)


def offspring(pid: int) -> list[ProcessIdentity]:
    """The process and all that descend from it."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(folder.name))
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        waiting += parents.get(one, [])
        identity = identify(one)
        if identity is not None:
            found.append(identity)
    return found


def check_results(folder: Path) -> None:
    """results.json has each trial of the journal once, in its order, and each belongs to one run."""
    results = json.loads((folder / "results.json").read_text())
    first, *journal = entries(folder)
    assert results["complete"] is True
    assert [first["number"], *(entry["number"] for entry in journal)] == list(range(len(journal) + 1))
    assert [trial["run"] for trial in results["first_look_trials"]] == [first["run"]]
    assert [(trial["number"], trial["run"]) for trial in results["trials"]] == [
        (entry["number"], entry["run"]) for entry in journal
    ]
    runs = [run for measurement in results["measurements"] for run in measurement["repetitions"]]
    assert sorted(number for run in runs for number in run["trials"]) == [entry["number"] for entry in journal]
    assert {run["run"] for run in runs} == {entry["run"] for entry in journal}


def test_tiny_campaign(tmp_path: Path) -> None:
    """R2544-26.1, R8219-12-1: a throughput is found in each of two repetitions, and each trial is in the journal."""
    made = campaign(tmp_path, BENCH.replace("maximum_fps = 1000000", "maximum_fps = 8000"))
    folder, results = made.folder, made.results
    check_results(folder)
    throughput = results["measurements"][0]
    assert [run["number"] for run in throughput["repetitions"]] == [1, 2]
    assert len(rates_of(throughput)) == 2
    assert all(500 <= rate <= 8000 for rate in rates_of(throughput))
    assert results["selftest"] == []
    assert (folder / "report.html").stat().st_size > 10_000
    again = xlatperf("run", "bench.toml", "--folder", "c", folder=tmp_path)
    assert again.code == 0
    assert "this campaign is complete, nothing is left to measure" in again.output


@pytest.mark.timeout(240)
def test_killed_in_the_middle(tmp_path: Path) -> None:
    """A run ended by SIGKILL leaves its journal and nothing else; the next measures what is missing, and nothing twice.

    Then the replay: the finished journal, cut after each kind of line, completed by recorded answers: the same bytes.
    """
    (tmp_path / "bench.toml").write_text(BENCH)
    command = ("run", "bench.toml", "--folder", "c", "--skip-selftest")
    folder = tmp_path / "c"
    with started(*command, folder=tmp_path) as killed:
        wait_until(lambda: len(lines(folder)) >= 3 or killed.poll() is not None, "three trials in the journal")
        assert killed.poll() is None, killed.communicate()[0]
        family = offspring(killed.pid)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait(10)
        before = lines(folder)
        wait_until(lambda: traces(killed.pid) == [], "its namespaces, folders and processes are gone")
        wait_until(lambda: not any(one.running for one in family), "its processes have ended")
    with started(*command, folder=tmp_path) as second:
        wait_until(lambda: len(lines(folder)) > len(before) or second.poll() is not None, "a trial of the second run")
        output, _ = second.communicate(timeout=90)
    assert second.returncode == 0, output
    assert traces(second.pid) == []
    assert "from the journal" in output
    after = lines(folder)
    assert after[: len(before)] == before
    assert len({entry["frame_tag"] for entry in entries(folder)}) == len(after)
    check_results(folder)
    throughput = json.loads((folder / "results.json").read_text())["measurements"][0]
    assert [run["number"] for run in throughput["repetitions"]] == [1, 2]
    assert all(rate >= 500 for rate in rates_of(throughput))
    assert len(json.loads((folder / "environment.json").read_text())["sessions"]) == 2
    replayed_is_equal(folder, tmp_path)


@more
@only_long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("dice", range(24))
def test_killed_by_chance(tmp_path: Path, dice: int) -> None:
    """Again and again, after times that nobody chose: nothing is left behind, nothing measured twice."""
    (tmp_path / "bench.toml").write_text(BENCH)
    after_s = random.Random(dice)
    kills = 0
    while True:
        with started("run", "bench.toml", "--folder", "c", "--skip-selftest", folder=tmp_path) as one:
            try:
                output, _ = one.communicate(timeout=after_s.uniform(0.5, 3.5))
                break
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait(10)
                kills += 1
                assert kills < 200, "it doesn't come to an end"
    assert one.returncode == 0, output
    assert traces(one.pid) == []
    assert len({entry["frame_tag"] for entry in entries(tmp_path / "c")}) == len(lines(tmp_path / "c"))
    check_results(tmp_path / "c")


def replayed_is_equal(folder: Path, where: Path) -> None:
    """results.json of the folder is what a run makes of the journal that ends behind a line of each kind, or is whole.

    Of all procedures: tests/run/test_recorded.py.
    """
    wanted, journal = (folder / "results.json").read_bytes(), lines(folder)
    for cut in (0, *first_of_each_kind(entries(folder)), len(journal)):
        copy = where / f"cut{cut}"
        copy.mkdir()
        for name in ("bench.toml", "selftest.json"):
            shutil.copy(folder / name, copy / name)
        (copy / "journal.jsonl").write_bytes(b"".join(journal[:cut]))
        recorded = complete(copy, entries(folder)[cut:], wanted)
        assert recorded.left == [], f"cut at {cut}: the procedure asks for fewer trials than were measured"
        assert (copy / "results.json").read_bytes() == wanted, f"cut at {cut}"


def complete(path: Path, left: list[dict[str, Any]], results: bytes) -> RecordedTester:
    """Goes on with a campaign's folder, with recorded answers in place of a device."""
    text = (path / "bench.toml").read_text()
    with CampaignFolder(path) as folder:
        tester = RecordedTester(json.loads(results), left, same_requests=True)
        selftest = SelfTest.model_validate(folder.read_json("selftest.json"))
        run_campaign(folder, tester, selftest, PlainReporter(Console(quiet=True)), sessions=1)
        assert (path / "bench.toml").read_text() == text
        return tester
