"""Without root and without hugepages: the reference device over shared memory (memif)."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.command import COMMAND, REPOSITORY, xlatperf
from tests.system.shortened import shortened
from tests.system.test_selftest import ports_and_memory

NOBODY = "nobody"


def as_nobody(*command: str) -> list[str]:
    return ["runuser", "-u", NOBODY, "--", *command]


def runs(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=30, check=False, cwd="/").returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def command_without_root() -> tuple[str, ...]:
    """How an unprivileged user starts xlatperf here."""
    if os.geteuid() != 0:
        return COMMAND
    packages = f"PYTHONPATH={REPOSITORY}{os.pathsep}{sysconfig.get_path('purelib')}"
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        start = as_nobody("env", packages, python)
        if runs([*start, "-c", "import xlatperf.commands.app, pyroute2, pydantic_core"]):
            return (*start, "-m", "xlatperf")
    pytest.skip(
        f"{NOBODY} can't run any Python of this version with {REPOSITORY}: a folder above it is closed to others"
    )


@pytest.fixture
def home() -> Iterator[Path]:
    """A short path, open to its user only; pytest's own folders are closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="xp-"))
    try:
        if os.geteuid() == 0:
            user = pwd.getpwnam(NOBODY)
            os.chown(folder, user.pw_uid, user.pw_gid)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_run_needs_neither_root_nor_hugepages(home: Path) -> None:
    """Design, §3: no hugepages and no root needed for memif. The self-test, and a campaign with its report."""
    command = command_without_root()
    # Room for what arrives while the device is held up: the capacity isn't the subject here.
    capacity = "{ rate_fps = 20000, buffer = 4000 }"
    bench = shortened("reference-siit", mix="[[5, 10]]", repetitions="1", capacity=capacity, rates_fps="[4000, 8000]")
    bench = bench.replace('driver = "reference"', 'driver = "reference"\nhugepages = "never"', 1)
    bench += '\n[tester]\nhugepages = "never"\n'
    (home / "bench.toml").write_text(bench)
    (home / "bench.toml").chmod(0o644)
    environment = {"HOME": str(home), "TMPDIR": str(home), "XDG_RUNTIME_DIR": "", "XLATPERF_RUNTIME": ""}
    ended = xlatperf(
        *("selftest", "bench.toml", "--json", "--duration", "0.05"),
        folder=home,
        command=command,
        environment=environment,
    )
    assert ended.code == 0, ended.output
    ports_and_memory(json.loads(ended.output[ended.output.index("[\n") :]), "net_memif")
    ended = xlatperf(
        "run", "bench.toml", "-f", "c", "--skip-selftest", folder=home, command=command, environment=environment
    )
    assert ended.code == 0, ended.output
    results = json.loads((home / "c" / "results.json").read_text())
    assert results["complete"] is True
    found = json.loads((home / "c" / "environment.json").read_text())
    assert found["engine"]["hugepages"] is False
    assert found["device"]["reference.hugepages"] == "False"
    assert (home / "c" / "report.html").stat().st_uid == (
        pwd.getpwnam(NOBODY).pw_uid if os.geteuid() == 0 else os.geteuid()
    )
    assert sorted(entry.name for entry in home.iterdir() if entry.name not in (".cache",)) == ["bench.toml", "c"]
