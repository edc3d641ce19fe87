"""`make accuracy` from end to end, with short trials: only what no busy machine can change is asserted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.accuracy.__main__ import main
from bench.accuracy.row import VERDICTS
from bench.accuracy.taken import REASONS
from bench.accuracy.whole import GROUPS

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("accuracy")
    assert main(["--quick", "--output", str(made)]) in (0, 1)
    return made


@pytest.fixture(scope="module")
def record(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "accuracy.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_every_group_is_there(record: dict[str, Any]) -> None:
    assert record["extent"] == "quick"
    assert tuple(dict.fromkeys(row["group"] for row in record["rows"])) == GROUPS
    assert record["machine"]["cpu_count"] >= 1


def test_losses_are_exact(record: dict[str, Any]) -> None:
    """R2544-26.3, R1242-3.6: counts and numbers of lost frames, in both directions, for each pattern."""
    rows = [row for row in record["rows"] if row["group"] == "2 loss"]
    assert len(rows) == 3 * 2 * 2
    assert {row["verdict"] for row in rows} <= {"ok", "refused"}
    assert "ok" in {row["verdict"] for row in rows}, rows


def test_refusals_are_counted_and_explained(record: dict[str, Any]) -> None:
    for row in record["rows"]:
        assert row["verdict"] in VERDICTS
        assert 0 <= row["refused"] <= row["trials"]
        assert set(row["reasons"]) <= set(REASONS)
        assert bool(row["reasons"]) == bool(row["refused"])
        assert sum(row["reasons"].values()) >= row["refused"]
        if row["verdict"] == "refused":
            assert row["refused"] > 0 or row["known"] is None
        if row["difference"] is not None:
            assert row["difference"] == pytest.approx(row["measured"] - row["known"])


def test_nothing_arrives_before_its_delay(record: dict[str, Any]) -> None:
    """However busy the machine is, a frame can't be faster than the device holds it."""
    for row in record["rows"]:
        if row["group"] == "3 delay" and "minimum" in row["what"] and row["known"] and row["measured"]:
            assert row["measured"] >= row["known"] * (1 - 2e-6)


def test_markdown_says_that_it_is_no_measurement(folder: Path) -> None:
    text = (folder / "accuracy.md").read_text(encoding="utf-8")
    assert "no measurement" in text
    assert all(f"### {group}" in text for group in GROUPS)
