"""The journal believes nothing that was changed behind its back, keeps what is right, and loses nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.simulated_campaign import campaign
from tests.simulated_dut import SimulatedTester, capacity
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.journal import Journal
from xlatperf.run.journal_content import JournalError
from xlatperf.run.journal_line import NONE_BEFORE, written
from xlatperf.run.replay import OtherBench
from xlatperf.run.runs import Run

BENCH = """
technology = { name = "native", family = "ipv6" }
[[measure]]
procedure = "throughput"
frame_sizes = [84]
maximum_fps = 100000
stop_width_percent = 10
duration_s = 1
repetitions = 2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a campaign that is complete."""
    start(tmp_path / "c")
    return tmp_path / "c"


def start(path: Path, from_line: int | None = None, text: str = BENCH) -> int:
    """How many trials were measured for it."""
    tester = SimulatedTester(capacity(33_333))
    campaign(path, tester, text, from_line=from_line)
    return len(tester.tags)


def lines(folder: Path) -> list[bytes]:
    return (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)


def put(folder: Path, *changed: bytes) -> None:
    (folder / "journal.jsonl").write_bytes(b"".join(changed))


def unsummed(line: bytes) -> bytes:
    """As older versions wrote it."""
    return line.partition(b',"before":"')[0] + b"}\n"


def summed(unsummed_lines: Sequence[bytes]) -> list[bytes]:
    """As this version would have written them."""
    before: str | None = NONE_BEFORE
    found = []
    for one in unsummed_lines:
        line, before = written(json.loads(one), before)
        found.append(line)
    return found


def refused(folder: Path) -> str:
    """Nothing is changed."""
    before = (folder / "journal.jsonl").read_bytes()
    with pytest.raises(JournalError) as failed:
        Journal(folder / "journal.jsonl")
    assert (folder / "journal.jsonl").read_bytes() == before
    return str(failed.value).removeprefix(f"{folder / 'journal.jsonl'}: ")


def test_a_digit(folder: Path) -> None:
    """Whichever: 99,959 frames/s were reported where 19,959 had been offered."""
    whole = lines(folder)
    digits = [place for place, byte in enumerate(whole[3]) if chr(byte).isdigit()]
    for place in digits[:: len(digits) // 20]:
        other = b"3" if whole[3][place : place + 1] != b"3" else b"4"
        put(folder, *whole[:3], whole[3][:place] + other + whole[3][place + 1 :], *whole[4:])
        said = refused(folder)
        assert said.startswith("line 4 "), (place, said)
        assert said.endswith("; the 3 lines before it are kept, and the rest is measured again, with --from-line 4")


def test_lines_that_are_missing_or_moved(folder: Path) -> None:
    whole = lines(folder)
    behind = "stands behind another line than when it was written: one is missing, was changed or moved"
    for changed, number in (
        ([*whole[:3], *whole[4:]], 4),
        ([*whole[:3], whole[4], whole[3], *whole[5:]], 4),
        ([*whole[:2], whole[1], *whole[2:]], 3),
        (whole[1:], 1),
        ([*whole[:3], *summed(map(unsummed, whole[3:5])), *whole[5:]], 4),  # type: ignore[arg-type]
    ):
        put(folder, *changed)
        assert refused(folder).startswith(f"line {number} {behind}")


def test_whole_lines_without_checksum(folder: Path) -> None:
    whole = lines(folder)
    put(folder, *whole[:2], unsummed(whole[2]), *whole[3:])
    assert refused(folder).startswith("line 3 is damaged: its checksum is missing")
    put(folder, unsummed(whole[0]), *whole[1:])
    assert refused(folder).startswith("line 2 stands behind another line")
    put(folder, *whole[:2], b"rubbish\n", *whole[2:])
    assert refused(folder).startswith("line 3 is damaged: its checksum is missing")
    put(folder, *whole[:2], b"\xff\xfe\n", *whole[2:])
    assert refused(folder).startswith("line 3 is damaged: its checksum is missing")


def test_a_journal_of_an_older_version(folder: Path) -> None:
    """It has no checksums, and gets none: it's read, and goes on without."""
    whole = lines(folder)
    put(folder, *map(unsummed, whole[:-2]))
    assert start(folder) == 2
    assert all(b'"sum"' not in line for line in lines(folder))
    put(folder, unsummed(whole[0]), b"rubbish\n", *map(unsummed, whole[2:]))
    assert refused(folder).startswith(
        "line 2 is damaged, or of another version: it isn't a trial; the line before it is"
    )


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('"valid":true', '"valid":"perhaps"', "it isn't a trial"),
        ('"request":{', '"request":{"spin":"left",', "it asks for what this one doesn't know"),
        ('{"number":', '{"number":9', "it is trial 9"),
    ],
)
def test_a_last_line_of_another_version(folder: Path, was: str, becomes: str, said: str) -> None:
    """It is whole, so it wasn't torn by a kill: nothing is cut."""
    whole = [one.decode() for one in lines(folder)]
    assert was in whole[-1]
    older = [unsummed(one.encode()) for one in (*whole[:-1], whole[-1].replace(was, becomes, 1))]
    put(folder, *summed(older))
    assert refused(folder).startswith(f"line {len(whole)} is of another version: {said}")
    put(folder, *older)
    assert refused(folder).startswith(f"line {len(whole)} is damaged, or of another version: {said}")


