"""Exit codes, and which failure has which."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import typer
from rich.console import Console

from xlatperf.config.errors import BenchError
from xlatperf.engine.errors import EngineDied, EngineError
from xlatperf.run.signals import Interrupted

SIGNAL_BASE = 128
"""Ended by a signal: 128 and its number, as shells have it."""


class Exit(IntEnum):
    """What a command's exit code says."""

    DONE = 0
    MEASUREMENT_FAILED = 1
    USER = 2
    TESTER = 3


def with_exit_code(command: Callable[..., int | None]) -> Callable[..., None]:
    """Makes what a command returns its exit code."""

    @functools.wraps(command)
    def wrapped(*arguments: Any, **named: Any) -> None:
        code = command(*arguments, **named)
        if code:
            raise typer.Exit(int(code))

    return wrapped


class UserError(Exception):
    """A mistake in the arguments that Typer can't see; the message is one line."""


def wide_console() -> Console:
    """Standard output; a pipe or a log has no width, so tables there need not be squeezed into 80 columns."""
    console = Console()
    return console if console.is_terminal else Console(width=140)


def code_of(error: BaseException) -> int:
    """The exit code of a failure. Only then is imported what may have failed."""
    if isinstance(error, Interrupted):
        return SIGNAL_BASE + error.number
    from xlatperf.devices.device import DeviceError
    from xlatperf.meaning.no_answer import NoAnswer
    from xlatperf.run.folder import FolderError
    from xlatperf.run.journal import JournalError
    from xlatperf.run.replay import NotMeasured, OtherBench

    if isinstance(error, NoAnswer | NotMeasured):
        return Exit.MEASUREMENT_FAILED
    if isinstance(error, BenchError | FolderError | JournalError | OtherBench | DeviceError | EngineError | UserError):
        return Exit.USER
    return Exit.TESTER


def tell(error: BaseException, console: Console) -> None:
    """Prints a failure: its lines, never a traceback unless XLATPERF_DEBUG is set."""
    from xlatperf.devices.user_command import CommandFailed

    if isinstance(error, Interrupted):
        lines = [f"ended by {error}"]
    elif isinstance(error, BenchError):
        lines = error.lines
    elif isinstance(error, EngineError):
        lines = [f"the engine refuses this: {error}"]
    elif isinstance(error, EngineDied):
        lines = [f"the Tester failed: {error}"]
    elif isinstance(error, CommandFailed):
        lines = [str(error), *(f"  {line}" for line in error.output if len(error.output) > 1)]
    elif code_of(error) != Exit.TESTER:
        lines = str(error).splitlines()
    else:
        lines = [f"xlatperf failed: {type(error).__name__}: {error} (XLATPERF_DEBUG=1 shows where)"]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if os.environ.get("XLATPERF_DEBUG"):
        console.print_exception()
