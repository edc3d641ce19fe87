"""The report of a results.json that somebody else made, whose bench file may be anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from xlatperf.commands.report import read_folder, write_report

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
