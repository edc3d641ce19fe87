"""`xlatperf plan`: what it says, and that it starts nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.commands.app import run_app

STATEFUL = """
technology.name = "nat66"
device.driver = "nft-nat66"
[[measure]]
procedure = "establishment"
columns = [{ connections = 1000000, table_size = 2097152 }, { connections = 10000, table_size = 16384 }]
maximum_fps = 100000
repetitions = 4
frame_sizes = [84]
"""
SUBSCRIBERS = """
technology.name = "lw4o6"
device.driver = "reference"
traffic.mix = [[1, 1], [1, 2]]
[[measure]]
procedure = "throughput"
subscribers = [1, 1000]
frame_sizes = [104]
repetitions = 1
[[measure]]
procedure = "reset"
rate_fps = 1000
direction = "reverse"
frame_sizes = [104]
repetitions = 3
"""


@pytest.fixture(autouse=True)
def _engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_engine: None) -> None:
    monkeypatch.chdir(tmp_path)


def said(text: str, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    Path("b.toml").write_text(text)
    before = sorted(Path().rglob("*"))
    assert run_app(["plan", "b.toml", *arguments]) == 0
    assert sorted(Path().rglob("*")) == before
    return [line.strip() for line in capsys.readouterr().out.splitlines()]


def test_a_baseline_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    """As `run` would say it."""
    Path("b.toml").write_text('report.baseline = "x"\n' + STATEFUL)
    assert run_app(["plan", "b.toml"]) == 2
    assert "x: not a campaign's folder: results.json is missing" in capsys.readouterr().err


def test_of_connections(capsys: pytest.CaptureFixture[str]) -> None:
    """The most of all series at once, and 20 bytes for each where the pool is IPv6."""
    lines = said(STATEFUL, capsys)
    assert [line.split(", table size")[0] for line in lines if line.startswith("establishment")] == [
        "establishment, 1,000,000 connections",
        "establishment, 10,000 connections",
    ]
    assert lines[lines.index("Tester:") :] == [
        "Tester:",
        "memory for frames: 256 MB (tester.memory_mb)",
        "memory for the state of 1,000,000 connections: 20 MB, and up to 10 MB more while their mappings are compared",
        "",
        "Device:",
        "up to 100,000 fps per direction, the highest rate that is tried",
        "up to 1,000,000 connections at once; its table is emptied before each trial that opens some",
        "table size: 2,097,152, 16,384",
    ]


def test_the_slowest_device(capsys: pytest.CaptureFixture[str]) -> None:
    """The least stays, the most is less, and what is left out is said."""
    whole, few = said(STATEFUL, capsys), said(STATEFUL, capsys, "--slowest", "20000")
    (all_of_it,), (less,) = ([line for line in lines if line.startswith("In all")] for lines in (whole, few))
    assert all_of_it.split(" to ")[0] == less.split(" to ")[0] == "In all 8"
    assert all_of_it.endswith(" days.")
    assert not less.endswith(" days.")
    assert any("none slower than 20,000 fps" in line for line in few)


def test_of_subscribers(capsys: pytest.CaptureFixture[str]) -> None:
    """Each series of each mix, named by what differs; restarts; the rate of media that nobody knows yet."""
    lines = said(SUBSCRIBERS, capsys)
    names = [line.split("  ")[0] for line in lines if "foreground" in line]
    assert names == [
        *(
            f"throughput, {count}, {mix} foreground, bidirectional"
            for mix in ("1 of 1", "1 of 2")
            for count in ("1 subscriber", "1,000 subscribers")
        ),
        *(f"reset, {mix} foreground, reverse" for mix in ("1 of 1", "1 of 2")),
    ]
    assert "1,000 subscribers" in lines
    assert "it is restarted 6 times" in lines
    assert any(line.endswith("on media of 10,000 Mbit/s, as only the ports know theirs") for line in lines)


def test_nothing_to_measure(capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.toml").write_text('technology.name = "siit"\ndevice.driver = "tayga"\n')
    assert run_app(["plan", "b.toml"]) == 2
    assert "b.toml: measure: missing: [[measure]] with procedure = " in capsys.readouterr().err
