"""RFC 9971: a campaign that finds several loss ratios by one search, from its first trial to its report."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.report.test_connections import written
from tests.simulated_campaign import campaign
from tests.simulated_dut import Killed, SimulatedTester, sent
from xlatperf.commands.report import write_report
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.trial_request import TrialRequest

BENCH = """
technology = { name = "native", family = "ipv6" }
[[measure]]
procedure = "throughput"
search = "mlrsearch"
loss_ratios = [0, 0.0001, 0.005]
frame_sizes = [84]
maximum_fps = 200000
stop_width_percent = 2
duration_s = 5
search_duration_s = 0.5
repetitions = 2
"""


def one_in_65_000(request: TrialRequest, name: DirectionName) -> int:
    """As TAYGA 0.9.2 does it in reverse; at most 60,000 frames per second."""
    came = min(sent(request), round(60_000 * request.duration_s))
    return came - (sent(request) // 65_000 if name == "reverse" else 0)


def test_killed_anywhere(tmp_path: Path) -> None:
    """The search goes on where it was: no trial is asked for twice, the same bytes come of it."""
    whole = SimulatedTester(one_in_65_000)
    campaign(tmp_path / "whole", whole, BENCH)
    wanted = (tmp_path / "whole" / "results.json").read_bytes()
    for die_at in (0, 1, 5, len(whole.tags) // 2, len(whole.tags) - 1):
        path = tmp_path / str(die_at)
        first, second = SimulatedTester(one_in_65_000, die_at), SimulatedTester(one_in_65_000)
        with pytest.raises(Killed):
            campaign(path, first, BENCH)
        campaign(path, second, BENCH, sessions=1)
        assert len(first.tags) + len(second.tags) == len(whole.tags)
        assert (path / "results.json").read_bytes() == wanted


def test_what_is_reported(tmp_path: Path) -> None:
    """Both rates with their seconds; in summary.csv as values beside the throughput."""
    results = campaign(tmp_path / "c", SimulatedTester(one_in_65_000), BENCH)
    page = written(results, tmp_path)
    assert "Several loss ratios from one search" in page.visible
    assert "searches for several loss ratios at once (MLRsearch, RFC 9971)" in page.visible
    (item,) = results.measurements
    for repetition in item.repetitions:
        strict, four_nines, half_percent = repetition.goals
        assert strict.conditional_fps is not None
        assert strict.conditional_fps < 13_000, "65,000 frames in 5 s"
        for one in (four_nines, half_percent):
            assert one.conditional_fps is not None
            assert 58_800 <= one.conditional_fps <= 60_000
            assert one.lower is not None
            assert (one.lower.good_s, one.lower.bad_s) == (5, 0)
    write_report(results, tmp_path / "c")
    with (tmp_path / "c" / "summary.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["quantity"].startswith("conditional throughput")]
    medians = {row["quantity"]: float(row["value"]) for row in rows if row["statistic"] == "median"}
    assert list(medians) == [f"conditional throughput, at most {one} % lost" for one in ("0.01", "0.5")]
    assert all(58_800 <= value <= 60_000 for value in medians.values())


def test_a_lower_bound_is_shown_as_one(tmp_path: Path) -> None:
    """The highest rate of the search passed for all goals: no value, but at least so much."""
    results = campaign(tmp_path / "c", SimulatedTester(lambda request, _: sent(request)), BENCH)
    assert "≥ 200,000" in written(results, tmp_path).visible
    write_report(results, tmp_path / "c")
    with (tmp_path / "c" / "summary.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["quantity"].startswith("conditional throughput")]
    assert {(row["value"], row["remark"]) for row in rows} == {
        ("", "at least 200,000 fps, the highest rate of the search: the DUT may be faster")
    }
