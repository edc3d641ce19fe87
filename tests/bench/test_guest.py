"""`python -m bench.guest` from end to end: that it measures, not how much (the machine may be busy)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.guest.__main__ import main


def test_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "guest.json"
    assert main(["--seconds", "1.2", "--nice", "0", "--output", str(path)]) == 0
    assert "third program" in capsys.readouterr().out
    record = json.loads(path.read_text(encoding="utf-8"))
    (row,) = record["rows"]
    assert row["nice"] == 0
    assert 0 < row["share"] <= 1
    assert row["longest_wait_s"] > 0
    assert all(rate > 0 for rate in (*row["sent_fps"], *record["on_one_core_fps"]))


def test_users_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for given in (["--seconds", "1"], ["--nice", "-21"]):
        with pytest.raises(SystemExit):
            main(given)
        assert "-21" in (error := capsys.readouterr().err) or "1 is not allowed: more than 1" in error
