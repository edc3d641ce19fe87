"""`xlatperf run` with columns: numbers of connections, ports and the size of the device's table change at once."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.system.campaigns import campaign
from tests.system.trials import RELAXED

RATE_FPS = 4000
SIZES = [300, 700]
_TIMES = "repetitions = 1\ntimeout_s = 0.1\nsettle_s = 0\nlearning_wait_s = 0\nretries = 5\nframe_sizes = [64]"
_RATES = f"minimum_fps = {RATE_FPS}\nmaximum_fps = {RATE_FPS}"
BENCH = f"""
technology = {{ name = "nat44", pool = {{ first = "198.19.0.1" }} }}
device.driver = "reference"
device.state = {{ entries = 5000, timeout_s = 60, mapping = "address_and_port_dependent" }}
report.labels = "draft-lencse"
{RELAXED}
[[column]]
connections = 500
client_ports = {{ first = 2000, last = 2249 }}
table_size = 500

[[column]]
connections = 1000
client_ports = {{ first = 4000, last = 4249 }}
server_ports = {{ first = 80, last = 99 }}
table_size = 1200

[[measure]]
procedure = "establishment"
columns = "all"
{_RATES}
{_TIMES}
[[measure]]
procedure = "throughput"
columns = "all"
direction = "reverse"
duration_s = 0.25
{_RATES}
{_TIMES}
[[measure]]
procedure = "capacity"
columns = [{{ table_size = {SIZES[0]} }}, {{ table_size = {SIZES[1]} }}]
safe_connections = 200
minimum_phase_1_s = 0.02
maximum_connections = 2000
beta = 0.5
tolerated_error = 50
minimum_fps = 1000
maximum_fps = {RATE_FPS}
{_TIMES}
"""


def test_columns(tmp_path: Path) -> None:
    """R9693-5.1, R9693-6-3: each series has ports and a table of its own, and the capacity is that table's size."""
    made = campaign(tmp_path, BENCH)
    folder, results = made.folder, made.results
    rates, capacities = results["measurements"][:4], results["measurements"][4:]
    assert [(one["procedure"], one["column"], one["connections"]["count"], one["table_size"]) for one in rates] == [
        ("establishment", 1, 500, 500),
        ("establishment", 2, 1000, 1200),
        *(("capacity", number, None, size) for number, size in enumerate(SIZES, 1)),
    ]
    ports = [(one["connections"]["client_ports"], one["connections"]["server_ports"]) for one in rates[:2]]
    assert ports == [([2000, 2249], [1, 2]), ([4000, 4249], [80, 83])]
    throughputs = [one for one in capacities if one["procedure"] == "throughput"]
    assert [(one["column"], one["establish_fps"]) for one in throughputs] == [(1, RATE_FPS / 2), (2, RATE_FPS / 2)]
    for one, size in zip([one for one in rates if one["procedure"] == "capacity"], SIZES, strict=True):
        found = one["values"][0]["summary"]["median"]
        assert size - 50 < found <= size
    tables = list(csv.reader((folder / "scalability.csv").open(newline="", encoding="utf-8")))
    for row in (
        ["num. conn.", "", "500", "1000"],
        ["src ports", "", "250", "250"],
        ["dst ports", "", "2", "4"],
        ["contrack t. s.", "state.entries", "500", "1200"],
        ["c.t.s/num.conn.", "", "1.0", "1.2"],
        ["num. exp.", "", "1", "1"],
        ["of all searches", "", "C0", "R0", "CS", "RS", "CT", "C"],
        ["table size", "", *map(str, SIZES)],
    ):
        assert row in tables
    assert [row[0] for row in tables[1:8]] == [
        *("num. conn.", "src ports", "dst ports", "contrack t. s.", "hash table size", "num. exp.", "error"),
    ]
    assert tables[0][0] == "Fig. 4: performance over connections, 64 bytes"
