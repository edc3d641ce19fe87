"""Results and the journal that they were made of: what one has and the other hasn't is said, and nothing measured."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.simulated_campaign import campaign
from tests.simulated_dut import SimulatedTester, capacity
from xlatperf.config.load import parse_bench
from xlatperf.files.writing import write_whole
from xlatperf.results.results import Results
from xlatperf.run.already import results_there
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.journal import JournalError

BENCH = """
technology = { name = "native", family = "ipv6" }
measure = [{ procedure = "frame_loss", frame_sizes = [84], maximum_fps = 100000, rates_fps = [50000], duration_s = 1 }]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a campaign that is complete."""
    campaign(tmp_path / "c", SimulatedTester(capacity(33_333)), BENCH)
    return tmp_path / "c"


def there(folder: Path, said: list[str] | None = None) -> Results | None:
    heard: list[str] = [] if said is None else said
    with CampaignFolder(folder, parse_bench(BENCH, "bench.toml"), BENCH) as opened:
        return results_there(opened, heard.append)


def refused(folder: Path) -> str:
    before = {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}
    with pytest.raises(JournalError) as error:
        there(folder)
    assert {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()} == before
    return str(error.value).replace(str(folder), "c")


def test_nothing_was_changed(folder: Path, tmp_path: Path) -> None:
    said: list[str] = []
    known = there(folder, said)
    assert known is not None
    assert known.complete
    assert said == []
    assert there(tmp_path / "new", said) is None


@pytest.mark.parametrize("lines", [0, 1])
def test_a_journal_that_is_shorter(folder: Path, lines: int) -> None:
    """By whole lines, which no checksum tells."""
    journal = folder / "journal.jsonl"
    all_lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(all_lines[:lines]))
    assert refused(folder) == (
        f"c/journal.jsonl: it has {lines} trial{'' if lines == 1 else 's'}, c/results.json was made of "
        f"{len(all_lines)}: something of it was removed; put the right one back, or remove c/results.json, to measure "
        "again what is missing"
    )


def test_a_journal_that_is_gone(folder: Path) -> None:
    journal = folder / "journal.jsonl"
    journal.unlink()
    assert refused(folder).startswith("c/journal.jsonl: it isn't there, and c/results.json was made of it: put the")
    journal.symlink_to("nowhere")
    assert refused(folder).startswith("c/journal.jsonl: it isn't there")


def test_something_else_in_its_place(folder: Path) -> None:
    journal = folder / "journal.jsonl"
    journal.unlink()
    journal.mkdir()
    with pytest.raises(OSError, match="Is a directory"):
        there(folder)
    journal.rmdir()
    os.mkfifo(journal)
    with pytest.raises(OSError, match="it isn't a regular file"):
        there(folder)
    journal.unlink()
    journal.symlink_to("/dev/zero")
    with pytest.raises(OSError, match="symbolic links"):
        there(folder)


def test_the_journal_of_another_campaign(folder: Path, tmp_path: Path) -> None:
    """Of the same bench file, whole in itself."""
    campaign(tmp_path / "other", SimulatedTester(capacity(40_000)), BENCH)
    (tmp_path / "other" / "journal.jsonl").replace(folder / "journal.jsonl")
    said = refused(folder)
    assert "in it isn't the one that c/results.json was made of: another journal is in its place" in said
    (folder / "results.json").unlink()
    assert there(folder) is None


def test_results_that_were_changed(folder: Path) -> None:
    """They are made again, of the journal."""
    path = folder / "results.json"
    wanted = path.read_text(encoding="utf-8")
    write_whole(path, wanted.replace('"offered_fps": 5', '"offered_fps": 6'))
    said: list[str] = []
    assert there(folder, said) is None
    assert said == [
        f"{path}: something in it was changed since it was written, as its checksum shows: it is written anew, from "
        "the journal"
    ]
    campaign(folder, SimulatedTester(capacity(33_333)), BENCH, sessions=1)
    assert path.read_text(encoding="utf-8") == wanted


def test_from_a_line_on(folder: Path) -> None:
    """What is put aside is no longer missing, also if the campaign stops at once."""
    campaign(folder, SimulatedTester(capacity(33_333)), BENCH, from_line=1, sessions=1)
    assert there(folder) is not None
