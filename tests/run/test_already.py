"""Results and the journal that they were made of: what one has and the other hasn't is said, and nothing measured."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest
from rich.console import Console

from tests.simulated_campaign import campaign
from tests.simulated_dut import SimulatedTester, capacity
from xlatperf.config.load import parse_bench
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.failures import KnownFailure
from xlatperf.files.writing import write_whole
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.results import Results
from xlatperf.run.already import already_there
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.journal import Journal
from xlatperf.run.journal_content import JournalError
from xlatperf.run.runs import Run

BENCH = """
technology = { name = "native", family = "ipv6" }
measure = [{ procedure = "frame_loss", frame_sizes = [84], maximum_fps = 100000, rates_fps = [50000], duration_s = 1 }]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a campaign that is complete."""
    campaign(tmp_path / "c", SimulatedTester(capacity(33_333)), BENCH)
    return tmp_path / "c"


def there(folder: Path, from_line: int | None = None) -> Results | None:
    with CampaignFolder(folder, parse_bench(BENCH, "bench.toml"), BENCH) as opened:
        return already_there(opened, from_line).results


def refused(folder: Path, from_line: int | None = None) -> str:
    """Nothing is changed by it."""
    before = {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}
    with pytest.raises(KnownFailure) as error:
        there(folder, from_line)
    assert {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()} == before
    return str(error.value).replace(str(folder), "c")


def other(folder: Path) -> Path:
    """Of the same bench file, with the same counts: only its times differ."""
    campaign(folder, Slower(capacity(33_333)), BENCH)
    return folder


class Slower(SimulatedTester):
    """Its trials take another time."""

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        answer = super().trial(run, request, frame_tag)
        return answer.model_copy(update={"elapsed_s": answer.elapsed_s + 1e-6})


def test_nothing_was_changed(folder: Path, tmp_path: Path) -> None:
    known = there(folder)
    assert known is not None
    assert known.complete
    assert there(tmp_path / "new") is None


@pytest.mark.parametrize("lines", [0, 1])
def test_a_journal_that_is_shorter(folder: Path, lines: int) -> None:
    """By whole lines, which no checksum tells."""
    journal = folder / "journal.jsonl"
    all_lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(all_lines[:lines]))
    assert refused(folder) == (
        f"c/journal.jsonl: it has {lines} whole trial{'' if lines == 1 else 's'}, c/results.json was made of "
        f"{len(all_lines)}: something of it was removed; put the right one back, or remove c/results.json, to measure "
        "again what is missing"
    )


def test_a_line_that_was_torn_by_somebody(folder: Path) -> None:
    """A kill tears none that results were made of; nothing is cut."""
    journal = folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-9])
    assert "something of it was removed" in refused(folder)


def test_line_ends(folder: Path) -> None:
    """Without the last one, or as some programs write them: all trials are there."""
    journal = folder / "journal.jsonl"
    text = journal.read_bytes()
    for changed in (text[:-1], text.replace(b"\n", b"\r\n"), text[:-1].replace(b"\n", b"\r\n")):
        journal.write_bytes(changed)
        assert there(folder) is not None
        opened = Journal(journal)
        opened.close()
        assert len(opened.entries) == text.count(b"\n")
        assert journal.read_bytes() == changed + (b"" if changed.endswith(b"\n") else b"\n")


def test_a_journal_that_is_gone(folder: Path) -> None:
    journal = folder / "journal.jsonl"
    journal.unlink()
    assert refused(folder).startswith("c/journal.jsonl: it isn't there, and c/results.json was made of it: put the")


def test_something_else_in_its_place(folder: Path) -> None:
    journal = folder / "journal.jsonl"
    journal.unlink()
    behind = "; put the campaign's journal in its place"
    journal.mkdir()
    assert refused(folder) == f"c/journal.jsonl: can't be used: it is a folder{behind}"
    journal.rmdir()
    os.mkfifo(journal)
    assert refused(folder) == f"c/journal.jsonl: can't be used: it isn't a regular file{behind}"
    journal.unlink()
    for target, why in (("/dev/zero", "it isn't a regular file"), ("nowhere", "No such file or directory")):
        journal.unlink(missing_ok=True)
        journal.symlink_to(target)
        assert refused(folder) == f"c/journal.jsonl: can't be used: {why}{behind}"
    journal.unlink()
    with journal.open("wb") as file:
        file.truncate(10**11)
    assert refused(folder).startswith("c/journal.jsonl: it has 100,000 MB, and no journal has more than 4,000: put")


def test_a_journal_that_is_a_link(folder: Path, tmp_path: Path) -> None:
    """It isn't written to, wherever it leads."""
    journal = folder / "journal.jsonl"
    journal.replace(tmp_path / "elsewhere")
    journal.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalError, match=r"can't be used: Too many levels of symbolic links; put the campaign's"):
        Journal(journal)


