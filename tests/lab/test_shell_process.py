"""A process on a device that is reached by a shell: here by bash of this host."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from xlatperf.lab.error import LabError
from xlatperf.lab.process import Process
from xlatperf.lab.shell_process import ShellProcess
from xlatperf.lab.shell_transport import ShellTransport
from xlatperf.lab.transport import COMMAND_S

WAIT_S = 10.0
_made: list[ShellProcess] = []


class Here(ShellTransport):
    name = "here"
    where = "here"
    whose_kernel = "this host's kernel"

    def script(self, lines: str, timeout_s: float = COMMAND_S) -> str:
        done = subprocess.run(("bash", "-c", lines), capture_output=True, text=True, timeout=timeout_s, check=False)
        if done.returncode != 0:
            raise LabError(done.stderr.strip())
        return done.stdout

    def why_gone(self) -> str:
        return ""


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., ShellProcess]]:
    def one(*command: str, cores: Sequence[int] = ()) -> ShellProcess:
        _made.append(ShellProcess(Here(), "a b", command, str(tmp_path), cores))
        return _made[-1]

    yield one
    while _made:
        _made.pop().stop()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_from_start_to_stop(make: Callable[..., ShellProcess]) -> None:
    process: Process = make("bash", "-c", "echo 'on it'; exec sleep 100")
    assert (process.pid, process.how_ended(), process.stopped, process.cpu_s) == (None, None, False, 0.0)
    process.start()
    pid = process.pid
    assert pid is not None
    process.wait_until(lambda: process.output() == "on it\n", WAIT_S)
    assert process.how_ended() is None
    os.kill(pid, signal.SIGSTOP)
    until(lambda: process.stopped)
    process.stop()
    until(lambda: not Path(f"/proc/{pid}").exists())
    process.stop()
    process.start()
    assert process.pid != pid


@pytest.mark.parametrize(
    ("command", "how"),
    [
        ("echo first; echo 'so it is'; exit 3", "ended with exit code 3: so it is"),
        ("exit 0", "ended with exit code 0: it wrote nothing"),
        ("kill -KILL $$", "was ended by signal 9 (Killed)"),
    ],
)
def test_one_that_ends_by_itself(make: Callable[..., ShellProcess], command: str, how: str) -> None:
    process = make("bash", "-c", command)
    process.start()
    until(lambda: process.how_ended() is not None)
    assert process.how_ended() == how
    assert not process.stopped
    with pytest.raises(LabError, match=r"^a b (ended|was ended) .*, before it was ready$"):
        process.wait_until(lambda: False, WAIT_S)


def test_one_that_is_never_ready(make: Callable[..., ShellProcess]) -> None:
    process = make("bash", "-c", "echo still here; exec sleep 100")
    process.start()
    until(lambda: process.output() != "")
    with pytest.raises(LabError, match=r"^a b wasn't ready within 0\.1 s: still here$"):
        process.wait_until(lambda: False, 0.1)


def test_one_that_does_not_end_when_asked(make: Callable[..., ShellProcess]) -> None:
    process = make("bash", "-c", "trap '' TERM; echo on; while :; do sleep 0.1; done")
    process.start()
    pid = process.pid
    until(lambda: process.output() == "on\n")
    process.stop()
    until(lambda: not Path(f"/proc/{pid}").exists())


def test_its_processor_time_and_its_cores(make: Callable[..., ShellProcess]) -> None:
    core = max(os.sched_getaffinity(0))
    process = make("bash", "-c", "while :; do :; done", cores=[core])
    process.start()
    assert process.pid is not None
    until(lambda: process.cpu_s > 0.05)
    assert os.sched_getaffinity(process.pid) == {core}
    used = process.cpu_s
    process.start()
    assert process.cpu_s >= used, "of those before it too"
    process.pin([min(os.sched_getaffinity(0))])
    assert os.sched_getaffinity(process.pid) == {min(os.sched_getaffinity(0))}


def test_a_program_that_is_not_there(make: Callable[..., ShellProcess]) -> None:
    process = make("no-such-program")
    process.start()
    until(lambda: process.how_ended() is not None)
    assert str(process.how_ended()).startswith("ended with exit code 127: ")
