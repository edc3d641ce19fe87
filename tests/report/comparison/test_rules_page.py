"""`xlatperf compare` of rules: the page, the CSV, and one line for what isn't such a file."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from docs.conformance import RECORDS
from tests.report.comparison import three_campaigns as three
from tests.report.comparison.test_compare import page
from tests.report.test_html import HOSTILE
from xlatperf.commands.app import run_app

JOOL, TAYGA = str(RECORDS / "jool-siit.json"), str(RECORDS / "tayga-siit.json")
TOS = "all 8 bits of the traffic class become the TOS"


def test_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "rules.html"
    assert run_app(["compare", JOOL, TAYGA, "-o", str(output)]) == 0
    assert capsys.readouterr().out.splitlines() == [f"report: {output}", f"table: {output.with_suffix('.csv')}"]
    found = page(output)
    assert found.loads == []
    for words in ("2 devices, rule by rule", "A · jool-siit.json", "Jool SIIT 4.1.9.0, siit", "Where they differ", TOS):
        assert words in found.visible, words
    with output.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    assert lines[0][:3] == ["section", "level", "rule"]
    assert ["RFC 7915 §5.1", "MUST", TOS, "not kept: TOS 0x18, must be 0xb8", "kept"] in lines
    assert len(lines) == 1 + len(json.loads(Path(JOOL).read_text())["rules"])


def changed(path: Path, **changes: Any) -> str:
    record = json.loads(Path(JOOL).read_text(encoding="utf-8"))
    path.write_text(json.dumps({**record, **changes}), encoding="utf-8")
    return str(path)


def test_what_others_wrote_is_text(tmp_path: Path) -> None:
    rule = {"section": HOSTILE, "level": "MUST", "says": HOSTILE, "verdict": "not kept", "came": f"=1+1{HOSTILE}"}
    other = changed(tmp_path / "o.json", rules=[rule], driver=HOSTILE, technology=HOSTILE, device={HOSTILE: HOSTILE})
    assert run_app(["compare", JOOL, other, "-o", str(tmp_path / "c.html")]) == 0
    found = page(tmp_path / "c.html")
    assert found.loads == []
    assert "no rule of siit" in found.visible
    older = changed(tmp_path / "o.json", rules=[])
    assert run_app(["compare", JOOL, older, "-o", str(tmp_path / "c.html")]) == 0
    assert "no such rule then" in page(tmp_path / "c.html").visible
    assert not any(tag == "script" and attributes for tag, attributes in found.tags)


def test_no_rules_at_all(tmp_path: Path) -> None:
    none = [changed(tmp_path / f"{name}.json", rules=[]) for name in "ab"]
    assert run_app(["compare", *none, "-o", str(tmp_path / "c.html")]) == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "x.json: not JSON: "),
        ("[]", "x.json: not a file of check --all --output: not a table of JSON"),
        ('{"rules": [1]}', "x.json: not a file of check --all --output: "),
        ('{"schema_version": 2}', "x.json: not a file of check --all --output: schema_version"),
        ("[" * 100_000, "x.json: not JSON: it is nested too deep"),
        (None, "x.json: can't be read: it isn't there"),
    ],
)
def test_what_is_refused(
    content: str | None, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("x.json").write_text(content, encoding="utf-8")
    assert run_app(["compare", JOOL, "x.json"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(said), lines
    assert not Path("comparison.html").exists()


def test_one_kind_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    three.together(tmp_path, three.CORES, both=three.dual())
    for arguments in (["both", JOOL], [JOOL, "both"]):
        assert run_app(["compare", *arguments]) == 2
        assert (
            capsys.readouterr().err == "compare: both: beside files of check --all --output only such files (.json)\n"
        )
