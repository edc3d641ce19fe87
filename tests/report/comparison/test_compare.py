"""`xlatperf compare`: page, CSV, and one line for what can't be compared."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.report import times_campaign
from tests.report.comparison import three_campaigns as three
from tests.report.test_html import HOSTILE, Page
from xlatperf.commands.app import run_app


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    three.together(tmp_path, three.CORES, both=three.dual(), plat=three.plat(), clat=three.clat())
    return ["both", "plat", "clat"]


def page(path: Path) -> Page:
    found = Page(path.read_text(encoding="utf-8"))
    found.visible = " ".join(found.visible.split())
    return found


def test_page(tmp_path: Path, folders: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["compare", *folders, "--output", "c.html"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == ["report: c.html", "table: c.csv", "table: c-scalability.csv", "LaTeX: c-scalability.tex"]
    found = page(tmp_path / "c.html")
    assert found.loads == []
    sections = [attributes["id"] for tag, attributes in found.tags if tag == "section"]
    assert sections == ["limits", "results", "scalability", "processor", "campaigns", "differences"]
    for words in (
        "3 campaigns compared",
        "A · both",
        "The PLAT limits.",
        "64/84",
        "dispersion 2.5 %",
        "1.74",  # 70,500 / 40,500
        "highest rate asked",
        "no connections",
        "technology.name",
    ):
        assert words in found.visible, words


def test_table(tmp_path: Path, folders: list[str]) -> None:
    assert run_app(["compare", *folders]) == 0
    with (tmp_path / "comparison.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["campaign"], line["procedure"], line["connections"]) for line in lines] == [
        ("A", "establishment", "1000"),
        ("B", "establishment", "1000"),
        *[(letter, "throughput", count) for count in ("1000", "2000") for letter in "ABC"],
    ]
    last = lines[-1]
    assert (last["n"], last["median"], last["stateless"], last["device_cpu"]) == ("2", "100500.0", "True", "tayga=0.9")
    assert float(last["ratio_to_first"]) == pytest.approx(100_500 / 40_500)
    bounds = [(line["bound"], bool(line["ratio_to_first"]), line["ratio_bound"]) for line in lines[:3]]
    assert bounds == [(">=", False, ""), ("", True, "<="), ("", True, "")], "A's was limited by the highest rate asked"
    assert (last["ipv4_frame_size"], last["frame_size_left"], last["frame_size_right"]) == ("64", "64", "84")


def test_hostile_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever comes from files stays text."""
    monkeypatch.chdir(tmp_path)
    bad = three.dual(tester={"seed": HOSTILE}).model_copy(update={"title": HOSTILE})
    three.together(tmp_path, a=three.dual(), b=bad)
    assert run_app(["compare", "a", "b"]) == 0
    found = page(tmp_path / "comparison.html")
    assert found.loads == []
    assert not any(tag == "img" for tag, _ in found.tags)


def test_why_there_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed = three.results("tayga", three.SIIT, [three.throughput(three.CLAT, ())])
    three.together(tmp_path, a=three.clat(), b=failed)
    assert run_app(["compare", "a", "b"]) == 0
    said = page(tmp_path / "comparison.html").visible
    assert "B has no result for throughput, 64 bytes, both ⇄: the DUT does not answer" in said


def test_times_and_nothing_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    item = times_campaign.measured("latency")
    timed = three.results("tayga", three.SIIT, [item])
    empty = three.results("tayga", three.SIIT, []).model_copy(update={"complete": False})
    three.together(tmp_path, a=timed, b=empty, c=timed)
    assert run_app(["compare", "a", "b", "c"]) == 0
    said = page(tmp_path / "comparison.html").visible
    assert "12.0 ms" in said
    assert "at 1,000 frames/s, no more than 100 % of the throughput" in said, "the highest rate of the search passed"
    assert run_app(["compare", "b", "a"]) == 0
    three.together(tmp_path, d=empty)
    assert run_app(["compare", "b", "d"]) == 0
    assert "None of the campaigns has measured anything yet." in page(tmp_path / "comparison.html").visible


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["both"], "compare: 1 folder or file: 2 to 26 are needed"),
        (["both", "./both"], "compare: both is there twice"),
        (["both", "nowhere"], "nowhere: not a campaign's folder: results.json is missing"),
        (["both", "empty"], "empty: not a campaign's folder: results.json is missing"),
        (["both", "broken"], "broken/results.json: not as it was written: it isn't JSON"),
        (["both", "other"], "other/results.json: not the results of this version: schema_version: 9 is not allowed: 4"),
        (["both", "older"], "older/results.json: not the results of this version: schema_version: 1 is not allowed: 4"),
        (["both", "list"], "list/results.json: not as it was written: it isn't an object"),
        (["both", "plat", "--output", "c.pdf"], "--output: c.pdf is not allowed: a name that ends in .html"),
        (["both", "plat", "--output", "nowhere/c.html"], "--output: nowhere/c.html: can't be written"),
    ],
)
def test_users_errors(
    arguments: list[str], words: str, tmp_path: Path, folders: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, exit code 2."""
    (tmp_path / "empty").mkdir()
    versions = (("older", '{"schema_version": 1}'), ("other", '{"schema_version": 9}'))
    for name, text in (("broken", "{"), ("list", "[]"), *versions):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.json").write_text(text)
    assert run_app(["compare", *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert len(said.splitlines()) == 1