IMPOSSIBLE: dict[str, tuple[Callable[[dict[str, object]], object], str]] = {
    "offered": (lambda way: way.update(offered_fps=99_959.0), "offered 99,959.000 frames/s, but sent"),
    "intended": (lambda way: way.update(intended=7), "intended 7 frames, "),
    "sent": (lambda way: way.update(sent=10**6), "sent 1,000,000 frames, more than the"),
    "class": (lambda way: way["foreground"].update(sent=1), "frames, and 1 of both classes"),  # type: ignore[attr-defined]
    "expected": (lambda way: way["foreground"].update(expected=10**6), "foreground: 1,000,000 came"),  # type: ignore[attr-defined]
    "lost": (lambda way: way["foreground"].update(lost=-1), "foreground: a count below 0"),  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_can_not_be(folder: Path, name: str) -> None:
    """Though its checksums are right."""
    change, said = IMPOSSIBLE[name]
    records = [json.loads(unsummed(one)) for one in lines(folder)]
    change(records[3]["answer"]["forward"])
    put(folder, *summed([json.dumps(one).encode() for one in records]))
    assert refused(folder).startswith("line 4 can't be: forward ")
    assert said in refused(folder)


@pytest.mark.parametrize(
    "behind",
    [
        pytest.param('{"number":NUMBER,"run":"1-thr', id="half a line"),
        pytest.param('{"num', id="a few bytes"),
        pytest.param("\0" * 5000, id="blocks that never came to the disk"),
        pytest.param('{"number":NUMBER,\0\0\0\0"answer":{}}\n', id="a block of it never came"),
    ],
)
def test_a_torn_line_is_cut(folder: Path, behind: str) -> None:
    """It's of a writer that was killed."""
    before = lines(folder)
    put(folder, *before, behind.replace("NUMBER", str(len(before))).encode())
    journal = Journal(folder / "journal.jsonl")
    journal.close()
    assert journal.cut_bytes > 0
    assert lines(folder) == before


@pytest.mark.parametrize("behind", ["x" * 5000, '{"number":0,"run"', "\n", "}", '{"number":99999,"run":"1-t'])
def test_what_never_was_a_line_is_not_cut(folder: Path, behind: str) -> None:
    """It's somebody else's."""
    before = [*lines(folder), behind.encode()]
    put(folder, *before)
    assert f"line {len(before)} is damaged" in refused(folder)
    assert lines(folder) == before


def test_from_a_line_on(folder: Path) -> None:
    whole, results = lines(folder), (folder / "results.json").read_bytes()
    damaged = [*whole[:3], whole[3].replace(b"1", b"2", 1), *whole[4:]]
    put(folder, *damaged)
    assert start(folder, from_line=4) == len(whole) - 3
    assert lines(folder)[:3] == whole[:3]
    assert (folder / "results.json").read_bytes() == results
    aside = folder / "journal.jsonl.from-line-4"
    assert aside.read_bytes() == b"".join(damaged[3:])
    assert start(folder) == 0


@pytest.mark.parametrize("line", [0, 99])
def test_from_a_line_that_is_not_there(folder: Path, line: int) -> None:
    whole = lines(folder)
    with pytest.raises(JournalError, match=rf"^--from-line: {line} is not allowed: 1 to {len(whole)}, the lines of "):
        start(folder, from_line=line)
    assert lines(folder) == whole


def test_put_aside_twice(folder: Path) -> None:
    """Nothing is overwritten."""
    start(folder, from_line=4)
    first = (folder / "journal.jsonl.from-line-4").read_bytes()
    start(folder, from_line=4)
    assert (folder / "journal.jsonl.from-line-4").read_bytes() == first
    assert len(list(folder.glob("journal.jsonl.from-line-4*"))) == 2


class Removing(SimulatedTester):
    """Somebody does this in the middle of the third trial."""

    def __init__(self, does: Callable[[], None]) -> None:
        super().__init__(capacity(33_333))
        self.does = does

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        if len(self.tags) == 3:
            self.does()
        return super().trial(run, request, frame_tag)


def test_the_journal_is_removed(tmp_path: Path) -> None:
    """Noticed at the next line; what was measured can be put back."""
    journal = tmp_path / "c" / "journal.jsonl"
    with pytest.raises(JournalError, match="somebody removed it, or put another in its place, while the campaign"):
        campaign(tmp_path / "c", Removing(journal.unlink), BENCH)
    (saved,) = (tmp_path / "c").glob("journal.jsonl.saved*")
    assert not (tmp_path / "c" / "results.json").exists() or b'"complete": true' not in content(tmp_path)
    saved.rename(journal)
    assert len(lines(tmp_path / "c")) == 4
    assert start(tmp_path / "c") > 0
    assert start(tmp_path / "c") == 0


def content(path: Path) -> bytes:
    return (path / "c" / "results.json").read_bytes()


def test_the_folder_is_removed(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="what it held, 4 trials, is in"):
        campaign(tmp_path / "c", Removing(lambda: shutil.rmtree(tmp_path / "c")), BENCH)
    (saved,) = tmp_path.glob("journal.jsonl.saved*")
    assert len(saved.read_bytes().splitlines()) == 4


def test_another_file_in_its_place(tmp_path: Path) -> None:
    journal = tmp_path / "c" / "journal.jsonl"

    def replace() -> None:
        journal.rename(tmp_path / "moved")
        journal.write_bytes(b"")

    with pytest.raises(JournalError, match="somebody removed it"):
        campaign(tmp_path / "c", Removing(replace), BENCH)
    assert journal.read_bytes() == b""


def test_runs_that_nobody_asks_for(folder: Path) -> None:
    """Refused before anything is measured."""
    records = [json.loads(unsummed(one)) for one in lines(folder)][:-1]
    records[-1]["run"] = records[-1]["run"].replace("size=84", "size=85")
    put(folder, *summed([json.dumps(one).encode() for one in records]))
    tester = SimulatedTester(capacity(33_333))
    with pytest.raises(OtherBench, match=r"trial \d+ of its journal is of .*size=85.*, which this bench doesn't ask"):
        campaign(folder, tester, BENCH)
    assert tester.tags == []
