"""Several sizes as one traffic (RFC 6985) in results, report and tables: what they are, and exact means."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.report.comparison.test_compare import page
from tests.simulated_campaign import campaign
from tests.simulated_dut import Killed, SimulatedTester, capacity
from xlatperf.commands.app import run_app

BENCH = """
technology.name = "siit"
device.driver = "tayga"
[[measure]]
procedure = "throughput"
frame_sizes = [374, { sizes = [84, 594, 1518], weights = [7, 4, 1] }, { genome = "bg", name = "short and long" }]
repetitions = 1
minimum_fps = 1000
maximum_fps = 200000
media_mbps = 10000
"""
MEAN = (7 * 84 + 4 * 594 + 1518) / 12


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    campaign(tmp_path / "c", SimulatedTester(capacity(50_000)), BENCH)
    return tmp_path / "c"


def test_results(folder: Path) -> None:
    """A mix whose mean another measurement's size is isn't that one."""
    plain, mixed, named = json.loads((folder / "results.json").read_text(encoding="utf-8"))["measurements"]
    assert (plain["frame_size_named"], mixed["frame_size_named"], named["frame_size_named"]) == (374, 374, 823)
    assert plain["frame_size"].get("mixed") is None
    assert mixed["frame_size"]["mixed"]["text"] == "7x84+4x594+1x1518"
    assert named["frame_size"]["mixed"]["text"] == "short and long"
    assert plain["theoretical_maximum_fps"] == pytest.approx(10e9 / 8 / (374 + 20))
    assert mixed["theoretical_maximum_fps"] == pytest.approx(10e9 / 8 / (MEAN + 20))
    assert [one["repetitions"][0]["run"].split("/")[2] for one in (plain, mixed, named)] == [
        "size=374",
        "size=7x84+4x594+1x1518",
        "size=bg",
    ]


def test_report_and_tables(folder: Path) -> None:
    assert run_app(["report", str(folder)]) == 0
    text = page(folder / "report.html").visible
    assert "7x84+4x594+1x1518 (mean 373.5/353.5) bytes" in text
    assert "short and long is bg, the foreground and the background each for itself" in text
    with (folder / "summary.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sizes = [(row["frame_size_left"], row["frame_size_right"], row["frame_sizes"]) for row in rows]
    assert list(dict.fromkeys(sizes)) == [
        ("374", "354", ""),
        ("373.5", "353.5", "7x84+4x594+1x1518"),
        ("823.0", "803.0", "short and long"),
    ]


def test_bits_are_those_of_the_mean(folder: Path) -> None:
    """On both sides, and what the line carries beside."""
    assert run_app(["report", str(folder)]) == 0
    found = json.loads((folder / "results.json").read_text(encoding="utf-8"))["measurements"][1]
    (rate,) = [one["values"][0]["value"] for one in found["values"] if one["quantity"] == "throughput"]
    text = page(folder / "report.html").visible
    for size in (MEAN, MEAN - 20, MEAN + 20):
        assert f"{rate * 8 * size / 1e6:,.1f}" in text


def test_comparison(folder: Path, tmp_path: Path) -> None:
    """By the sizes of IPv4 frames; a mix is compared with a mix alone."""
    campaign(tmp_path / "d", SimulatedTester(capacity(60_000)), BENCH.replace(", 594,", ", 614,"))
    campaign(tmp_path / "e", SimulatedTester(capacity(70_000)), BENCH)
    found = tmp_path / "o.html"
    assert run_app(["compare", str(folder), str(tmp_path / "d"), str(tmp_path / "e"), "--output", str(found)]) == 0
    text = page(found).visible
    assert "7x64+4x574+1x1498 bytes" in text
    assert "7x64+4x594+1x1498 bytes" in text
    assert "1x108+1x1498 bytes" in text


def test_an_interrupted_campaign_goes_on(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        campaign(tmp_path / "c", SimulatedTester(capacity(50_000), die_at=8), BENCH)
    tester = SimulatedTester(capacity(50_000))
    found = campaign(tmp_path / "c", tester, BENCH)
    assert found.complete
    other = campaign(tmp_path / "d", SimulatedTester(capacity(50_000)), BENCH)
    assert len(tester.tags) < len(other.trials)
    assert [one.values for one in found.measurements] == [one.values for one in other.measurements]
