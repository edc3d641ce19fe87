"""The report of a results.json that somebody else made, whose bench file may be anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from xlatperf.commands.campaign_results import read_folder, values_of
from xlatperf.commands.exits import UserError
from xlatperf.commands.report import report_again, write_report

SEEDS = sorted((Path(__file__).parents[1] / "fuzz" / "seeds" / "results").glob("*.json"))


def tables(bench: dict[str, Any], *path: str) -> Iterator[tuple[str, ...]]:
    """The paths of all tables and of the list of measures, from the top."""
    for name, value in bench.items():
        if isinstance(value, dict | list) and value:
            yield (*path, name)
        if isinstance(value, dict):
            yield from tables(value, *path, name)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.stem)
@pytest.mark.parametrize("other", ["x", None])
def test_tables_that_are_none(seed: Path, other: object, tmp_path: Path) -> None:
    known = json.loads(seed.read_text(encoding="utf-8"))
    paths = list(tables(known["bench"]))
    assert ("tester", "schedule") in paths
    for path in paths:
        document = json.loads(seed.read_text(encoding="utf-8"))
        table = document["bench"]
        for name in path[:-1]:
            table = table[name]
        table[path[-1]] = other
        (tmp_path / "results.json").write_text(json.dumps(document), encoding="utf-8")
        results = read_folder(tmp_path)
        write_report(results, tmp_path)


def test_values_that_no_campaign_has(tmp_path: Path) -> None:
    """Though each alone is as the schema says."""
    document = json.loads(SEEDS[0].read_text(encoding="utf-8"))
    document["trials"][0]["forward"]["departure"] = None
    (tmp_path / "results.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(UserError, match=r"results\.json: (not as it was written|no report can be made of)"):
        report_again(tmp_path)


@pytest.mark.parametrize("mix", [{"take": 1, "of": 0}, {"take": -1, "of": 1}])
def test_mixes(mix: dict[str, int], tmp_path: Path) -> None:
    document = json.loads(SEEDS[0].read_text(encoding="utf-8"))
    document["measurements"][0]["mix"] = mix
    (tmp_path / "results.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(UserError, match="not as it was written: "):
        read_folder(tmp_path)


def test_what_can_not_be_shown() -> None:
    """It's a file of the user's, and where it was is still told."""
    with (
        pytest.raises(UserError, match=r"c/results\.json: no report can be made of its values") as failed,
        values_of("c/results.json"),
    ):
        1 / 0  # noqa: B018
    assert isinstance(failed.value.__cause__, ZeroDivisionError)
