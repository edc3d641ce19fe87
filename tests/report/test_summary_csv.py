"""summary.csv: one row for each value."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.report import changed, connections_campaign, frames_campaign, times_campaign
from xlatperf.report import summary_csv
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary

ALL = (
    *frames_campaign.results().measurements,
    *times_campaign.everything(),
    *connections_campaign.measurements(),
)


def rows(folder: Path, *measurements: Measurement) -> list[dict[str, str]]:
    found = frames_campaign.results(measurements=measurements) if measurements else frames_campaign.results()
    with summary_csv.write(found, folder).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_throughput(tmp_path: Path) -> None:
    """R8219-12-1."""
    (item, *_) = (one for one in frames_campaign.results().measurements if one.procedure == "throughput")
    found = [row for row in rows(tmp_path, item) if row["quantity"] == "throughput"]
    assert {row["campaign"] for row in found} == {tmp_path.name}
    assert {(row["frame_size_right"], row["mix_take"], row["role"]) for row in found} == {("64", "1", "result")}
    assert [(row["repetition"], row["limited_by"]) for row in found[:3]] == [("1", "dut"), ("2", "dut"), ("3", "dut")]
    of_all = {row["statistic"]: (row["value"], row["unit"]) for row in found[3:]}
    assert list(of_all) == [*Summary.model_fields, "mean", "standard_deviation"]
    assert (of_all["n"], of_all["median"]) == (("3", "1"), ("102832.0", "frames/s"))


def test_frame_loss(tmp_path: Path) -> None:
    """A rate that the Tester can't do has no value, and says why."""
    found = [row for row in rows(tmp_path) if row["quantity"] == "frame loss rate"]
    assert [row["value_direction"] for row in found[:4]] == ["forward", "reverse"] * 2
    assert (found[0]["value"], found[0]["unit"]) == ("", "%")
    assert "301,204" in found[0]["remark"]
    assert float(found[2]["value"]) > 42
    assert float(found[0]["rate_fps"]) > float(found[2]["rate_fps"])
    assert {row["statistic"] for row in found} == {"value"}, "no median over different rates by mistake"


def test_tidy(tmp_path: Path) -> None:
    """No value stands twice, each has its unit and what it is of, and every one is a number."""
    found = rows(tmp_path, *ALL)
    keys = [tuple(text for name, text in row.items() if name not in ("value", "limited_by")) for row in found]
    assert len(set(keys)) == len(keys)
    for row in found:
        if row["value"]:
            float(row["value"])
            assert row["quantity"]
            assert row["unit"]
        assert row["complete"] in ("true", "false")
        assert row["statistic"]


def test_names_of_results_json(tmp_path: Path) -> None:
    """A condition that isn't a field of a measurement is one of its fields' fields."""
    fields = set(Measurement.model_fields)
    nested = {
        "campaign",
        "frame_size_left",
        "frame_size_right",
        "frame_sizes",
        "mix_take",
        "mix_of",
        "alpha",
        "flow_interval_s",
        "share_bound",
    }
    assert set(summary_csv.CONDITIONS) - nested <= fields
    assert list(rows(tmp_path)[0]) == list(summary_csv.COLUMNS)


def test_nothing_measured(tmp_path: Path) -> None:
    """Its limits are known all the same; no value is made up."""
    item = changed.frames((), failures=())
    assert {row["role"] for row in rows(tmp_path, item)} == {"limit"}


def test_failures(tmp_path: Path) -> None:
    failed = changed.frames((), failures=(changed.failure("the DUT is gone"),))
    (row,) = [row for row in rows(tmp_path, failed) if row["role"] == "result"]
    assert (row["quantity"], row["value"], row["remark"]) == ("throughput", "", "repetition 1: the DUT is gone")


def test_each_column_is_explained() -> None:
    text = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
    explained = [name for line in text.splitlines() if line.startswith("| `") for name in first_cell_names(line)]
    assert sorted(explained) == sorted(summary_csv.COLUMNS)


def first_cell_names(line: str) -> list[str]:
    """Of a row of a Markdown table."""
    return [name.strip(" `") for name in line.split("|")[1].split(",")]
