"""What a journal holds, read without changing it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from xlatperf.failures import KnownFailure
from xlatperf.files.reading import MEGABYTE, open_regular, why
from xlatperf.procedures.trial import Trial
from xlatperf.run.journal_line import NONE_BEFORE, Damaged, begin_of, read

_MOST_BYTES = 4000 * MEGABYTE
"""A hundred thousand trials have a tenth of that."""


class JournalError(KnownFailure):
    """The journal can't be used; the message is one line for the user."""


@dataclass(frozen=True)
class Content:
    """`entries`: of whole lines. `sum`: the last one's checksum; None: it has none. `good_bytes`: of these lines; what
    is behind them was torn by a kill. `ends`: the last of them has its line end.
    """

    entries: list[Trial]
    sum: str | None
    good_bytes: int
    ends: bool


def lines_of(path: Path) -> list[bytes]:
    """With their ends. Raises JournalError."""
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > _MOST_BYTES:
                raise JournalError(
                    f"{path}: it has {size / MEGABYTE:,.0f} MB, and no journal has more than "
                    f"{_MOST_BYTES / MEGABYTE:,.0f}: put the campaign's own in its place"
                )
            return file.read().splitlines(keepends=True)
    except OSError as error:
        raise cannot_use(path, error) from error


def cannot_use(path: Path, error: OSError) -> JournalError:
    """Something else than a file is there, or nobody may read it."""
    return JournalError(f"{path}: can't be used: {why(error)}; put the campaign's journal in its place")


def content_of(path: Path, lines: list[bytes]) -> Content:
    """Of a journal's first lines. `path` is said. Raises JournalError for a line that can't be believed."""
    entries: list[Trial] = []
    sum_before: str | None = NONE_BEFORE
    good = 0
    for index, line in enumerate(lines):
        if index == len(lines) - 1 and _torn(line, index):
            break
        try:
            known = read(line.removesuffix(b"\n").removesuffix(b"\r") + b"\n", index, sum_before)
        except Damaged as error:
            raise JournalError(f"{path}: line {index + 1} {error}; {_kept(index)}") from error
        entries.append(known.entry)
        sum_before = known.sum
        good += len(line)
    return Content(entries, sum_before, good, not entries or lines[len(entries) - 1].endswith(b"\n"))


def _torn(line: bytes, number: int) -> bool:
    """Whether the writer of trial `number` was killed: half of it isn't there, or blocks of it never came to the disk.

    Anything else at the journal's end is somebody else's, and isn't cut.
    """
    begin = begin_of(number)
    if not begin.startswith(line[: len(begin)].rstrip(b"\0")):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


def _kept(lines: int) -> str:
    if not lines:
        return "no line before it can be kept"
    before = "the line before it is" if lines == 1 else f"the {lines} lines before it are"
    return f"{before} kept, and the rest is measured again, with --from-line {lines + 1}"
