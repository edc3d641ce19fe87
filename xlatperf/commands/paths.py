"""Paths on the command line."""

from __future__ import annotations

from pathlib import Path

from xlatperf.commands.exits import UserError
from xlatperf.keys.not_allowed import not_allowed


def path(text: str) -> Path:
    """Whether it can be used is seen when it is, and said in one line. Raises UserError for an empty one.

    To `pathlib` that is the present folder: what a shell's empty variable named would be written there.
    """
    if not text:
        raise UserError(not_allowed("a path on the command line", '""', "the name of a file or folder"))
    return Path(text)
