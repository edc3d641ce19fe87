"""A command of VPP's command line, what VPP may say about it, and what takes it back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from xlatperf.lab.error import LabError
from xlatperf.lab.vpp_changes import Undo

NOTHING = ""


@dataclass(frozen=True)
class Command:
    """`answers` is a regular expression for all that VPP may say: a command that worked mostly says nothing.

    `undo`: None if there is nothing to take back, or another command's takes it back as well.
    """

    text: str
    undo: Undo | None = None
    answers: str = NOTHING


def command(text: str, undo: str | None = None, answers: str = NOTHING) -> Command:
    """One that another command takes back."""
    return Command(text, None if undo is None else Undo(undo), answers)


def give(
    commands: Iterable[Command], ask: Callable[[str], str], will_be: Callable[[Undo], None] = lambda _: None
) -> None:
    """One after the other. `will_be` is told what takes each back before it's given. Raises LabError."""
    for one in commands:
        if one.undo is not None:
            will_be(one.undo)
        answer = ask(one.text)
        if re.fullmatch(one.answers, answer) is None:
            raise LabError(refusal(one.text, answer))


def refusal(text: str, answer: str) -> str:
    """In one line."""
    return f"VPP refuses `{text}`: {' '.join(answer.split()) or 'it says nothing'}"
