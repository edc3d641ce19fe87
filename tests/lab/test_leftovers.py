from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.lab.root import needs_root
from tests.lab.test_daemon import ended
from xlatperf.lab import leftovers
from xlatperf.lab.namespace import NETNS_FOLDER, Namespace
from xlatperf.lab.process_identity import identify
from xlatperf.lab.runtime_folder import RuntimeFolder, base

NEVER_A_PROCESS = 4194304  # one more than the largest number that Linux gives (PID_MAX_LIMIT)


def test_only_those_of_ended_owners() -> None:
    alive = os.getpid()
    names = [f"xlatperf-{alive}-dut", f"xlatperf-{NEVER_A_PROCESS}-dut", "somebody-elses", "xlatperf-x-dut"]
    assert leftovers.abandoned(names, frozenset(), frozenset()) == [f"xlatperf-{NEVER_A_PROCESS}-dut"]


def test_a_number_that_is_used_again() -> None:
    reused = os.getpid()
    assert leftovers.abandoned([f"xlatperf-{reused}-dut"], frozenset(), frozenset({reused})) == [
        f"xlatperf-{reused}-dut"
    ]
    assert leftovers.abandoned([f"xlatperf-{reused}-dut"], frozenset({reused}), frozenset({reused})) == []


def test_folders_and_daemons_of_the_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path))
    mine = RuntimeFolder()
    dead = tmp_path / f"{NEVER_A_PROCESS}-0"
    dead.mkdir()
    (tmp_path / "not-ours").mkdir()
    with subprocess.Popen(["sleep", "60"]) as orphan:
        identity = identify(orphan.pid)
        assert identity is not None
        (dead / "tayga.process").write_text(identity.text())
        (dead / "half.process").write_text("12")
        leftovers.clean()
        assert orphan.wait(5) == -signal.SIGKILL
    assert not dead.exists()
    assert mine.path.exists()
    assert (tmp_path / "not-ours").exists()


KILLED_RUN = """
import sys, time
from xlatperf.lab.testbed import Testbed
bed = Testbed()
bed.make()
daemon = bed.daemon("sleep", ("sh", "-c", "echo up; exec sleep 300"))
daemon.start()
daemon.wait_until(lambda: "up" in daemon.output(), 5)
import subprocess
stray = subprocess.Popen([*bed.tester.prefix, "sh", "-c", "echo up; exec sleep 300"], stdout=subprocess.PIPE)
stray.stdout.readline()
print(daemon.pid, stray.pid, bed.folder, flush=True)
time.sleep(300)
"""


@needs_root
def test_after_sigkill() -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED_RUN], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        daemon, stray, folder = run.stdout.readline().split()
        names = [f"xlatperf-{run.pid}-tester", f"xlatperf-{run.pid}-dut"]
        assert all(Namespace(name).exists for name in names)
        os.kill(run.pid, signal.SIGKILL)
    assert ended(int(daemon))  # with its parent, the rest by its watcher
    assert ended(int(stray))
    until = time.monotonic() + 20
    while Path(folder).exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    assert not any((NETNS_FOLDER / name).exists() for name in names)
    assert base() == Path(folder).parent
