"""The consoles of all commands: what is told is printed as it is. Rich would make a picture of `:b:` in an address."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rich.console import Console

from xlatperf.files.visible import visible

_WIDE = 140
"""A pipe or a log has no width, so tables there need not be squeezed into 80 columns."""


def screen(*, stderr: bool = False) -> Console:
    """Standard output or standard error, without emoji, markup and colours of numbers."""
    console = _console(stderr=stderr)
    return console if console.is_terminal else _console(stderr=stderr, width=_WIDE)


class _Screen(Console):
    """What others wrote (a device's commands, a folder's name) doesn't command the terminal."""

    def print(self, *objects: Any, **named: Any) -> None:
        super().print(*(visible(one) if isinstance(one, str) else one for one in objects), **named)


def _console(*, stderr: bool, width: int | None = None) -> Console:
    return _Screen(stderr=stderr, width=width, emoji=False, markup=False, highlight=False)


def lines_to(console: Console) -> Callable[[str], None]:
    """Prints one line, however long."""
    return partial(console.print, soft_wrap=True)
