"""`check` and `run` with commands of the user's (fake engine): what is missing, what fails, what does nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from xlatperf.commands.app import run_app

PORTS = 'tester.left.port = "net_ring0"\ntester.right.port = "net_ring1"\ndevice.driver = "manual"\n'
WAITS = "timeout_s = 0\nsettle_s = 0\nlearning_wait_s = 0\nrepetitions = 1\n"
NAT = (
    f'technology.name = "nat44"\n{PORTS}[[measure]]\nprocedure = "establishment"\nconnections = [1000]\n'
    f"maximum_fps = 100000\nstop_width_percent = 10\nframe_sizes = [64]\n{WAITS}"
)
RESET = (
    f'technology.name = "siit"\n{PORTS}[[measure]]\nprocedure = "reset"\nrate_fps = 1000\nduration_s = 1\n'
    f"event_at_s = 0.1\nframe_sizes = [84]\n{WAITS}"
)


@pytest.fixture(autouse=True)
def _engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_engine: None) -> None:
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))
    monkeypatch.chdir(tmp_path)


def bench(text: str, **commands: str) -> None:
    lines = "".join(f"device.{name} = {json.dumps(command)}\n" for name, command in commands.items())
    Path("b.toml").write_text(lines + text)


def trials() -> int:
    log = Path("log")
    return sum('"trial"' in line for line in log.read_text().splitlines()) if log.exists() else 0


@pytest.mark.parametrize("command", [["check", "b.toml"], ["run", "b.toml", "--folder", "c"]])
def test_a_missing_command_is_told_before_anything_is_measured(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    bench(NAT)
    assert run_app(command) == 2
    said = capsys.readouterr().err
    assert "device.clear_command is missing: the driver manual can't empty the DUT's connection tracking table" in said
    assert trials() == 0
    assert not Path("c").exists()


def test_reset_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    bench(RESET)
    assert run_app(["run", "b.toml", "--folder", "c"]) == 2
    assert "device.restart_command is missing: the driver manual can't restart the DUT" in capsys.readouterr().err


def test_reset_by_a_command() -> None:
    """R6201-4: the command runs while the frames go through."""
    bench(RESET, restart_command="touch restarted", facts_command="echo 'kernel: 6.1.0'")
    run_app(["run", "b.toml", "--folder", "c"])
    assert Path("restarted").exists()
    results = json.loads(Path("c/results.json").read_text())
    (event,) = [trial["event"] for trial in results["trials"] if trial.get("event")]
    assert (event["kind"], event["error"]) == ("restart", None)
    assert json.loads(Path("c/environment.json").read_text())["device"]["kernel"] == "6.1.0"


@pytest.mark.parametrize("command", [["check", "b.toml"], ["run", "b.toml", "--folder", "c", "--skip-selftest"]])
def test_a_command_that_fails(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Its exit code, and what it wrote."""
    bench(NAT, clear_command="echo connecting to dut; echo no route to dut >&2; exit 255")
    assert run_app(command) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-3].endswith("failed with exit code 255: no route to dut")
    assert lines[-2:] == ["  connecting to dut", "  no route to dut"]


def test_a_command_that_does_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with 0, and the count says that nothing has changed: the user's mistake, not the Tester's failure."""
    monkeypatch.setattr("xlatperf.run.experiment.PAUSE_S", 0.001)
    bench(NAT, clear_command="true", count_command="echo 500")
    assert run_app(["check", "b.toml"]) == 2
    said = capsys.readouterr().out
    assert (
        "the DUT still holds 500 connections after it was told 4 times to empty its table: that changes nothing" in said
    )
    assert "see what device.clear_command does" in said
