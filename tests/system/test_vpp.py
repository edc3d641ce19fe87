"""VPP as a device. It isn't in Debian: a fake one whose packets the reference device forwards, or the real one."""

from __future__ import annotations

import contextlib
import json
import re
import time
from pathlib import Path

import pytest

from tests.devices.vpp import fake
from tests.devices.vpp.prepared import BENCHES
from tests.system.command import started, traces, xlatperf
from tests.system.requirements import needs_root, needs_tayga, needs_vpp
from tests.system.test_in_a_row import MAP_E, NAT64, REFERENCE, SMALL, TAYGA_CE, written
from tests.system.trials import RELAXED
from xlatperf.devices.reference import find_program
from xlatperf.lab.vpp_changes import SHARED_MEMORY

WAIT_S = 20.0
MEASURE = """
[[measure]]
procedure = "throughput"
frame_sizes = [84]
minimum_fps = 500
maximum_fps = 1000
repetitions = 1
duration_s = 0.6
timeout_s = 0.5
settle_s = 0.02
learning_wait_s = 0.02
"""


def bench_file(folder: Path, text: str) -> Path:
    path = folder / "bench.toml"
    path.write_text(f'device.driver = "vpp"\ntester.cores = [1]\n{text}\n', encoding="utf-8")
    return path


def test_a_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From keys to report: its own VPP by memif. How full its vectors were stands in place of processor time."""
    forwards = {"program": str(find_program()), "file": str(tmp_path / "reference.json")}
    fake.on_the_path(tmp_path, monkeypatch, forwards=forwards)
    path = bench_file(tmp_path, f"{BENCHES['native']}\n{RELAXED}{MEASURE}")
    checked = xlatperf("check", path, folder=tmp_path)
    assert checked.code == 0, checked.output
    assert "All frames came back as they must." in checked.output
    ended = xlatperf("run", path, "-f", "c", "--skip-selftest", folder=tmp_path)
    assert ended.code == 0, ended.output
    (measured,) = json.loads((tmp_path / "c" / "results.json").read_text())["measurements"]
    assert measured["device_cpu"] == {}
    assert measured["device_vectors"] == {"vpp_wk_0 core 1": pytest.approx(1.25)}
    assert 'id="vectors"' in (tmp_path / "c" / "report.html").read_text()
    assert not (tmp_path / "run").exists()


@needs_root
def test_by_veth_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """VPP is where its ends are; the fake one forwards nothing there."""
    log = fake.on_the_path(tmp_path, monkeypatch)
    path = bench_file(tmp_path, f'{BENCHES["native"]}\ndevice.ports = "af_packet"\n{RELAXED}')
    ended = xlatperf("check", path, folder=tmp_path)
    assert ended.code == 1, ended.output
    assert "VPP's host-d0: drops: 1" in ended.output
    commands = log.read_text().splitlines()
    assert "create host-interface v2 name d0 hw-addr 02:00:00:00:00:d0 cksum-gso-disable" in commands
    assert "set interface ip address host-d0 2001:2:0:7fff::1/64" in commands
    assert not (tmp_path / "run").exists()


@needs_vpp
@pytest.mark.parametrize("name", BENCHES)
def test_the_real_one(name: str, tmp_path: Path) -> None:
    """It takes each command, and answers."""
    ended = xlatperf("check", bench_file(tmp_path, f"{BENCHES[name]}\n{RELAXED}"), folder=tmp_path)
    assert ended.code in (0, 1), ended.output
    assert "as expected" in ended.output


def test_its_limits_are_said_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake.on_the_path(tmp_path, monkeypatch, fail=["map add domain .*", "no memory"])
    ended = xlatperf("check", bench_file(tmp_path, BENCHES["map-t"]), folder=tmp_path)
    assert ended.code == 2
    said = [re.sub(" +", " ", line).strip() for line in ended.output.splitlines()]
    lost = "VPP: it loses packets from CEs whose rule prefix (2001:2:0:2000::/51) isn't a multiple of 8 bits long"
    assert lost in said, ended.output
    assert said[-1].startswith("VPP refuses `map add domain ip4-pfx 198.18.0.0/24"), ended.output
    assert said[-1].endswith("`: no memory")


def wait_for(log: Path, command: str) -> None:
    until = time.monotonic() + WAIT_S
    while not (log.exists() and re.search(rf"(?m)^{command}$", log.read_text())):
        assert time.monotonic() < until
        time.sleep(0.02)


def left_of(pid: int) -> list[str]:
    """Traces, a VPP that runs, its shared memory."""
    found = [str(path) for path in SHARED_MEMORY.glob(f"xlatperf-{pid}-*")]
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes()
            if b"fake_vpp" in words and f"/{pid}-".encode() in words:
                found.append(str(path))
    return found + traces(pid)


@pytest.mark.parametrize(
    "at", ["show version", "create interface memif .*101 .*", "map add domain .*", "map interface memif102/0"]
)
def test_killed_with_its_own(at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGKILL while VPP is being told: process, sockets and shared memory are gone."""
    log = fake.on_the_path(tmp_path, monkeypatch, hang=at)
    path = bench_file(tmp_path, BENCHES["map-e"])
    with started("check", path, folder=tmp_path) as process:
        wait_for(log, at)
        process.kill()
        process.wait(WAIT_S)
    until = time.monotonic() + WAIT_S
    while left := left_of(process.pid):
        assert time.monotonic() < until, f"left behind: {left}"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("name", "at"), [("map-e", "map interface memif102/0"), ("nat64", "set interface nat64 out .*")]
)
def test_killed_with_a_running_one(name: str, at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what the user's VPP was told is taken back."""
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "run"))
    log = tmp_path / "commands"
    with fake.running(tmp_path, hang=at, log=str(log)) as socket:
        path = bench_file(tmp_path, f'{BENCHES[name]}\ndevice.cli_socket = "{socket}"')
        with started("check", path, folder=tmp_path) as process:
            wait_for(log, at)
            process.kill()
            process.wait(WAIT_S)
        until = time.monotonic() + WAIT_S
        while (left := fake.left(socket)) != fake.NOTHING_LEFT or left_of(process.pid):
            assert time.monotonic() < until, left
            time.sleep(0.05)


@pytest.mark.parametrize(
    ("technology", "left", "right", "commands"),
    [
        (MAP_E, REFERENCE, '"vpp"', ["map interface memif101/0", "set ip neighbor memif101/0 .* 02:.*:a0 static"]),
        (NAT64, REFERENCE, '"vpp"\nports = "af_packet"', ["set interface nat64 in host-d0"]),
        (SMALL, TAYGA_CE, '"vpp"\nports = "af_packet"', ["set ip neighbor host-d0 .* 02:.*:d1 static"]),
    ],
)
@needs_root
@needs_tayga
def test_as_the_second_in_a_row(
    technology: str, left: str, right: str, commands: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R8219-4.2-2: it's told the first one's addresses; the fake one forwards nothing, and is told of."""
    log = fake.on_the_path(tmp_path, monkeypatch)
    ended = xlatperf("check", written(tmp_path, technology, left, right), folder=tmp_path)
    assert ended.code == 1, ended.output
    assert "VPP's map-e: bad protocol: 30" in ended.output
    for command in commands:
        assert re.search(rf"(?m)^{command}$", log.read_text()), log.read_text()
