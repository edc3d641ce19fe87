from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.process_identity import identify


def ended(pid: int, timeout_s: float = 5) -> bool:
    deadline = time.monotonic() + timeout_s
    while identify(pid) is not None:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_output_goes_to_the_log(tmp_path: Path) -> None:
    daemon = Daemon("echo", ("sh", "-c", "echo ready; exec sleep 60"), tmp_path)
    daemon.start()
    daemon.wait_until(lambda: "ready" in daemon.output(), 5)
    assert daemon.running
    pid = daemon.pid
    assert pid is not None
    daemon.stop()
    assert ended(pid)
    assert not daemon.running
    assert sorted(file.name for file in tmp_path.iterdir()) == ["echo.log"]


def test_start_again_is_another_process(tmp_path: Path) -> None:
    daemon = Daemon("sleep", ("sleep", "60"), tmp_path)
    daemon.start()
    first = daemon.pid
    daemon.start()
    assert first is not None
    assert ended(first)
    assert daemon.pid != first
    daemon.stop()


def test_one_that_ignores_terminate_is_killed(tmp_path: Path) -> None:
    daemon = Daemon("stubborn", ("sh", "-c", "trap '' TERM; echo ready; while true; do sleep 1; done"), tmp_path)
    daemon.start()
    daemon.wait_until(lambda: "ready" in daemon.output(), 5)
    pid = daemon.pid
    assert pid is not None
    daemon.stop()
    assert ended(pid)


def test_ended_at_once_tells_why(tmp_path: Path) -> None:
    daemon = Daemon("bad", ("sh", "-c", "echo no such prefix >&2; exit 3"), tmp_path)
    daemon.start()
    with pytest.raises(LabError, match="bad ended with exit code 3: no such prefix, before it was ready"):
        daemon.wait_until(lambda: False, 5)
    daemon.stop()


def test_how_it_ended(tmp_path: Path) -> None:
    daemon = Daemon("translator", ("sh", "-c", "echo working; exec sleep 60"), tmp_path)
    assert daemon.how_ended() is None
    daemon.start()
    assert daemon.how_ended() is None
    assert daemon.pid is not None
    os.kill(daemon.pid, signal.SIGKILL)
    assert ended(daemon.pid)
    assert daemon.how_ended() == "was ended by signal 9 (Killed)"
    daemon.stop()
    assert daemon.how_ended() is None, "we ended it"
    refused = Daemon("refusing", ("sh", "-c", "echo why; exit 2"), tmp_path)
    refused.start()
    assert refused.pid is not None
    assert ended(refused.pid)
    assert refused.how_ended() == "ended with exit code 2: why"
    assert refused.how_ended("in other words") == "ended with exit code 2: in other words"
    refused.stop()


def test_never_ready(tmp_path: Path) -> None:
    daemon = Daemon("slow", ("sleep", "60"), tmp_path)
    daemon.start()
    with pytest.raises(LabError, match=r"wasn't ready within 0.1 s"):
        daemon.wait_until(lambda: False, 0.1)
    daemon.stop()


def test_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time, pathlib; from xlatperf.lab.daemon import Daemon\n"
        f"d = Daemon('sleep', ('sh', '-c', 'echo up; exec sleep 300'), pathlib.Path({str(tmp_path)!r})); d.start()\n"
        "d.wait_until(lambda: 'up' in d.output(), 5); print(d.pid, flush=True); time.sleep(300)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert identify(pid) is not None
        os.kill(parent.pid, signal.SIGKILL)
    assert ended(pid)


def test_runs_on_its_cores(tmp_path: Path) -> None:
    core = min(os.sched_getaffinity(0))
    daemon = Daemon("sleep", ("sleep", "60"), tmp_path, cores=(core,))
    daemon.start()
    assert daemon.pid is not None
    assert os.sched_getaffinity(daemon.pid) == {core}
    daemon.stop()
