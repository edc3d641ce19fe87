"""The commands with a fake engine and the manual driver: what they print and their exit codes."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.values import rate_of
from xlatperf.commands.app import run_app

ROOT = Path(__file__).resolve().parents[2]
BENCH = """
technology.name = "siit"
device.driver = "manual"
tester.left.port = "net_ring0"
tester.right.port = "net_ring1"
[[measure]]
procedure = "throughput"
frame_sizes = [84]
maximum_fps = 100000
stop_width_percent = 10
duration_s = 0.01
timeout_s = 0
settle_s = 0
learning_wait_s = 0
repetitions = 1
"""


@pytest.fixture(autouse=True)
def _engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_engine: None) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.toml").write_text(BENCH)


def test_run_resume_report(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_DIE_AT", "5")
    assert run_app(["run", "b.toml", "--folder", "c"]) == 3
    assert "something terrible" in capsys.readouterr().err
    monkeypatch.delenv("FAKE_DIE_AT")
    assert run_app(["run", "b.toml", "--folder", "c"]) == 0
    assert "2 trials taken from the journal" in capsys.readouterr().out
    results = json.loads((tmp_path / "c" / "results.json").read_text())
    assert 45_000 <= rate_of(results["measurements"][0]) <= 50_100
    assert results["selftest"][0]["limit_fps"] > 300_000
    sessions = json.loads((tmp_path / "c" / "environment.json").read_text())["sessions"]
    assert len(sessions) == 2
    assert run_app(["run", "b.toml", "--folder", "c"]) == 0
    assert "nothing is left to measure" in capsys.readouterr().out
    assert run_app(["report", "c"]) == 0
    journal = tmp_path / "c" / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join([*lines[:2], "spoilt\n", *lines[2:]]))
    assert run_app(["run", "b.toml", "--folder", "c"]) == 2
    assert "line 3 is damaged" in capsys.readouterr().err


def test_a_folder_without_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "bench.toml").write_text(BENCH)
    assert run_app(["report", "c"]) == 2
    assert "c: nothing of this campaign has been measured yet" in capsys.readouterr().err


def test_the_testers_limit_bounds_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_TESTER_FPS", "70000")
    monkeypatch.setenv("FAKE_CAPACITY_FPS", "1e9")
    assert run_app(["run", "b.toml", "--folder", "c"]) == 0
    one = json.loads((tmp_path / "c" / "results.json").read_text())["measurements"][0]
    assert one["repetitions"][0]["limited_by"] == "tester"
    assert rate_of(one) == int(one["tester_limit_fps"]) <= 70_000


def test_nothing_passes_is_a_failed_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_CAPACITY_FPS", "0")
    assert run_app(["run", "b.toml", "--skip-selftest"]) == 1


def test_a_silent_dut(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FAKE_SILENT", "0")
    assert run_app(["check", "b.toml"]) == 1
    assert "did not answer Neighbor Discovery" in capsys.readouterr().out
    assert run_app(["run", "b.toml", "--skip-selftest"]) == 1
    assert "did not answer Neighbor Discovery" in capsys.readouterr().err
    monkeypatch.setenv("FAKE_SILENT", "1")
    monkeypatch.setenv("FAKE_CAPACITY_FPS", "0")
    assert run_app(["check", "b.toml"]) == 1
    assert "no longer: the DUT at 2001:2:0:7fff::1 on the left side" in capsys.readouterr().out


def test_check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))
    assert run_app(["check", "b.toml"]) == 0
    assert "All frames came back as they must." in capsys.readouterr().out
    trials = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    bursts = [trial for trial in trials if trial["rate_fps"] > 2000]
    assert {tuple(trial["directions"]) for trial in trials if trial not in bursts} == {("forward",), ("reverse",)}
    assert [(trial["rate_fps"], trial["duration_s"], trial["directions"]) for trial in bursts] == [
        (50_000, 0.004, ["forward", "reverse"])
    ]
    monkeypatch.setenv("FAKE_CAPACITY_FPS", "40000")
    assert run_app(["check", "b.toml"]) == 0, "what a burst loses is no fault of the translation"
    said = capsys.readouterr().out
    assert "forward: 40 of 200 frames of a burst lost: that's the DUT's queues" in said
    assert "At 2,000 per second all frames came back as they must; in bursts 80 of 400 were lost." in said
    monkeypatch.setenv("FAKE_CAPACITY_FPS", "1980")
    assert run_app(["check", "b.toml"]) == 1
    said = capsys.readouterr().out
    assert said.count("some are lost, and so few don't show who: trying 2,000") == 2, "in each direction"
    assert "20 of 2000 frames lost (1 %)" in said
    monkeypatch.setenv("FAKE_TESTER_FPS", "500")
    assert run_app(["check", "b.toml"]) == 3


def test_a_burst_has_no_frames_that_were_not_sent_slowly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where they go wrong, nothing says that it is the burst."""
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))
    assert run_app(["check", "b.toml", "--rate", "500"]) == 0
    trials = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [round(one["rate_fps"] * one["duration_s"]) for one in trials if one["rate_fps"] > 1000] == [50]
    (tmp_path / "log").unlink()
    assert run_app(["check", "b.toml", "--rate", "50"]) == 0
    trials = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [(one["rate_fps"], one["duration_s"]) for one in trials if one["rate_fps"] > 1000] == [(5000, 0.001)]


