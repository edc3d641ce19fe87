"""A run whose device is in a virtual machine, ended by SIGKILL at any moment: nothing of it stays."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.lab.machine.requirements import needs_machine
from tests.long import by_length, more
from tests.system.command import REPOSITORY, started, traces
from tests.system.requirements import needs_root

pytestmark = [needs_root, needs_machine]

WAIT_S = 30.0
MOMENTS = random.Random(65)
"""Seconds from the start: of preparing, of booting, of measuring."""


def machines(of: int) -> list[str]:
    """Processes of QEMU that run for this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_text(encoding="utf-8", errors="replace").split("\0")
        except OSError:
            continue
        if "qemu" in words[0] and any(f"/{of}-" in word for word in words):
            found.append(path.parent.name)
    return found


@more
@pytest.mark.parametrize("after_s", [round(MOMENTS.uniform(0.5, 8.0), 2) for _ in range(by_length(1, 10))])
def test_killed(after_s: float, tmp_path: Path) -> None:
    arguments = ("run", REPOSITORY / "examples" / "jool-siit.toml", "--folder", "c", "--skip-selftest")
    with started(*arguments, folder=tmp_path) as process:
        time.sleep(after_s)
        process.kill()
        process.wait(WAIT_S)
    until = time.monotonic() + WAIT_S
    while left := machines(process.pid) + traces(process.pid):
        assert time.monotonic() < until, f"left behind: {left}"
        time.sleep(0.05)
