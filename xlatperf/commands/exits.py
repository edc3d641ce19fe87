"""How a command ends, and what it says of a failure."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import typer
from rich.console import Console

from xlatperf.commands.screen import lines_to
from xlatperf.failures import Exit, KnownFailure
from xlatperf.run.signals import Interrupted


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


def code_of(error: BaseException) -> int:
    """The exit code of a failure."""
    return error.exit_code if isinstance(error, KnownFailure | Interrupted) else Exit.TESTER


def tell(error: BaseException, console: Console) -> None:
    """Prints a failure: its lines, never a traceback unless XLATPERF_DEBUG is set."""
    if isinstance(error, KnownFailure | Interrupted):
        lines = error.told
    else:
        lines = [f"xlatperf failed: {type(error).__name__}: {error} (XLATPERF_DEBUG=1 shows where)"]
    say = lines_to(console)
    for line in lines:
        say(line)
    if os.environ.get("XLATPERF_DEBUG"):
        console.print_exception()
