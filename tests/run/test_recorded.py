"""Campaigns that were recorded give the same results, whatever is changed in how they are put together.

They went through the reference device: all procedures without connections, all with, and a soak test. results.json
beside each journal was written by the version that measured it (schema 2, of the soak test 3).
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.engine_client.by_reason import by_reason
from tests.run.kinds_of_lines import first_of_each_kind
from tests.run.recorded_tester import RecordedTester
from xlatperf.config.load import parse_bench
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.own_delays import HELD_UP, WAITED
from xlatperf.procedures.registry import BY_NAME
from xlatperf.results.file import read_results
from xlatperf.results.selftest_records import SelfTest
from xlatperf.run.campaign import run_campaign
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.progress import PlainReporter

RECORDED = Path(__file__).parents[1] / "recorded"
CAMPAIGNS = ("stateless", "stateful", "soak")
SAID_OTHERWISE = ("not found up to 50,000 connections: so many were", "not found: up to 50,000 connections were")


def recorded(name: str) -> dict[str, Any]:
    """As it's read today."""
    text = gzip.decompress((RECORDED / name / "results.json.gz").read_bytes()).decode()
    return read_results(text.replace(*SAID_OTHERWISE)).model_dump(mode="json")


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
    return (folder / "results.json").read_bytes()


def replayed(name: str, folder: Path) -> dict[str, Any]:
    """results.json from the journal alone."""
    written = replay(name, folder, b"".join(journal(name)), RecordedTester(recorded(name)))
    return read_results(written.decode()).model_dump(mode="json")


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_same_results(name: str, tmp_path: Path) -> None:
    before, now = recorded(name), replayed(name, tmp_path / name)
    for document in (before, now):
        del document["xlatperf_version"]
        document["bench"]["tester"].pop("queues", None)  # wasn't written when there was one
        for direction in ("forward", "reverse"):
            document["bench"]["traffic"][direction].pop("flows", None)  # there was no such key
        for one in (*document["bench"]["measure"], *(item["parameters"] for item in document["measurements"])):
            if one.get("search") == "binary":
                del one["search"]  # wasn't written when there was no other
            if one.get("phase_1_loss_tolerance") == 0:
                del one["phase_1_loss_tolerance"]  # wasn't written when nothing could be lost
            if one.get("procedure") in ("establishment", "capacity", "back_to_back"):
                one.pop("loss_tolerance", None)  # likewise
        document["deviations"] = {(one["section"], one["standard"]) for one in document["deviations"]}
        for trial in (*document["trials"], *document["tester_trials"], *document["negative_trials"]):
            first = (trial.get("experiment") or {}).get("first_phase")
            for phase in (trial, first) if first else (trial,):
                for counts in phase["port_counters"].values():
                    counts.setdefault("waiting_before", 0)  # was written only where there were any
        for item in document["measurements"]:
            item["definition"] = item["definition"] is not None  # says more exactly where the stamp is taken
            if item["procedure"] in ("throughput", "frame_loss"):
                del item["parameters"]  # schema 2 didn't have them there
    for document in (before, now):  # of what the DUT didn't take, and of losses of the classes, nothing was said
        told = [one for one in document["findings"] if one["reason"] not in ("not_taken", "class_loss")]
        document["findings"] = [{**one, "meaning": None} for one in told]  # the same counts; words may be better
    for item, old in zip(now["measurements"], before["measurements"], strict=True):
        for one, other in zip(item["repetitions"], old["repetitions"], strict=True):
            if one["limited_by"] == "buffers":  # the rate is the same; that phase 1 was short wasn't said there
                one["limited_by"] = other["limited_by"]
    for item, old in zip(now["measurements"], before["measurements"], strict=True):
        for one, other in zip(item["derived"], old["derived"], strict=True):
            if one["bound"]:  # that wasn't said there, and the bound was lower than some repetition
                one.update(other)
        item["values"] = [one for one in item["values"] if one["quantity"] not in (HELD_UP.name, WAITED.name)]  # new
    assert now.keys() == before.keys()
    for key, value in before.items():
        assert now[key] == value, key


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
