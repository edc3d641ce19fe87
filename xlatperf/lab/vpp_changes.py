"""What a run changes in a VPP that isn't its own, and what its own leaves behind: surely taken back.

Each change is on disk before it is made, so that whoever finds the folder of a run that was killed can take it back.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from xlatperf.lab.error import LabError
from xlatperf.lab.vpp_cli import VppCli

RECORD = "vpp-changes"
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - it's where VPP has it (svm)
_EACH_S = 5.0


@dataclass(frozen=True)
class Undo:
    """A command that takes a change back.

    With `listing` it is one for each line of that command's answer that matches the regular expression `line`, whose
    groups come in place of `{0}` and so on: VPP numbers some things itself.
    """

    command: str
    listing: str = ""
    line: str = ""

    def commands(self, cli: VppCli) -> Iterator[str]:
        """Raises LabError."""
        if not self.listing:
            yield self.command
            return
        for line in cli.ask(self.listing, _EACH_S).splitlines():
            if (found := re.match(self.line, line)) is not None:
                yield self.command.format(*found.groups())


class VppChanges:
    """Of one run. `folder` is its runtime folder."""

    def __init__(self, folder: Path, cli: VppCli) -> None:
        self._folder = folder
        self._cli = cli

    def will_be(self, undo: Undo) -> None:
        """Before the change. Raises LabError."""
        try:
            with _record(self._folder).open("a", encoding="utf-8") as record:
                record.write(json.dumps({"socket": str(self._cli.path), **asdict(undo)}) + "\n")
        except OSError as error:
            raise LabError(f"can't note in {self._folder} what VPP is told: {error.strerror}") from error

    def take_back(self) -> list[str]:
        """All of them, the last one first: what VPP says against it. Never raises; may be called twice."""
        return take_back(self._folder)


def take_back(folder: Path) -> list[str]:
    """What the run with this runtime folder has changed. Never raises."""
    said: list[str] = []
    clis: dict[str, VppCli] = {}
    lost: set[str] = set()
    for socket, undo in reversed(_recorded(folder)):
        if socket in lost:
            continue
        cli = clis.setdefault(socket, VppCli(Path(socket)))
        try:
            answers = ((command, cli.ask(command, _EACH_S)) for command in list(undo.commands(cli)))
            said += [f"{command}: {answer.splitlines()[0]}" for command, answer in answers if answer]
        except LabError as error:
            said.append(str(error))
            lost.add(socket)  # each further command would be waited for as well
    for cli in clis.values():
        cli.close()
    with contextlib.suppress(OSError):
        _record(folder).unlink(missing_ok=True)
    return said


def segment_of(folder: Path) -> str:
    """The prefix of shared memory that a VPP has which the run with this runtime folder starts (`api-segment`)."""
    return f"xlatperf-{folder.name}"


def remove_segments(folder: Path) -> None:
    """What such a VPP leaves there when it is killed. Never raises."""
    for path in SHARED_MEMORY.glob(f"{segment_of(folder)}-*"):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _record(folder: Path) -> Path:
    return folder / RECORD


def _recorded(folder: Path) -> list[tuple[str, Undo]]:
    try:
        lines = _record(folder).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [one for line in lines if (one := _parsed(line)) is not None]


def _parsed(line: str) -> tuple[str, Undo] | None:
    """None: the last line of one that was killed while it wrote."""
    try:
        found: dict[str, Any] = json.loads(line)
        return found.pop("socket"), Undo(**found)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
