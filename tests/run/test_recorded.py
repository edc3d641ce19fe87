"""Campaigns that were recorded give the same results, whatever is changed in how they are put together.

They went through the reference device: all procedures without connections, all with, and a soak test. The journals
were written by older versions; results.json is of the present schema, of which keys may come and none may go
(docs/results.md).
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import xlatperf
from tests.engine_client.by_reason import by_reason
from tests.run.kinds_of_lines import first_of_each_kind
from tests.run.recorded_tester import RecordedTester
from xlatperf.config.load import parse_bench
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.registry import BY_NAME
from xlatperf.results.file import read_results, results_text
from xlatperf.results.selftest_records import SelfTest
from xlatperf.run.already import already_there
from xlatperf.run.campaign import run_campaign
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.progress import PlainReporter

RECORDED = Path(__file__).parents[1] / "recorded"
CAMPAIGNS = ("stateless", "stateful", "soak")


def recorded(name: str) -> dict[str, Any]:
    """As it was written."""
    found: dict[str, Any] = json.loads(gzip.decompress((RECORDED / name / "results.json.gz").read_bytes()))
    return found


def journal(name: str) -> list[bytes]:
    """Its lines, with their ends."""
    return gzip.decompress((RECORDED / name / "journal.jsonl.gz").read_bytes()).splitlines(keepends=True)


def replay(name: str, folder: Path, lines: bytes, tester: RecordedTester) -> bytes:
    """results.json from these lines of the journal, and what the Tester says to those that are missing."""
    source = RECORDED / name
    text = (source / "bench.toml").read_text(encoding="utf-8")
    folder.mkdir()
    (folder / "journal.jsonl").write_bytes(lines)
    (folder / "bench.toml").write_text(text, encoding="utf-8")
    selftest = SelfTest.model_validate_json((source / "selftest.json").read_text(encoding="utf-8"))
    with CampaignFolder(folder, parse_bench(text, "bench.toml"), text) as campaign:
        run_campaign(campaign, tester, selftest, PlainReporter(Console(quiet=True)), sessions=1)
        assert already_there(campaign).results is not None, "they are of this journal, whatever was lost in it"
    return (folder / "results.json").read_bytes()


def gone(before: Any, now: Any, place: str = "") -> list[str]:
    """Where something else stands than before, or nothing."""
    if isinstance(before, dict) and isinstance(now, dict):
        return [one for key, value in before.items() for one in gone(value, now.get(key), f"{place}.{key}")]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        return [one for old, new in zip(before, now, strict=True) for one in gone(old, new, f"{place}[]")]
    return [] if before == now else [f"{place}: {before!r} is {now!r}"]


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_same_results(name: str, tmp_path: Path) -> None:
    """From the journal alone."""
    written = replay(name, tmp_path / name, b"".join(journal(name)), RecordedTester(recorded(name)))
    assert gone(recorded(name) | {"xlatperf_version": xlatperf.__version__}, json.loads(written)) == []


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_what_was_written_is_read(name: str) -> None:
    """Nothing of it is lost on the way to the report."""
    before = recorded(name)
    assert gone(before, json.loads(results_text(read_results(json.dumps(before))))) == []


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_answers_are_kept(name: str) -> None:
    """Whatever the journal has is read, and would be written again."""
    for line in journal(name):
        written = json.loads(line)["answer"]
        assert TrialAnswer.model_validate(written).dump() == by_reason(written)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_killed_after_each_kind_of_line(name: str, tmp_path: Path) -> None:
    """Idea 9 of the design: with the next line torn, the same bytes come of it, and no trial is asked for twice."""
    lines = journal(name)
    whole = replay(name, tmp_path / "whole", b"".join(lines), RecordedTester(recorded(name)))
    entries = [json.loads(line) for line in lines]
    for cut in (0, *first_of_each_kind(entries)):
        tester = RecordedTester(recorded(name), entries[cut:])
        torn = lines[cut][: len(lines[cut]) // 2] if cut < len(lines) else b""
        assert replay(name, tmp_path / str(cut), b"".join(lines[:cut]) + torn, tester) == whole, cut
        assert tester.left == [], cut


def test_each_procedure_is_recorded() -> None:
    """A new one is to be recorded too."""
    known = {one["procedure"] for name in CAMPAIGNS for one in recorded(name)["measurements"]}
    assert known == set(BY_NAME)
