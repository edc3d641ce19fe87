"""What `check --all` found, in the report of a campaign."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docs.conformance import RECORDS
from tests.procedures.test_soak import fate
from tests.report.comparison.test_compare import page
from tests.report.test_soak import BENCH
from tests.simulated_campaign import campaign
from tests.simulated_frames import FramesTester
from xlatperf.commands.app import run_app
from xlatperf.conformance.record import RULES_FILE
from xlatperf.conformance.rule import Verdict

TAYGA: dict[str, Any] = json.loads((RECORDS / "tayga-siit.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    campaign(tmp_path / "c", FramesTester(fate), BENCH)
    return tmp_path / "c"


def reported(folder: Path, content: str) -> str:
    (folder / RULES_FILE).write_text(content, encoding="utf-8")
    assert run_app(["report", str(folder)]) == 0
    return page(folder / "report.html").visible


def test_what_is_not_kept_and_what_it_decided(folder: Path) -> None:
    text = reported(folder, json.dumps(TAYGA))
    assert "Rule by rule" in text
    assert "doesn't keep 25 of 132 rules of the standards that were tried one by one (" in text
    assert "TAYGA 0.9.2. Decided: the standard leaves it to the device." in text
    for one in TAYGA["rules"]:
        assert f"{one['section']}: {one['says']}" in text, one
        if one["verdict"] != Verdict.KEPT:
            assert one["came"] in text, one
    assert "rules that it keeps" in text


def test_a_device_that_keeps_all(folder: Path) -> None:
    rules = [one for one in TAYGA["rules"] if one["verdict"] == Verdict.KEPT][:2]
    assert "keeps all of 2 rules of the standards" in reported(folder, json.dumps({**TAYGA, "rules": rules}))


def test_of_another_device(folder: Path) -> None:
    """It is said, and nothing of it shown."""
    text = reported(folder, json.dumps({**TAYGA, "driver": "jool-siit"}))
    assert "rules.json in the campaign's folder is of jool-siit, siit: it isn't shown." in text
    assert "doesn't keep" not in text


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema_version": 2}'])
def test_no_such_file(content: str, folder: Path) -> None:
    assert "Rule by rule" not in reported(folder, content)