def test_check_finds_a_dut_that_takes_any_prefix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FAKE_TAKES_ANY", "1")
    assert run_app(["check", "b.toml"]) == 1
    assert "10 of 10 came through, and none should: the DUT takes the IPv4 address" in capsys.readouterr().out


def test_check_warms_a_direction_up_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))
    (tmp_path / "b.toml").write_text(BENCH.replace("[84]", "[84, 512, 1518]"))
    assert run_app(["check", "b.toml"]) == 0
    trials = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [(trial["frame_size"], trial["duration_s"], bool(trial.get("alter"))) for trial in trials] == [
        *[(84, 0.02, False), (84, 0.1, False), (1518, 0.1, False)] * 2,
        (84, 0.004, False),
        (84, 0.02, False),
        (84, 0.02, True),  # under another prefix
    ]
    assert {trial["fence"]["frames"] for trial in trials} == {10}


def test_show_and_pcap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["show", "b.toml", "--count", "2", "--pcap", "f.pcap"]) == 0
    out = capsys.readouterr().out
    assert "left: 2001:2::2/128 via 2001:2:0:7fff::2" in out
    assert "forward expected" in out
    for name, sizes in (("sent", [80, 80, 60, 60]), ("expected", [60, 60, 80, 80])):
        data = (tmp_path / f"f-{name}.pcap").read_bytes()
        assert struct.unpack_from("<I16xI", data) == (0xA1B2C3D4, 1)
        assert len(data) == 24 + sum(16 + size for size in sizes)


def test_selftest_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["selftest", "b.toml", "--json", "--duration", "0.05"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert 350_000 <= entries[0]["limit_fps"] <= 400_000
    assert [delay["percent_of_limit"] for delay in entries[0]["delays"]] == [10, 50, 90]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["init", "sit"], 2, "sit is not allowed"),
        (["run", "none.toml"], 2, "none.toml: can't be read"),
        (["run"], 2, "Missing argument"),
        (["dance"], 2, "No such command"),
        (["report", "nowhere"], 2, "nowhere: not a campaign's folder: results.json is missing"),
        (["show", "wrong.toml"], 2, "wrong.toml: traffic.hop_limit: 0 is not allowed"),
    ],
)
def test_users_errors(
    arguments: list[str], code: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wrong.toml").write_text(BENCH.replace("device.driver", "traffic.hop_limit = 0\ndevice.driver"))
    assert run_app(arguments) == code
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error


def test_init_writes_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["init", "siit", "-o", "new.toml"]) == 0
    assert run_app(["init", "siit", "-o", "new.toml"]) == 2
    assert run_app(["init", "native-ipv6"]) == 0
    assert "procedure = " in capsys.readouterr().out
    assert run_app(["show", "new.toml"]) == 0


def test_no_engine(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XLATPERF_ENGINE", "/nonexistent")
    assert run_app(["show", "b.toml"]) == 3
    assert "is not a program" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_signals_end_in_order(number: int, tmp_path: Path) -> None:
    """The DUT is removed and the journal stays usable."""
    (tmp_path / "b.toml").write_text(BENCH.replace("settle_s = 0", "settle_s = 30"))
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "xlatperf", "run", "b.toml", "--skip-selftest", "--folder", "c"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if "100,000 fps" in line:
            break
    process.send_signal(number)
    out, error = process.communicate(timeout=10)
    assert process.returncode == 128 + number
    assert "goes on from here" in out
    assert "Traceback" not in error
    assert (tmp_path / "c" / "journal.jsonl").read_text().count("\n") == 4, "the first look and two of a negative test"
