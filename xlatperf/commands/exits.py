"""How a command ends, and what it says of a failure."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TextIO

import typer
from rich.console import Console

from xlatperf.commands.screen import lines_to
from xlatperf.engine.errors import EngineDied
from xlatperf.failures import Exit, KnownFailure
from xlatperf.files.reading import MEGABYTE
from xlatperf.run.signals import SIGNAL_BASE, Interrupted

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Without a path they are about standard output: files are written by functions that say which it was."""


def with_exit_code(command: Callable[..., int | None]) -> Callable[..., None]:
    """Makes what a command returns its exit code."""

    @functools.wraps(command)
    def wrapped(*arguments: Any, **named: Any) -> None:
        code = command(*arguments, **named)
        if code:
            raise typer.Exit(int(code))

    return wrapped


class UserError(KnownFailure):
    """A mistake in the arguments that Typer can't see; the message is one line."""


def ended(error: BaseException, console: Console) -> int:
    """Tells a failure, and returns the exit code of the command that it ended."""
    told = _behind(error)
    if isinstance(told, BrokenPipeError):
        _write_no_more(sys.stdout)
        return SIGNAL_BASE + signal.SIGPIPE  # as of `cat` whose reader has gone
    with contextlib.suppress(OSError):  # of a terminal that was closed
        _tell(told, console)
    if isinstance(told, KnownFailure | Interrupted):
        return told.exit_code
    if isinstance(told, OSError) and told.filename is not None:
        return Exit.USER
    if isinstance(told, OSError) and told.errno in _FULL:
        _write_no_more(sys.stdout)
        return Exit.USER
    return Exit.TESTER


def _behind(error: BaseException) -> BaseException:
    """What it was that ended us, if that could not be told: a terminal that was closed takes no words."""
    if not isinstance(error, OSError) or error.filename is not None:
        return error
    inner: BaseException | None = error
    while inner is not None and not isinstance(inner, KnownFailure | Interrupted):
        inner = inner.__context__
    if inner is not None:
        return inner
    return Interrupted(signal.SIGHUP) if error.errno == errno.EIO else error


def _tell(error: BaseException, console: Console) -> None:
    """Its lines, never a traceback unless XLATPERF_DEBUG is set."""
    if isinstance(error, KnownFailure | Interrupted):
        lines = error.told
    elif isinstance(error, OSError) and error.filename is not None:
        lines = [f"{error.filename}: {error.strerror}"]
    elif isinstance(error, OSError) and error.errno in _FULL:
        lines = [f"standard output: {error.strerror}"]
    elif isinstance(error, MemoryError):
        lines = ["xlatperf failed: there is no memory left"]
    else:
        lines = [f"xlatperf failed: {type(error).__name__}: {error} (XLATPERF_DEBUG=1 shows where)"]
    lines = [*lines, *(f"{little}: is that enough?" for little in (_memory_limit(error), *_limits(lines)) if little)]
    say = lines_to(console)
    for line in lines:
        say(line)
    if os.environ.get("XLATPERF_DEBUG"):
        console.print_exception()


def _memory_limit(error: BaseException) -> str | None:
    """In words, where there is one that may be why: the engine's memory, a library that can't be loaded."""
    most_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
    of_memory = "memory" in str(error).lower() or isinstance(error, EngineDied)
    if most_bytes == resource.RLIM_INFINITY or (isinstance(error, KnownFailure | Interrupted) and not of_memory):
        return None
    return f"`ulimit -v` allows {most_bytes / MEGABYTE:,.0f} MB of addresses to each of its processes"


_OF_FILES = ("-f", resource.RLIMIT_FSIZE, "files of {:,} bytes")
_OF_TIME = ("-t", resource.RLIMIT_CPU, "{:,} s of processor time")
_LIMITS = {
    os.strerror(errno.EMFILE): ("-n", resource.RLIMIT_NOFILE, "{:,} open files"),
    os.strerror(errno.EFBIG): _OF_FILES,
    f"ended by signal {signal.SIGXFSZ:d}": _OF_FILES,
    f"ended by signal {signal.SIGXCPU:d}": _OF_TIME,
}
"""What is said where the shell's `ulimit` may be why, its option, and what it allows."""


def _limits(lines: Sequence[str]) -> Iterator[str]:
    for said, (option, limit, allows) in _LIMITS.items():
        most, _ = resource.getrlimit(limit)
        if most != resource.RLIM_INFINITY and any(said in line for line in lines):
            yield f"`ulimit {option}` allows each process {allows.format(most)}"


def _write_no_more(stream: TextIO) -> None:
    """What is still to be written would fail again when the interpreter ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
