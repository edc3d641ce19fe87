"""The comparison as CSV: a line for each kind and campaign, numbers as they are.

`bound`, `ratio_bound` and `share_bound` say what value, ratio and share are: at least (`>=`) or at most (`<=`) so much,
or what buffers may have done (`~`); empty: no bound.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from xlatperf.files.spreadsheet import harmless
from xlatperf.files.writing import whole
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.found import Found
from xlatperf.report.comparison.rows import Row
from xlatperf.report.numerals import NONE

COLUMNS = (
    "campaign",
    "folder",
    "title",
    "device",
    "technology",
    "procedure",
    "quantity",
    "unit",
    "ipv4_frame_size",
    "frame_size_left",
    "frame_size_right",
    "frame_sizes",
    "mix_take",
    "mix_of",
    "direction",
    "traffic_class",
    "frame_timeout_ms",
    "connections",
    "stateless",
    "subscribers",
    "networks",
    "flows",
    "flow_interval_s",
    "device_cores",
    "table_size",
    "hash_size",
    "alpha",
    "share",
    "share_bound",
    "rate_fps",
    "n",
    "value",
    "bound",
    "median",
    "minimum",
    "maximum",
    "dispersion",
    "ratio_to_first",
    "ratio_bound",
    "limited_by",
    "device_cpu",
    "device_idle",
    "complete",
    "no_result",
)


def write(campaigns: Sequence[Campaign], rows: Sequence[Row], path: Path) -> None:
    """Writes the file."""
    with whole(path, newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        for row in rows:
            for index, (campaign, found) in enumerate(zip(campaigns, row.found, strict=True)):
                if found is not None:
                    line = _line(campaign, row, found, index)
                    writer.writerow({name: harmless(value) for name, value in line.items()})


def _line(campaign: Campaign, row: Row, found: Found, index: int) -> dict[str, object]:
    kind, item = row.kind, found.measurement
    line: dict[str, object] = {
        "campaign": campaign.letter,
        "folder": campaign.folder,
        "title": campaign.results.title,
        "device": campaign.evidence.device,
        "technology": campaign.results.technology.get("name"),
        "procedure": kind.procedure,
        "quantity": kind.quantity,
        "unit": kind.unit,
        "ipv4_frame_size": kind.ipv4_size,
        "frame_size_left": item.frame_size.exact("left"),
        "frame_size_right": item.frame_size.exact("right"),
        "frame_sizes": item.frame_size.text,
        "mix_take": item.mix.take,
        "mix_of": item.mix.of,
        "direction": kind.direction,
        "traffic_class": kind.traffic_class,
        "frame_timeout_ms": kind.frame_timeout_ms,
        "connections": kind.connections,
        "stateless": found.stateless,
        "subscribers": kind.subscribers,
        "networks": kind.networks,
        "flows": kind.flows,
        "flow_interval_s": kind.flow_interval_s,
        "device_cores": kind.cores,
        "table_size": item.table_size,
        "hash_size": item.hash_size,
        "alpha": kind.alpha,
        "share": kind.share,
        "share_bound": found.of_share,
        "rate_fps": item.rate_fps,
        "n": 0,
        "value": found.value,
        "bound": "" if found.value is None else found.bound,
        "ratio_to_first": row.ratio(index),
        "ratio_bound": "" if row.ratio(index) is None else row.ratio_bound(index),
        "limited_by": "" if found.limited_by == NONE else found.limited_by,
        "device_cpu": " ".join(f"{name}={used}" for name, used in item.device_cpu.items()),
        "device_idle": "; ".join(f"{name}={share}" for name, share in item.device_idle.items()),
        "complete": item.complete,
        "no_result": found.why_not if found.value is None else "",
    }
    if found.summary is not None:
        line |= found.summary.model_dump(include={"n", "median", "minimum", "maximum", "dispersion"})
    return {name: "" if value is None else value for name, value in line.items()}
