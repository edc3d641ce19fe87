"""A DUT that forgets connections before phase 2 uses them: that is said, and is not taken for loss (RFC 9693 §4.4)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.retries import attempts
from tests.system.command import xlatperf
from tests.system.trials import RELAXED

ATTEMPTS = 3
_FIXED = "minimum_fps = 1000\nmaximum_fps = 1000\nstop_width_percent = 50\nrepetitions = 1"
_TIMES = "timeout_s = 0.2\nsettle_s = 0\nlearning_wait_s = 0\nretries = 5"
BENCH = f"""
technology = {{ name = "nat44", pool = {{ first = "198.19.0.1" }} }}
device = {{ driver = "reference", state = {{ timeout_s = 1 }} }}
{RELAXED}
[[measure]]
procedure = "establishment"
alpha = 1
frame_sizes = [64]
connections = [700]
{_FIXED}
{_TIMES}
[[measure]]
procedure = "throughput"
frame_sizes = [64]
connections = [300]
establish_fps = 1000
duration_s = 0.9
{_FIXED}
{_TIMES}
[[measure]]
procedure = "frame_loss"
frame_sizes = [64]
connections = [300]
establish_fps = 1000
rates_fps = [1000]
duration_s = 0.9
{_TIMES}
"""
FORGETS = "the DUT forgets connections within 2 s: 200 of 200 were gone after that time, none without waiting"


LONG = ("--rate", "200", "--duration", "1.2", "--timeout", "0.1", "--hold", "0")


def test_check_says_that_the_dut_forgets(tmp_path: Path) -> None:
    """Phase 1 is complete, so is a short validation; nothing else is blamed."""
    (tmp_path / "bench.toml").write_text(BENCH)
    forgets = xlatperf("check", "bench.toml", *LONG, folder=tmp_path)
    assert forgets.code == 1, forgets.output
    assert "The DUT forgets connections within 2.5 s: 20 of 20 were gone after that time, none" in forgets.output
    for wrong in ("forwarding on", "does the DUT know a route", "frames lost", "All frames came back"):
        assert wrong not in forgets.output


def test_check_says_that_the_dut_forgets_later(tmp_path: Path) -> None:
    """The trials of the check itself are short enough, but not what the DUT must hold."""
    (tmp_path / "bench.toml").write_text(BENCH)
    short = ("--timeout", "0.2", "--hold", "1.2")
    forgets = xlatperf("check", "bench.toml", *short, folder=tmp_path)
    assert forgets.code == 1, forgets.output
    assert "The DUT forgot 200 of 200 connections within 1.2 s" in forgets.output
    assert "; the measures need up to 1 s" in forgets.output
    assert "frames lost" not in forgets.output


def test_run_reports_no_loss_of_a_dut_that_forgets(tmp_path: Path) -> None:
    """R9693-4.4-1: no rate, no loss; why not is said for each measure. It's found out once for phase 2."""
    (tmp_path / "bench.toml").write_text(BENCH)
    for _ in attempts(ATTEMPTS):  # a host that holds the device up has frames lost for another reason
        shutil.rmtree(tmp_path / "c", ignore_errors=True)
        ended = xlatperf("run", "bench.toml", "-f", "c", "--skip-selftest", folder=tmp_path)
        assert ended.code == 1, ended.output
        if ended.output.count(FORGETS) == 3:
            break
    assert ended.output.count(FORGETS) == 3, ended.output
    results = json.loads((tmp_path / "c" / "results.json").read_text())
    assert results["complete"] is True
    for measurement in results["measurements"]:
        assert (measurement["repetitions"], measurement["values"]) == ([], [])
        assert [FORGETS in failure["what"] for failure in measurement["failures"]] == [True]
    assert [check["verdict"] for check in results["timeout_checks"]] == ["forgets"]
    assert "the DUT forgets connections within 2 s" in (tmp_path / "c" / "report.html").read_text()
