"""`xlatperf run` over a stateful reference device: a series of numbers of connections, and reverse frames alone."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.system.campaigns import campaign
from tests.system.trials import RELAXED
from tests.values import rate_of

COUNTS = [500, 1000]
RATE_FPS = 4000
_TIMES = "repetitions = 1\ntimeout_s = 0.1\nsettle_s = 0\nlearning_wait_s = 0\nretries = 5"
_RATES = f"minimum_fps = {RATE_FPS}\nmaximum_fps = {RATE_FPS}\nconnections = {COUNTS}\nframe_sizes = [64]"
BENCH = f"""
technology = {{ name = "nat44", pool = {{ first = "198.19.0.1" }} }}
device = {{ driver = "reference", state = {{ timeout_s = 60 }} }}
{RELAXED}
[[measure]]
procedure = "establishment"
{_RATES}
{_TIMES}
[[measure]]
procedure = "throughput"
direction = "reverse"
duration_s = 0.25
{_RATES}
{_TIMES}
"""


def test_reverse_alone_over_a_series_of_connections(tmp_path: Path) -> None:
    """R9693-4.2-1, R9693-4.4-1, R9693-4.7-1, R9693-5.1: phase 1 at half the rate found, then only what comes back."""
    made = campaign(tmp_path, BENCH)
    folder, results = made.folder, made.results
    assert [check["verdict"] for check in results["timeout_checks"]] == ["remembers"]
    found = [
        (one["procedure"], one["direction"], one["connections"]["count"], one["repetitions"][0]["search"]["lower_fps"])
        for one in results["measurements"]
    ]
    assert found == [
        *(("establishment", "forward", count, RATE_FPS) for count in COUNTS),
        *(("throughput", "reverse", count, RATE_FPS) for count in COUNTS),
    ]
    offered = [rate_of(one) for one in results["measurements"]]
    assert all(0 < rate_fps <= RATE_FPS for rate_fps in offered), "what was asked for, or a little less"
    for throughput, count in zip(results["measurements"][2:], COUNTS, strict=True):
        assert throughput["establish_fps"] == RATE_FPS / 2
        trial = next(one for one in results["trials"] if one["number"] == throughput["repetitions"][0]["final_trial"])
        assert trial["forward"] is None
        assert (trial["reverse"]["sent"], trial["reverse"]["loss"]) == (RATE_FPS // 4, 0)
        assert trial["experiment"]["held"] == count
        first = trial["experiment"]["first_phase"]
        assert (first["forward"]["sent"], first["forward"]["loss"], first["reverse"]) == (count, 0, None)
    tables = list(csv.reader((folder / "scalability.csv").open(newline="", encoding="utf-8")))
    assert ["num. conn.", "", *map(str, COUNTS)] in tables
    assert ["cps median", "connections/s", *map(str, offered[:2])] in tables
    assert ["cps median, bound", "", "~", "~"] in tables, "in less than a second, which buffers may bear"
    assert ["cps rel. scale up", "P(ni) / P(n0)", "1.0", ""] in tables, "of these there is no ratio"
    assert "RFC 9693 \\S{}6, Table 1" in (folder / "scalability.tex").read_text()
    assert '"scalability"' in (folder / "report.html").read_text()