@pytest.mark.parametrize("which", ["journal.jsonl", "results.json"])
def test_those_of_another_campaign(folder: Path, tmp_path: Path, which: str) -> None:
    """Of the same bench file, whole in themselves, with the same counts."""
    (other(tmp_path / "other") / which).replace(folder / which)
    assert refused(folder) == (
        "c/journal.jsonl: trial 0 in it isn't the one that c/results.json was made of: one of them is of another "
        "campaign, or was changed; put the right one back, or remove c/results.json, to go on with this journal"
    )
    assert "trial 0 in it isn't the one" in refused(folder, from_line=2)
    (folder / "results.json").unlink()
    assert there(folder) is None


def test_a_value_without_a_checksum(folder: Path) -> None:
    """Whoever took that out: the journal has another."""
    path = folder / "results.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["sum"]
    write_whole(path, json.dumps(document))
    assert there(folder) is not None
    document["trials"][0]["elapsed_s"] += 1e-6
    write_whole(path, json.dumps(document))
    assert "isn't the one that c/results.json was made of" in refused(folder)


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('"offered_fps": 5', '"offered_fps": 6', "something in it was changed since it was written, as its checksum"),
        ('"schema_version"', "", "it isn't JSON: "),
    ],
)
def test_results_that_were_changed(folder: Path, was: str, becomes: str, said: str) -> None:
    """They would be made again of the journal, of which nobody could say whether it is whole."""
    path = folder / "results.json"
    wanted = path.read_text(encoding="utf-8")
    write_whole(path, wanted.replace(was, becomes, 1))
    told = refused(folder)
    assert told.startswith(f"c/results.json: {said}")
    assert told.endswith(
        "; put the right one back, or, if c/journal.jsonl is whole, remove c/results.json: it is written anew"
    )
    path.unlink()
    campaign(folder, SimulatedTester(capacity(33_333)), BENCH, sessions=1)
    assert path.read_text(encoding="utf-8") == wanted


def test_no_results_at_all(folder: Path) -> None:
    path = folder / "results.json"
    write_whole(path, "")
    assert refused(folder).startswith("c/results.json: it isn't JSON: ")
    path.unlink()
    path.mkdir()
    assert refused(folder).startswith("c/results.json: can't be read: it is a folder; put the right one back, or, if")


def test_another_version_s(folder: Path) -> None:
    """They are made again."""
    path = folder / "results.json"
    write_whole(path, path.read_text(encoding="utf-8").replace('"schema_version": 4', '"schema_version": 3'))
    assert there(folder) is None


def test_from_a_line_on(folder: Path) -> None:
    """What is put aside is no longer missing, and the results that had it are beside it."""
    before = (folder / "results.json").read_bytes()
    assert there(folder, from_line=1) is not None
    screen = Console(file=io.StringIO(), width=300)
    campaign(folder, SimulatedTester(capacity(33_333)), BENCH, from_line=1, sessions=1, say=screen)
    assert isinstance(screen.file, io.StringIO)
    assert f"the results of it in {folder}/results.json.from-line-1" in screen.file.getvalue()
    assert (folder / "results.json.from-line-1").read_bytes() == before
    assert there(folder) is not None
