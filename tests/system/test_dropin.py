"""Scripts as they are around siitperf and Maptperf, on the programs in their place."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.requirements import needs_root, needs_tayga
from tests.system.trials import RELAXED

TESTS = Path(__file__).parents[1]
CONFIGURATIONS, SCRIPTS = TESTS / "imports" / "files", TESTS / "dropin" / "scripts"
ERROR, CAPACITY, BUFFER = 1000, 5000, 500
LIMITED = f"""
[device.impair.forward]
capacity = {{ rate_fps = {CAPACITY}, buffer = {BUFFER} }}
"""
"""In a trial of 1 s so many frames more than the capacity come through; it bears a Tester held up for 0.1 s."""
SOON = "[[measure]]\nlearning_wait_s = 0.05\n"
TAYGA = "[traffic]\nhops = 3\n"


def configured(folder: Path, program: str, configuration: str, driver: str, more: str = "") -> None:
    """The configuration, what stands beside it, and the programs in `build`."""
    name = program.partition("-")[0]
    shutil.copy(CONFIGURATIONS / configuration, folder / f"{name}.conf")
    (folder / f"{name}.toml").write_text(f'[device]\ndriver = "{driver}"\n{more}{SOON}{RELAXED}')
    (folder / "build").mkdir()
    for kind in ("tp", "lat", "pdv"):
        (folder / "build" / f"{name}-{kind}").symlink_to(Path(sys.executable).parent / f"{name}-{kind}")


def script(name: str, *arguments: str, folder: Path) -> str:
    ended = subprocess.run(
        ("bash", str(SCRIPTS / name), *arguments), cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    log = folder / "ratetest.log"
    assert ended.returncode == 0, ended.stdout + ended.stderr + (log.read_text() if log.exists() else "")
    return ended.stdout


def found_by(script_said: str) -> int:
    return int(script_said.rpartition("throughput: ")[2])


def test_a_search_finds_what_xlatperf_run_finds(tmp_path: Path) -> None:
    """R2544-26.1: by binary search to the same error, on a device that drops what is above its capacity."""
    configured(tmp_path, "siitperf-tp", "siitperf.conf", "reference", LIMITED)
    of_script = found_by(script("throughput.sh", "siitperf-tp", "Forward", "1", "8000", str(ERROR), folder=tmp_path))
    assert xlatperf("import", "siitperf.conf", "-o", "b.toml", folder=tmp_path).code == 0
    text = (tmp_path / "b.toml").read_text().partition("[[measure]]")[0]
    measure = f"""
[[measure]]
procedure = "throughput"
search = "binary"
frame_sizes = [84]
minimum_fps = 1000
maximum_fps = 8000
stop_width_fps = {ERROR}
repetitions = 1
duration_s = 1
timeout_s = 0.5
settle_s = 0
learning_wait_s = 0.05
"""
    (tmp_path / "b.toml").write_text(text + LIMITED + measure + RELAXED)
    ended = xlatperf("run", "b.toml", "--folder", "c", "--skip-selftest", folder=tmp_path)
    assert ended.code == 0, ended.output
    with (tmp_path / "c" / "summary.csv").open(newline="") as file:
        found = [row["value"] for row in csv.DictReader(file) if row["quantity"] == "throughput"]
    for rate in (of_script, float(found[0])):
        assert CAPACITY - ERROR <= rate <= CAPACITY + BUFFER


@pytest.mark.parametrize(
    ("program", "configuration", "driver", "more", "arguments"),
    [
        ("maptperf-tp", "maptperf.conf", "reference", "", ()),
        ("siitperf-tp", "siitperf-nat64.conf", "reference", "", ("500", "500", "5000", "200", "500")),
        pytest.param("siitperf-tp", "siitperf.conf", "tayga", TAYGA, (), marks=[needs_root, needs_tayga]),
    ],
    ids=["map-t", "nat64", "tayga"],
)
def test_a_search_up_to_what_the_script_tries(
    program: str, configuration: str, driver: str, more: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """R8219-7.1: a device that carries all of it, in both directions."""
    configured(tmp_path, program, configuration, driver, more)
    forward = "forward" if program.startswith("mapt") else "Forward"
    said = script("throughput.sh", program, forward, "1", "2000", "600", *arguments, folder=tmp_path)
    assert found_by(said) == 1500


@pytest.mark.parametrize(
    ("program", "configuration"), [("siitperf", "siitperf.conf"), ("maptperf", "maptperf.conf")], ids=["siit", "map-t"]
)
def test_delays(program: str, configuration: str, tmp_path: Path) -> None:
    """In ms, of a device that takes 100 ms forward: more than the Tester is ever held up for long."""
    configured(tmp_path, f"{program}-lat", configuration, "reference", "[device.impair.forward]\ndelay_us = 100000\n")
    lines = dict(line.split(": ") for line in script("delays.sh", program, "1000", folder=tmp_path).splitlines())
    forward, reverse = (float(value) for value in lines["TL"].split(", "))
    assert forward >= 100.0 > 2.0 * reverse
    assert float(lines["WCL"].split(", ")[0]) >= forward
    assert float(lines["PDV"].split(", ")[0]) >= 0


def test_a_table_that_is_too_small(tmp_path: Path) -> None:
    """Phase 1 is told, phase 2 isn't tried."""
    state = 'state = { entries = 300, when_full = "refuse" }\n'
    configured(tmp_path, "siitperf-tp", "siitperf-nat64.conf", "reference", state)
    arguments = ["84", "2000", "1", "500", "2", "2", "500", "500", "5000", "200", "500"]
    ended = subprocess.run(
        (tmp_path / "build" / "siitperf-tp", *arguments), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    lines = ended.stdout.splitlines()
    assert "Preliminary frames sent: 500" in lines
    assert "Preliminary frames received: 300" in lines
    assert lines[-1] == "Error: Failed to fill state table (valid entries: 300, state table size: 500)!"
    assert ended.returncode == 1


def test_phase_1_alone(tmp_path: Path) -> None:
    """R9693-4.5: a configuration with neither direction, as a script has it that searches the establishment rate."""
    configured(tmp_path, "siitperf-tp", "siitperf-nat64.conf", "reference")
    path = tmp_path / "siitperf.conf"
    path.write_text(re.sub(r"(?m)^(Forward|Reverse) 1", r"\1 0", path.read_text()))
    arguments = ["84", "2000", "1", "500", "2", "2", "500", "500", "5000", "200", "500"]
    ended = subprocess.run(
        (tmp_path / "build" / "siitperf-tp", *arguments), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    lines = [line for line in ended.stdout.splitlines() if not line.startswith("Info: ")]
    assert (lines, ended.returncode) == (["Preliminary frames sent: 500", "Preliminary frames received: 500"], 0)


def test_input_errors(tmp_path: Path) -> None:
    for arguments, want in (
        (["84", "0", "1", "500", "2", "2"], "Input Error: siitperf-tp: rate: 0 is not allowed"),
        (["84"], "Input Error: siitperf-tp: arguments: 1 is not allowed: 6: <IPv6 frame size> <rate>"),
    ):
        shutil.rmtree(tmp_path / "build", ignore_errors=True)
        configured(tmp_path, "siitperf-tp", "siitperf.conf", "reference")
        program = tmp_path / "build" / "siitperf-tp"
        ended = subprocess.run((program, *arguments), cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ended.stdout.startswith(want)
        assert ended.returncode == 2
    (tmp_path / "siitperf.conf").unlink()
    ended = subprocess.run((program, "84"), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.stdout == "Input Error: siitperf.conf: can't be read: No such file or directory\n"
