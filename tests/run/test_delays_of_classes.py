"""A campaign with background: its results, report and CSV have the delays of both classes (R8219-7.3.1-1)."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tests.simulated_campaign import campaign
from tests.simulated_frames import MS, FramesTester
from xlatperf.commands.report import write_report
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.report.comparison.campaign import campaigns
from xlatperf.report.comparison.rows import rows as comparison_rows
from xlatperf.report.histogram import read
from xlatperf.results.results import Results

MEASURE = "frame_sizes = [84]\nduration_s = 0.5\nsettle_s = 0\nrate_fps = 600\nrepetitions = 2\n"
BENCH = f"""
technology.name = "siit"
device.driver = "tayga"
traffic.mix = [[1, 2]]
[[measure]]
procedure = "latency"
tags = 500
{MEASURE}
[[measure]]
procedure = "pdv"
{MEASURE}
[[measure]]
procedure = "ipdv"
{MEASURE}
"""
FRAMES = 300


def by_class(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
    """Translated frames take 3 ms, native ones 1 ms."""
    return 3 * MS if number % 2 else MS


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Results]:
    path = tmp_path_factory.mktemp("campaign") / "mixed"
    results = campaign(path, FramesTester(by_class), BENCH)
    write_report(results, path)
    return path, results


def test_in_the_results(mixed: tuple[Path, Results]) -> None:
    _, results = mixed
    found: dict[tuple[str, str | None], float] = {
        (one.quantity, one.traffic_class): one.summary.median
        for item in results.measurements
        for one in item.values
        if one.direction == "forward" and one.summary is not None
    }
    wanted = {"foreground": 3 * MS, "background": MS}
    assert {of: found[("TL", of)] for of in wanted} == wanted
    assert [found[("PDV", of)] for of in (None, *wanted)] == [2 * MS, 0, 0]
    assert [found[("IPDV maximum", of)] for of in (None, *wanted)] == [2 * MS, 0, 0]
    assert [found[("frames with a delay", of)] for of in (None, *wanted)] == [FRAMES, FRAMES / 2, FRAMES / 2]
    alone = results.measurements[0].tester_alone
    assert alone is not None
    assert {one.traffic_class for one in alone.delays} == {None, *wanted}


def test_in_the_report(mixed: tuple[Path, Results]) -> None:
    """The table on each has the class; the sentences are of all frames, and of each."""
    path, _ = mixed
    page = (path / "report.html").read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")
    assert page.count("Class: all frames of the stream, as RFC 8219 §7.3 wants them") == 3
    assert "(foreground 3.00 ms and 3.00 ms, background 1.00 ms and 1.00 ms)" in page
    for name in ("latency", "pdv", "ipdv"):
        section = page.split(f'<section id="{name}"')[1].split("</section>")[0]
        rows = re.findall(r"<td[^>]*>background</td>", section)
        assert len(rows) == 2 * (1 + 2), "in each direction, and each repetition"
    assert "right before it, of whichever class" in page


def test_in_the_csv(mixed: tuple[Path, Results]) -> None:
    path, _ = mixed
    with (path / "summary.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["quantity"] == "PDV" and row["statistic"] == "median"]
    found = {(row["value_direction"], row["traffic_class"]): float(row["value"]) for row in rows}
    assert {key: value for key, value in found.items() if key[0] == "forward"} == {
        ("forward", ""): 2 * MS,
        ("forward", "foreground"): 0,
        ("forward", "background"): 0,
    }


def test_histograms_of_each(mixed: tuple[Path, Results]) -> None:
    path, results = mixed
    (file, *_) = results.measurements[0].histograms
    counts = {of: read(path / file.file, "forward", traffic_class=of) for of in (None, "foreground", "background")}
    assert {of: int(one.count.sum()) for of, one in counts.items() if one is not None} == {
        None: FRAMES,
        "foreground": FRAMES / 2,
        "background": FRAMES / 2,
    }


def test_in_a_comparison(mixed: tuple[Path, Results]) -> None:
    """A class is compared with the same class."""
    path, results = mixed
    both = campaigns([(path, results), (path / "other", results)])
    rows = [row for row in comparison_rows(both) if row.kind.quantity == "TL" and row.kind.direction == "forward"]
    found = {row.kind.traffic_class: [one.value for one in row.found if one is not None] for row in rows}
    assert found == {None: [2 * MS] * 2, "foreground": [3 * MS] * 2, "background": [MS] * 2}
    assert sum("foreground only" in row.kind.text for row in rows) == 1
