"""The Tester alone as CSV: a line for each of its limits, with statistics of all runs (RFC 8219 §12), and its delays.

`median_bound` and so on say what a statistic is: at least (`>=`) so much, as no higher rate was tried; empty: no bound.
TL and WCL are of all frames here (RFC 8219 §7.2 has them of tagged ones).
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from xlatperf.engine.message import DirectionName
from xlatperf.files.spreadsheet import harmless
from xlatperf.files.writing import whole
from xlatperf.results.selftest_records import SelfTestDelay, SelfTestEntry

_STATISTICS = ("median", "p1", "p99", "minimum", "maximum")
_DELAYS = ("tl_ns", "wcl_ns", "pdv_ns")


def write(entries: Sequence[SelfTestEntry], path: Path) -> None:
    """Raises OSError."""
    shares = sorted({delay.percent_of_limit for entry in entries for delay in entry.delays})
    with whole(path, newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_heads(shares))
        writer.writerows(map(harmless, _line(entry, shares)) for entry in entries)


def _heads(shares: Sequence[float]) -> list[str]:
    return [
        *("over", "driver", "frame_size_left", "frame_size_right", "frame_sizes", "direction", "phase", "connections"),
        *("best_fps", "best_bound", "n"),
        *(name for one in _STATISTICS for name in (f"{one}_fps", f"{one}_bound")),
        "dispersion",
        *(
            f"{way}_{delay}_at_{share:g}_percent"
            for share in shares
            for way in get_args(DirectionName)
            for delay in _DELAYS
        ),
    ]


def _line(entry: SelfTestEntry, shares: Sequence[float]) -> list[object]:
    found = entry.summary()
    values = [None if found is None else getattr(found, name) for name in _STATISTICS]
    delays = {one.percent_of_limit: one for one in entry.delays}
    return [
        *(entry.over, entry.driver, entry.frame_size.exact("left"), entry.frame_size.exact("right")),
        *(entry.frame_size.text, entry.direction),
        *(entry.phase or "", entry.connections if entry.connections is not None else ""),
        *(entry.limit_fps, ">=" if entry.is_bound else "", len(entry.runs) or 1),
        *(cell for value in values for cell in (("", "") if value is None else (value, entry.bound_of(value)))),
        "" if entry.dispersion is None else entry.dispersion,
        *(cell for share in shares for way in get_args(DirectionName) for cell in _delays(delays.get(share), way)),
    ]


def _delays(found: SelfTestDelay | None, way: DirectionName) -> list[object]:
    delay = None if found is None else getattr(found, way)
    if delay is None or delay.median_ns is None or delay.p999_ns is None or delay.min_ns is None:
        return ["", "", ""]
    return [delay.median_ns, delay.p999_ns, delay.p999_ns - delay.min_ns]
