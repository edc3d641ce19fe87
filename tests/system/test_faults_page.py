"""docs/faults.md: each fault of its tables is made as its row says, it's said as it stands, and nothing is lost."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

import pytest

from tests.long import more, only_long
from tests.retries import attempts
from tests.system.command import REPOSITORY, Ended, started, traces, xlatperf
from tests.system.requirements import needs_nft, needs_root, needs_tayga
from tests.system.trials import RELAXED

LINUX = 'technology = {name = "native", family = "ipv4"}\ndevice.driver = "linux"\n'
TAYGA = 'technology.name = "siit"\ndevice.driver = "tayga"\ntraffic.hops = 3\n'
REFERENCE = 'technology = {name = "native", family = "ipv4"}\ndevice.driver = "reference"\n'
BENCHES = {
    "While a campaign runs": LINUX,
    "While a campaign runs on a translator": TAYGA,
    "A campaign's folder": REFERENCE,
    "Bench files": REFERENCE,
}
NEEDS = {LINUX: [needs_root, needs_nft], TAYGA: [needs_root, needs_tayga], REFERENCE: []}
MEASURE = """
[[measure]]
procedure = "frame_loss"
frame_sizes = [84]
rates_fps = [100, 50]
duration_s = 0.7
timeout_s = 0.2
settle_s = 0
learning_wait_s = 0
repetitions = 1
"""
SAME_PORTS = """technology = {name = "native", family = "ipv4"}
device = {driver = "manual", namespace = "NAMESPACE"}
tester.left.port = "net_af_packet0,iface=t0"
tester.right.port = "net_af_packet1,iface=t1"
"""
RUN = ("run", "b.toml", "--folder", "c", "--skip-selftest")
CODE = re.compile(r"`([^`]+)`")
BAR = re.compile(r"(?<!\\)\|")
ATTEMPTS = 3


@dataclass(frozen=True)
class Row:
    """One fault; `made_by`, `says` and `again` are what stands in backticks."""

    table: str
    fault: str
    made_by: str
    says: tuple[str, ...]
    exit_code: int
    again: str


def rows() -> Iterator[Row]:
    table = ""
    for line in (REPOSITORY / "docs" / "faults.md").read_text(encoding="utf-8").splitlines():
        table = line.removeprefix("## ") if line.startswith("## ") else table
        cells = [cell.strip().replace("\\|", "|") for cell in BAR.split(line)[1:-1]]
        if not line.startswith("| ") or cells[0] == "Fault":
            continue
        fault, made_by, says, exit_code, _, again = cells
        yield Row(table, fault, CODE.findall(made_by)[0], tuple(CODE.findall(says)), int(exit_code), again.strip("`"))


ROWS = list(rows())
RUNNING = [row for row in ROWS if row.table.startswith("While")]
STANDING = [row for row in ROWS if not row.table.startswith("While")]


LONG = {"xlatperf is told to end", "Somebody deletes the folder", "Another campaign in the same folder"}
"""Their kind is tested elsewhere, or by another row; the rest takes a minute of one worker."""


def marked(chosen: Sequence[Row]) -> Sequence[object]:
    found = []
    for row in chosen:
        marks = NEEDS[BENCHES[row.table]] + ([more, only_long] if row.fault in LONG else [])
        found.append(pytest.param(row, marks=marks, id=f"{row.fault}: {row.made_by[:20]}"))
    return found


def bench(row: Row) -> str:
    """Another `xlatperf` must start while the trials last."""
    measure = MEASURE.replace("duration_s = 0.7", "duration_s = 3") if "xlatperf" in row.made_by else MEASURE
    return BENCHES[row.table] + measure + RELAXED


def test_the_tables_are_read() -> None:
    assert {row.table for row in ROWS} == set(BENCHES)
    assert all(row.says or row.exit_code < 0 for row in ROWS)


def wait_for_a_trial(folder: Path, process: subprocess.Popen[str], lines: int) -> None:
    """The one behind so many has begun."""
    journal = folder / "c" / "journal.jsonl"
    deadline = time.monotonic() + 60
    while not journal.is_file() or journal.read_bytes().count(b"\n") < lines:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.15)


def of(parent: int, name: str) -> str:
    """The process of this name that it has started; empty: none."""
    found = subprocess.run(("pgrep", "-P", str(parent), "-f", name), capture_output=True, text=True, check=False)
    return found.stdout.split("\n")[0]


def shell(command: str, folder: Path, variables: dict[str, str]) -> Ended:
    """As a user types it, `xlatperf` being this one."""
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / "xlatperf"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={REPOSITORY} exec {sys.executable} -m xlatperf "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, **variables, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(
        ("bash", "-c", command), cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    return Ended(done.returncode, done.stdout + done.stderr)


def lines(folder: Path) -> list[str]:
    """Of the journal, without a last one that is torn."""
    journal = folder / "c" / "journal.jsonl"
    found = journal.read_text(encoding="utf-8").splitlines(keepends=True) if journal.is_file() else []
    return [line for line in found if line.endswith("\n")]


def goes_on(folder: Path, before: list[str]) -> None:
    """To its end; what the journal had it still has."""
    again = xlatperf(*RUN, folder=folder)
    assert again.code in (0, 1), again.output
    assert "report:" in again.output
    assert lines(folder)[: len(before)] == before


@pytest.mark.parametrize("row", marked(RUNNING))
def test_while_a_campaign_runs(tmp_path: Path, row: Row) -> None:
    for attempt in attempts(ATTEMPTS):  # the trial may end before the fault takes effect
        folder = tmp_path / str(attempt)
        folder.mkdir()
        (folder / "b.toml").write_text(bench(row))
        with started(*RUN, folder=folder) as process:
            wait_for_a_trial(folder, process, 1 if BENCHES[row.table] == LINUX else 3)
            variables = {
                "XLATPERF": str(process.pid),
                "ENGINE": of(process.pid, "xlatperf-engine"),
                "TAYGA": of(process.pid, "tayga.conf"),
                "TESTER": f"xlatperf-{process.pid}-tester",
                "DUT": f"xlatperf-{process.pid}-dut",
            }
            (folder / "same-ports.toml").write_text(SAME_PORTS.replace("NAMESPACE", variables["TESTER"]))
            said = shell(row.made_by, folder, variables).output
            said += process.communicate(timeout=90)[0]
        wanted = [Template(words).safe_substitute(variables) for words in row.says]
        if process.returncode != row.exit_code or not all(words in said for words in wanted):
            continue
        if row.exit_code >= 0:
            assert traces(process.pid) == []
        if row.again:
            shell(row.again, folder, variables)
        goes_on(folder, lines(folder))
        return
    pytest.fail(f"exit code {process.returncode}, {wanted}:\n{said}")


@pytest.fixture(scope="module")
def ended_campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ended")
    (folder / "b.toml").write_text(REFERENCE + MEASURE + RELAXED)
    assert xlatperf(*RUN, folder=folder).code == 0
    return folder


@pytest.mark.parametrize("row", marked(STANDING))
def test_a_file(ended_campaign: Path, tmp_path: Path, row: Row) -> None:
    folder = tmp_path / "f"
    shutil.copytree(ended_campaign, folder)
    before = lines(folder)
    said = shell(row.made_by, folder, {})
    assert all(words in said.output for words in row.says), said.output
    assert said.code == row.exit_code
    if row.table == "Bench files":
        return
    if row.again:
        mended = shell(row.again, folder, {})
        assert mended.code == 0, mended.output
    goes_on(folder, before[:1])
    assert len(lines(folder)) == len(before)
