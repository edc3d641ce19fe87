"""Processes that have imported xlatperf already: hundreds of commands needn't each wait for that.

Each is forked from one process that does nothing but import, so it begins as a new one would.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from xlatperf.commands.app import COMMANDS, main

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(
    ["__main__", *(f"xlatperf.commands.{name}" for name in COMMANDS.values()), "xlatperf.report.html"]
)


class Prepared:
    """A running `xlatperf`, in a session of its own; its standard output and error are one pipe."""

    def __init__(self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self.arguments = tuple(arguments)
        self._output, inside = _context.Pipe(duplex=False)
        self._process = _context.Process(target=_run, args=(arguments, str(folder), dict(environment), inside))
        self._process.start()
        inside.close()
        self.pid = self._process.pid or 0

    def communicate(self, timeout_s: float) -> str | None:
        """All that it says until it has ended; None if it hasn't within that time."""
        said: list[bytes] = []
        reader = threading.Thread(target=self._read, args=(said,), daemon=True)
        reader.start()
        self._process.join(timeout_s)
        if self._process.exitcode is None:
            return None
        reader.join(timeout_s)
        return b"".join(said).decode(errors="replace")

    def _read(self, said: list[bytes]) -> None:
        with self._output:
            while part := os.read(self._output.fileno(), 65536):
                said.append(part)

    @property
    def returncode(self) -> int:
        """As a shell has it, of one that has ended."""
        assert self._process.exitcode is not None
        return self._process.exitcode

    def end(self, patience_s: float = 10) -> None:
        """If it runs still, asks it to end; then ends it by force, and all that is left in its process group."""
        if self._process.exitcode is None:
            self._process.terminate()
            self._process.join(patience_s)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.join(patience_s)


def _run(arguments: Sequence[str], folder: str, environment: Mapping[str, str], output: Connection) -> None:
    os.setpgid(0, 0)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    with open(os.devnull, encoding="ascii") as nothing:
        os.dup2(nothing.fileno(), 0)
    for number in (1, 2):
        os.dup2(output.fileno(), number)
    output.close()
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False, buffering=1)
    sys.argv = ["xlatperf", *arguments]
    main()
