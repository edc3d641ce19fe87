from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from tests.lab.test_leftovers import NEVER_A_PROCESS
from xlatperf.lab import processor_time
from xlatperf.lab.daemon import Daemon

STAT = "cpu  1 2 3 4 5 6 700 8 0 0\ncpu0 1 2 3 4 5 6 300 8 0 0\ncpu1 1 2 3 4 5 6 400 8 0 0\nintr 7\n"


def test_softirqs() -> None:
    assert processor_time.parse_softirq_ticks(STAT, (1,)) == 400
    assert processor_time.parse_softirq_ticks(STAT, (0, 1)) == 700
    assert processor_time.of_softirqs(range(os.cpu_count() or 1)) >= 0


def test_processes() -> None:
    seen = processor_time.of_process(os.getpid())
    assert seen is not None
    assert abs(seen - time.process_time()) < 0.5
    assert processor_time.of_process(NEVER_A_PROCESS) is None


def test_a_daemons_time_goes_on_after_a_restart(tmp_path: Path) -> None:
    daemon = Daemon(
        "busy", ("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; read x"), tmp_path
    )
    assert daemon.cpu_s == 0
    daemon.start()
    daemon.wait_until(lambda: "done" in daemon.output(), 5)
    first = daemon.cpu_s
    assert first > 0
    daemon.start()
    daemon.wait_until(lambda: "done" in daemon.output(), 5)
    assert daemon.cpu_s > 1.3 * first
    daemon.stop()
    assert daemon.cpu_s > 1.3 * first


def test_busy_cores_of_another_kernel() -> None:
    """User, nice, system, interrupts and what a hypervisor took; not idle, not waiting for a disk, no guest twice."""
    text = "100\ncpu0 100 20 30 9000 500 4 6 40 77 7\ncpu11 0 0 0 9700 0 0 0 0 0 0\n"
    assert processor_time.parse_busy_s(text) == {"core 0": 2.0, "core 11": 0.0}
    assert processor_time.parse_busy_s("") == {}
    assert processor_time.parse_busy_s("cpu0 1 2 3 4 5 6 7 8 9 10\n") == {}
    assert processor_time.parse_busy_s("100\ncpu0 1 2 x\n") == {}


def test_idle_cores_of_another_kernel() -> None:
    """Idle, or waiting for a disk."""
    text = "100\ncpu0 100 20 30 9000 500 4 6 40 77 7\ncpu11 0 0 0 9700 0 0 0 0 0 0\n"
    assert processor_time.parse_idle_s(text) == {"core 0": 95.0, "core 11": 97.0}
    assert processor_time.parse_idle_s("cpu0 1 2 3 4 5 6 7 8 9 10\n") == {}


def test_idle_cores_of_this_kernel() -> None:
    core = min(os.sched_getaffinity(0))
    (idle,) = processor_time.idle_of_cores((core,)).items()
    assert idle[0] == f"core {core}"
    assert idle[1] > 0
    assert processor_time.idle_of_cores(()) == {}
    assert processor_time.idle_of_cores((100_000,)) == {}


def test_this_kernel_answers_the_same_question() -> None:
    asked = subprocess.run(("sh", "-c", processor_time.ASK_BUSY), capture_output=True, text=True, check=True)
    assert f"core {min(os.sched_getaffinity(0))}" in processor_time.parse_busy_s(asked.stdout)
