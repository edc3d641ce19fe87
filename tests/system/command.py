"""Runs `xlatperf` as a user does: a process of its own, whose time is bounded and which leaves nothing behind."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.system.prepared import Prepared
from xlatperf.lab.namespace import NETNS_FOLDER, Namespace
from xlatperf.lab.runtime_folder import base

REPOSITORY = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "xlatperf")


@dataclass(frozen=True)
class Ended:
    """How a command ended. `output` is standard output and standard error together."""

    code: int
    output: str


@contextlib.contextmanager
def started(
    *arguments: str | Path,
    folder: Path,
    command: Sequence[str] = COMMAND,
    environment: Mapping[str, str] | None = None,
) -> Iterator[subprocess.Popen[str]]:
    """A running `xlatperf`, in a process group of its own. What is left of it at the end is ended by force."""
    with subprocess.Popen(
        [*command, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        process_group=0,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(10)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def cut(*arguments: str | Path, folder: Path, at: str, deed: Callable[[int], None]) -> Ended:
    """To which something is done, with the number of its process, when it says a line that begins so."""
    with started(*arguments, folder=folder) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if line.startswith(at):
                deed(process.pid)
        return Ended(process.wait(60), "".join(said))


def xlatperf(
    *arguments: str | Path,
    folder: Path,
    timeout_s: float = 90,
    command: Sequence[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Runs a command to its end. A test fails if that takes too long, or if a trace of it is left.

    `command`: how it is started; None: as a copy of a process that has imported it already.
    """
    words = [str(argument) for argument in arguments]
    run = _prepared if command is None else functools.partial(_new, command)
    pid, ended = run(words, folder, timeout_s, environment or {})
    if ended is None:
        pytest.fail(f"xlatperf {' '.join(words)} did not end within {timeout_s:g} s")
    left = traces(pid)
    assert left == [], f"left behind: {left}\n{ended.output}"
    return ended


def _prepared(
    arguments: Sequence[str], folder: Path, timeout_s: float, environment: Mapping[str, str]
) -> tuple[int, Ended | None]:
    process = Prepared(arguments, folder, {**os.environ, **environment})
    try:
        output = process.communicate(timeout_s)
    finally:
        process.end()
    return process.pid, None if output is None else Ended(process.returncode, output)


def _new(
    command: Sequence[str], arguments: Sequence[str], folder: Path, timeout_s: float, environment: Mapping[str, str]
) -> tuple[int, Ended | None]:
    with started(*arguments, folder=folder, command=command, environment=environment) as process:
        try:
            output, _ = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=10)
            return process.pid, None
    return process.pid, Ended(process.returncode, output)


def traces(pid: int) -> list[str]:
    """Namespaces and folders of a run, by the number of its process, and processes in these namespaces."""
    names = _names(NETNS_FOLDER, f"xlatperf-{pid}-")
    inside = [f"process {number} in {name}" for name in names for number in Namespace(name).processes()]
    return names + inside + _names(base(), f"{pid}-")


def _names(folder: Path, prefix: str) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir() if entry.name.startswith(prefix)) if folder.is_dir() else []
