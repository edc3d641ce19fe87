"""The commands with a stateful technology, a fake engine and the manual driver."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.values import rate_of
from xlatperf.commands.app import run_app

COMMON = "frame_sizes = [64]\nconnections = [1000]\ntimeout_s = 0\nsettle_s = 0\nlearning_wait_s = 0\nrepetitions = 1\n"
BENCH = f"""
technology.name = "nat44"
tester.left.port = "net_ring0"
tester.right.port = "net_ring1"
[device]
driver = "manual"
clear_command = "true"
[[measure]]
procedure = "establishment"
maximum_fps = 100000
stop_width_percent = 10
{COMMON}
[[measure]]
procedure = "throughput"
maximum_fps = 100000
stop_width_percent = 10
duration_s = 0.01
{COMMON}
"""


@pytest.fixture(autouse=True)
def _engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_engine: None) -> None:
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.toml").write_text(BENCH)


def asked(tmp_path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]


def test_run(tmp_path: Path) -> None:
    assert run_app(["run", "b.toml", "--folder", "c"]) == 0
    results = json.loads((tmp_path / "c" / "results.json").read_text())
    establishment, throughput = results["measurements"]
    assert 45_000 <= rate_of(establishment) <= 50_100
    assert throughput["establish_fps"] == int(rate_of(establishment) / 2)
    assert [entry["phase"] for entry in results["selftest"]] == ["establish", "steady"]
    assert [entry["connections"] for entry in results["selftest"]] == [None, 1000]


def test_a_trial_with_a_frame_for_each_connection_has_no_duration(tmp_path: Path) -> None:
    assert run_app(["check", "b.toml", "--hold", "0", "--timeout", "0"]) == 0
    trials = asked(tmp_path)
    opened_once = [  # right frames, then such as are for another address
        ({"count": 10, "phase": "establish", "draw": 1025}, False, ["forward"]),
        ({"count": 10, "phase": "steady"}, True, ["reverse"]),
        ({"count": 10, "phase": "steady"}, True, ["reverse"]),
    ]
    assert [(trial["connections"], "duration_s" in trial, trial["directions"]) for trial in trials] == [
        ({"count": 200, "phase": "establish", "draw": 2}, False, ["forward"]),
        ({"count": 200, "phase": "each_once"}, False, ["reverse"]),
        ({"count": 200, "phase": "steady"}, True, ["forward", "reverse"]),
        ({"count": 200, "phase": "steady"}, True, ["forward", "reverse"]),  # in a burst
        *opened_once,
    ]
    assert len({trial["number"] for trial in trials}) == 7


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("FAKE_BACK", "0", "All connections were opened, but no frame comes back"),
        ("FAKE_BACK", "0.5", "reverse foreground: 100 of 200 frames lost"),
        ("FAKE_SHARED", "2", "2 of 1,000 connections: shared mapping: two connections have the same"),
        ("FAKE_CAPACITY_FPS", "1980", "forward foreground: 2 of 200 frames lost"),
    ],
)
def test_check_says_what_is_wrong(
    variable: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(variable, value)
    assert run_app(["check", "b.toml", "--hold", "0", "--timeout", "0"]) == 1
    assert words in capsys.readouterr().out


def test_check_finds_a_dut_that_looks_at_the_port_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FAKE_TAKES_ANY", "1")
    assert run_app(["check", "b.toml", "--hold", "0", "--timeout", "0"]) == 1
    out = capsys.readouterr().out
    assert "frames to 198.19.0.3, which isn't in the pool, on ports of open connections (reverse" in out
    assert "10 of 10 came through, and none should: the DUT looks at the port alone" in out
    assert "All frames came back" not in out


def test_check_shows_the_mappings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["check", "b.toml", "--hold", "0", "--timeout", "0"]) == 0
    out = capsys.readouterr().out
    assert "198.19.0.1 (1,000), ports 1024 to 65535; 900 of 1,000 connections kept their port" in out
    assert "All frames came back as they must." in out


def test_selftest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["selftest", "b.toml", "--json", "--duration", "0.05"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [(entry["phase"], entry["direction"]) for entry in entries] == [
        ("establish", "forward"),
        ("steady", "bidirectional"),
    ]
    assert all(350_000 <= entry["limit_fps"] <= 400_000 for entry in entries)


def test_without_a_way_to_empty_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.toml").write_text(BENCH.replace('clear_command = "true"', ""))
    assert run_app(["run", "b.toml", "--skip-selftest"]) == 2
    assert "clear_command" in capsys.readouterr().err


@pytest.mark.parametrize("technology", ["nat44", "nat64", "nat66"])
def test_init(technology: str, tmp_path: Path) -> None:
    assert run_app(["init", technology, "-o", "new.toml"]) == 0
    assert run_app(["show", "new.toml"]) == 0
