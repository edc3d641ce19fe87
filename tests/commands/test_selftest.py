"""`xlatperf selftest`: what it prints, and the files that it writes."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.report import frames_campaign
from tests.run.test_selftest_runs import several
from xlatperf.commands import selftest as command
from xlatperf.commands.app import run_app
from xlatperf.failures import Exit

ALONE = frames_campaign.selftest(84)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """What the measurement was asked for; it finds three runs, or one."""
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}

    def measure(_: object, **options: Any) -> list[object]:
        found.update(options)
        return [several(90_000.0, 100_000.0, 110_000.0) if options["runs"] else ALONE]

    monkeypatch.setattr(command, "measure_tester", measure)
    return found


def test_runs(asked: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R8219-12-1: median, P1, P99, dispersion on the screen and in the file."""
    assert run_app(["selftest", "--runs", "3", "-o", "s.csv"]) == Exit.DONE
    assert asked["runs"] == 3
    said = capsys.readouterr()
    for words in ("best", "110,000", "100,000", "90,000", "20.0 %"):
        assert words in said.out, words
    assert "above it: sent less than intended" in said.err
    assert "table: s.csv" in said.err
    (line,) = csv.DictReader((tmp_path / "s.csv").open(encoding="utf-8", newline=""))
    assert line["median_fps"] == "100000.0"


def test_one_run(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """As the bench file says."""
    assert run_app(["selftest"]) == Exit.DONE
    assert asked["runs"] is None
    shown = capsys.readouterr().out
    assert "limit" in shown
    assert "dispersion" not in shown


@pytest.mark.usefixtures("asked")
def test_what_is_not_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["selftest", "-o", "s.txt"]) == Exit.USER
    assert "--output: s.txt is not allowed: a name that ends in .csv" in capsys.readouterr().err
    assert run_app(["selftest", "-o", "nowhere/s.csv"]) == Exit.USER
    assert "--output: nowhere/s.csv: can't be written: No such file or directory" in capsys.readouterr().err
