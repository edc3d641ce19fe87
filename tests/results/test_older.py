"""What an older version wrote is still read: campaigns of schema 1 through the reference device, and of schema 2.

Those of schema 1 were written by the last version that had it; tests/run/test_recorded.py compares schema 2 in full.
"""

from __future__ import annotations

import contextlib
import copy
import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from xlatperf.commands.app import run_app
from xlatperf.procedures import throughput
from xlatperf.report.series import performance
from xlatperf.report.sweep import sweep
from xlatperf.results.file import read_results, results_text
from xlatperf.results.older import upgraded
from xlatperf.results.results import Measurement

RECORDED = Path(__file__).parents[1] / "recorded"
OLDER = {
    "schema_1/stateless.json.gz": 1,
    "schema_1/stateful.json.gz": 1,
    "stateless/results.json.gz": 2,
    "stateful/results.json.gz": 2,
}


def text_of(name: str) -> str:
    return gzip.decompress((RECORDED / name).read_bytes()).decode()


@pytest.mark.parametrize(("name", "version"), OLDER.items())
def test_nothing_is_lost(name: str, version: int) -> None:
    """Each rate, each loss and each bound of a search, as the old file has it."""
    text = text_of(name)
    before: dict[str, Any] = json.loads(text)
    assert before["schema_version"] == version
    now = read_results(text)
    assert read_results(results_text(now)) == now
    for old, new in zip(before["measurements"], now.measurements, strict=True):
        assert new.measure == old.get("measure", old.get("name"))
        for one, other in zip(old["repetitions"], new.repetitions, strict=True):
            bounds = (None, None) if other.search is None else (other.search.lower_fps, other.search.upper_fps)
            assert (one["lower_fps"], one["upper_fps"], one["limited_by"]) == (*bounds, other.limited_by)
        if new.procedure == "throughput":
            found = performance(new)
            assert found is not None
            assert found.model_dump() == old["summary"]
            (rates,) = [one for one in new.values if one.quantity == throughput.RATE.name]
            assert [one.value for one in rates.values] == [one["rate_fps"] for one in old["repetitions"]]
            (error,) = [one for one in new.values if one.quantity == throughput.ERROR.name]
            assert error.summary is not None
            assert error.summary.maximum == old["stop_width_fps"]
        points = [
            (point.repetition, point.rate_fps, point.loss_percent, point.trial, point.remark) for point in sweep(new)
        ]
        assert points == [
            (one["repetition"], one["rate_fps"], one["loss_percent"], one["trial"], one["remark"])
            for one in old["points"]
        ]
        for point, one in zip(sweep(new), old["points"], strict=True):
            assert point.offered_fps == one.get("offered_fps")
            assert version == 1 or point.percent_of_maximum == pytest.approx(one["percent_of_maximum"])


def test_reports_and_compares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`report` and `compare` on folders of all versions."""
    monkeypatch.chdir(tmp_path)
    folders = []
    for name, version in OLDER.items():
        folder = tmp_path / f"{'stateful' if 'stateful' in name else 'stateless'}{version}"
        folder.mkdir()
        (folder / "results.json").write_text(text_of(name), encoding="utf-8")
        assert run_app(["report", folder.name]) == 0
        page = (folder / "report.html").read_text(encoding="utf-8")
        assert 'id="throughput"' in page
        assert (folder / "summary.csv").read_text(encoding="utf-8").count(",throughput,") > 10
        folders.append(folder.name)
    assert run_app(["compare", *folders, "--output", "c.html"]) == 0
    with (tmp_path / "c.csv").open(encoding="utf-8", newline="") as file:
        rates = [line for line in csv.DictReader(file) if line["quantity"] == "throughput"]
    assert {line["folder"] for line in rates} == set(folders)
    assert all(float(line["value"]) > 1000 for line in rates)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("[]", "list is not allowed: an object"),
        ("{}", "schema_version None is not allowed: 1 to 3"),
        ('{"schema_version": 4}', "schema_version 4 is not allowed: 1 to 3"),
        ('{"schema_version": true}', "schema_version True is not allowed: 1 to 3"),
        ('{"schema_version": 2}', "not what schema_version 2 has: no measurements"),
        ('{"schema_version": 2, "measurements": [1]}', "not what schema_version 2 has"),
        ('{"schema_version": 1, "measurements": [{"name": "a", "procedure": "b"}]}', "procedure 'b' is not allowed"),
        (
            '{"schema_version": 2, "measurements": [{"procedure": "pdv"}]}',
            "not what schema_version 2 has: no direction",
        ),
    ],
)
def test_what_is_no_results_file(document: str, words: str) -> None:
    """One line, not a stack trace."""
    with pytest.raises(ValueError, match=words):
        read_results(document)


MEASUREMENTS = [
    (version, item)
    for name, version in OLDER.items()
    for item in json.loads(text_of(name))["measurements"]
    if item["procedure"] in ("throughput", "frame_loss", "teardown", "capacity")
]


@settings(max_examples=300, suppress_health_check=[HealthCheck.data_too_large])
@given(st.data())
def test_damaged(data: st.DataObject) -> None:
    """Whatever one member becomes, the file is read, or refused with a ValueError."""
    version, item = data.draw(st.sampled_from(MEASUREMENTS))
    damaged = copy.deepcopy(item)
    place: Any = damaged
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    if isinstance(place, dict) and data.draw(st.booleans()):
        del place[key]
    else:
        place[key] = data.draw(st.sampled_from([None, True, -1, 1e300, "", "a: b", [], [1], {}, {"a": 1}]))
    document = {"schema_version": version, "measurements": [damaged]}
    with contextlib.suppress(ValueError):
        Measurement.model_validate(upgraded(document)["measurements"][0])
