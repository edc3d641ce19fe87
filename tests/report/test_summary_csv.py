"""summary.csv."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.report import fabricated
from xlatperf.report import summary_csv


def test_lines(tmp_path: Path) -> None:
    path = summary_csv.write(fabricated.results(), tmp_path)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    first = lines[0]
    assert (first["frame_size_left"], first["frame_size_right"], first["n"]) == ("84", "64", "3")
    assert (first["median_fps"], first["median_total_fps"], first["limited_by"]) == ("103412.0", "206824.0", "DUT")
    losses = [line for line in lines if line["procedure"] == "frame_loss"]
    assert losses[0]["valid"] == "False"
    assert losses[0]["loss_percent_forward"] == ""
    assert float(losses[1]["loss_percent_forward"]) > 42


def test_nothing_measured(tmp_path: Path) -> None:
    path = summary_csv.write(fabricated.results(measurements=(fabricated.throughput(84, (), ()),)), tmp_path)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2
