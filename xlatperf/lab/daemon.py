"""A process that serves a run (a translator, the reference device) and surely ends with it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from xlatperf.lab import processor_time
from xlatperf.lab.error import LabError
from xlatperf.lab.process import last_of
from xlatperf.lab.process_identity import identify, is_stopped

RECORD_SUFFIX = ".process"
_TERMINATE_S = 2.0
_KILL_S = 5.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.0005, 0.01


class Daemon:
    """Runs a command with its output in a log.

    It ends in `stop`; when the thread that started it ends, however it ends (PR_SET_PDEATHSIG of prctl(2), which is
    about the parent's *thread*: start daemons from a thread that lives as long as they shall); and, should both fail,
    at the start of the next run, which finds the record beside the log.
    """

    def __init__(
        self, name: str, command: Sequence[str], folder: Path, prefix: Sequence[str] = (), cores: Sequence[int] = ()
    ):
        self.name = name
        self.command = tuple(command)
        self.log = folder / f"{name}.log"
        self._record = folder / f"{name}{RECORD_SUFFIX}"
        # util-linux; every part execs the next, so one process results
        self._full = ("setpriv", "--pdeathsig", "KILL", "--", *prefix, *command)
        self._cores = tuple(cores)
        self._process: subprocess.Popen[bytes] | None = None
        self._used_s = 0.0  # by the processes that have ended
        self._seen_s = 0.0  # by the one that runs

    def start(self) -> None:
        """Starts the command. Raises LabError if it can't be started at all."""
        self.stop()
        try:
            with self.log.open("wb") as output:
                # A group of its own: Ctrl-C goes to xlatperf alone, which then stops its daemons in order.
                self._process = subprocess.Popen(
                    self._full, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, process_group=0
                )
            identity = identify(self._process.pid)
            if identity is not None:
                self._record.write_text(identity.text(), encoding="ascii")
            if self._cores:
                os.sched_setaffinity(self._process.pid, self._cores)
        except OSError as error:
            self.stop()
            raise LabError(f"can't start {self.command[0]}: {error.strerror}") from error

    def wait_until(self, ready: Callable[[], bool], timeout_s: float) -> None:
        """Waits until `ready()`. Raises LabError if the process ends before, or at the end of the time."""
        deadline = time.monotonic() + timeout_s
        pause_s = _FIRST_PAUSE_S
        while not ready():
            if not self.running:
                raise LabError(f"{self.name} {self.how_ended() or 'was not started'}, before it was ready")
            if time.monotonic() > deadline:
                raise LabError(f"{self.name} wasn't ready within {timeout_s:g} s: {self.last_line()}")
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    @property
    def running(self) -> bool:
        """True from `start` until the process ends."""
        return self._process is not None and self._process.poll() is None

    def how_ended(self, because: str | None = None) -> str | None:
        """How it ended by itself: "was ended by signal 9 (SIGKILL)"; None while it runs, or if it was never started.

        `because`: in place of the last line that it wrote.
        """
        status = None if self._process is None else self._process.poll()
        if status is None:
            return None
        if status < 0:
            return f"was ended by signal {-status} ({signal.strsignal(-status)})"
        return f"ended with exit code {status}: {because or self.last_line()}"

    @property
    def stopped(self) -> bool:
        """It runs, but does nothing, as somebody has stopped it (SIGSTOP, a debugger)."""
        return self._process is not None and self.running and is_stopped(self._process.pid)

    @property
    def pid(self) -> int | None:
        """The process's number; None if it isn't started."""
        return self._process.pid if self._process is not None else None

    @property
    def cpu_s(self) -> float:
        """Processor time in s of this process and of those before it, with what the kernel did on their behalf."""
        used = None if self._process is None else processor_time.of_process(self._process.pid)
        if used is not None:
            self._seen_s = used
        return self._used_s + self._seen_s

    def pin(self, cores: Sequence[int]) -> None:
        """It and its successors run on these cores. Raises LabError."""
        self._cores = tuple(cores)
        if self._process is not None:
            try:
                os.sched_setaffinity(self._process.pid, self._cores)
            except OSError as error:
                raise LabError(f"can't run {self.name} on cores {cores}: {error.strerror}") from error

    def write(self, line: str) -> None:
        """A line to the process's standard input. Raises LabError if it doesn't read any more."""
        try:
            if self._process is None or self._process.stdin is None:
                raise BrokenPipeError
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise LabError(f"{self.name} doesn't read any more: {self.last_line()}") from error

    def output(self) -> str:
        """What the process wrote so far."""
        try:
            return self.log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def last_line(self) -> str:
        """The last thing it wrote: mostly the reason why it ended."""
        return last_of(self.output())

    def stop(self) -> None:
        """Ends the process, by force if need be. May be called twice."""
        self._used_s, self._seen_s = self.cpu_s, 0.0
        process, self._process = self._process, None
        if process is not None:
            _end(process)
            if process.stdin is not None:
                with contextlib.suppress(OSError):
                    process.stdin.close()
        self._record.unlink(missing_ok=True)


def _end(process: subprocess.Popen[bytes]) -> None:
    for end, patience_s in ((process.terminate, _TERMINATE_S), (process.kill, _KILL_S)):
        end()
        try:
            process.wait(patience_s)
            return
        except subprocess.TimeoutExpired:
            continue
