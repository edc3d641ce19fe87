"""The engine's process: lines in, lines out, its last words kept, and no longer alive than we are."""

from __future__ import annotations

import contextlib
import ctypes
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from time import monotonic

from xlatperf.engine.errors import EngineDied

STDERR_LINES = 20
_STEP_S = 0.5
_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """Linux: the kernel ends the child when the thread that started it ends, also after SIGKILL."""
    with contextlib.suppress(OSError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class EngineProcess:
    """A process that reads and writes one line at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        """Starts `command`. Raises EngineDied if it can't be started."""
        self._command = tuple(command)
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                env={**os.environ, "LC_ALL": "C"},
                # Ctrl-C is for us; we then end the engine in order. Not a session of its own: Linux would share the CPU
                # among sessions first (autogroups, sched(7)), and a busy worker on one CPU leaves its main thread on
                # another so small a share that it has stood still for seconds beside a device that polls.
                process_group=0,
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - one call of prctl, nothing else
            )
        except OSError as error:
            raise EngineDied(f"{self._command[0]}: can't be started: {error.strerror}") from error
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._errors: deque[str] = deque(maxlen=STDERR_LINES)
        self._readers = [
            threading.Thread(target=self._read_answers, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def _read_answers(self) -> None:
        assert self._process.stdout is not None  # noqa: S101
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self._process.stderr is not None  # noqa: S101
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stderr:
                self._errors.append(line.rstrip())

    def write(self, line: str) -> None:
        """Sends one line. Raises EngineDied."""
        assert self._process.stdin is not None  # noqa: S101
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError, OSError) as error:
            raise EngineDied(self.last_words("ended")) from error

    def read(self, limit_s: float) -> str:
        """The next line. Raises EngineDied after `limit_s` or if the process has ended."""
        deadline = monotonic() + limit_s
        while True:
            left_s = deadline - monotonic()
            with contextlib.suppress(queue.Empty):  # in steps: a signal just before a wait is handled after it only
                line = self._lines.get(timeout=max(0.0, min(left_s, _STEP_S)))
                break
            if left_s <= 0:
                raise EngineDied(self.last_words(f"did not answer within {limit_s:g} s"))
        if line is None:
            self._lines.put(None)
            raise EngineDied(self.last_words("ended"))
        return line

    def last_words(self, what: str) -> str:
        """One line: what happened, the exit status and the end of standard error."""
        if what == "ended":
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=1)
            self._readers[1].join(timeout=0.5)
            status = self._process.returncode
            if status is not None and status < 0:
                what = f"was ended by signal {-status}"
            elif status is not None:
                what = f"ended with status {status}"
        tail = " | ".join(line for line in list(self._errors)[-5:] if line)
        return f"the engine {what}" + (f"; it last said: {tail}" if tail else "")

    @property
    def status(self) -> int | None:
        """With which it has ended; None: it runs."""
        return self._process.poll()

    def close(self, patience_s: float = 2.0) -> None:
        """Ends the process: end of file, then SIGTERM, then SIGKILL. May be called twice; never raises."""
        process = self._process
        if process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):
                process.stdin.close()
        for send in (None, signal.SIGTERM, signal.SIGKILL):
            if send is not None and process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(send)
            try:
                process.wait(timeout=patience_s)
                break
            except subprocess.TimeoutExpired:
                continue
        for reader in self._readers:
            reader.join(timeout=0.5)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None and process.poll() is not None:
                with contextlib.suppress(OSError, ValueError):
                    pipe.close()
