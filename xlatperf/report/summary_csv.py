"""summary.csv: one line per measurement and, for frame loss, per rate; numbers as they are, without separators."""

from __future__ import annotations

import csv
from pathlib import Path

from xlatperf.campaign.results import Measurement, Results
from xlatperf.report import words

COLUMNS = (
    "name",
    "procedure",
    "frame_size_left",
    "frame_size_right",
    "mix_take",
    "mix_of",
    "direction",
    "complete",
    "n",
    "median_fps",
    "p1_fps",
    "p99_fps",
    "minimum_fps",
    "maximum_fps",
    "dispersion",
    "median_total_fps",
    "theoretical_maximum_fps",
    "tester_limit_fps",
    "limited_by",
    "sweep",
    "rate_fps",
    "percent_of_maximum",
    "valid",
    "loss_percent_forward",
    "loss_percent_reverse",
)


def write(results: Results, folder: Path) -> Path:
    """Writes summary.csv into the folder and returns its path."""
    path = folder / "summary.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        for item in results.measurements:
            writer.writerows(_lines(item))
    return path


def _lines(item: Measurement) -> list[dict[str, object]]:
    common: dict[str, object] = {
        "name": item.name,
        "procedure": item.procedure,
        "frame_size_left": item.frame_size.left,
        "frame_size_right": item.frame_size.right,
        "mix_take": item.mix.take,
        "mix_of": item.mix.of,
        "direction": item.direction,
        "complete": item.complete,
        "theoretical_maximum_fps": item.theoretical_maximum_fps,
        "tester_limit_fps": item.tester_limit_fps,
    }
    if item.procedure == "frame_loss":
        return [
            {
                **common,
                "sweep": point.repetition,
                "rate_fps": point.rate_fps,
                "valid": point.valid,
                "percent_of_maximum": point.percent_of_maximum,
                **{f"loss_percent_{name}": loss for name, loss in point.loss_percent.items()},
            }
            for point in item.points
        ]
    if item.summary is None:
        return [{**common, "n": 0}]
    found = item.summary
    return [
        {
            **common,
            "n": found.n,
            "median_fps": found.median,
            "p1_fps": found.p1,
            "p99_fps": found.p99,
            "minimum_fps": found.minimum,
            "maximum_fps": found.maximum,
            "dispersion": found.dispersion,
            "median_total_fps": found.median * (2 if item.direction == "bidirectional" else 1),
            "limited_by": words.limited_by(item),
        }
    ]
