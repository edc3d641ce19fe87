"""The journal: one line per trial, on disk before the next trial starts. It is what resuming replays."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class JournalError(Exception):
    """The journal can't be used; the message is one line for the user."""


@dataclass(frozen=True)
class Entry:
    """One trial: `number` is its place in the journal, `frame_tag` the trial number that its frames carried."""

    number: int
    run: str
    request: dict[str, Any]
    frame_tag: int
    answer: dict[str, Any]


def _entry(text: bytes, number: int) -> Entry | None:
    """The entry of one line; None if it is not one."""
    try:
        record = json.loads(text)
        entry = Entry(record["number"], record["run"], record["request"], record["frame_tag"], record["answer"])
    except (ValueError, KeyError, TypeError):
        return None
    return entry if entry.number == number else None


class Journal:
    """An open journal. Only one process may have it open (the campaign folder's lock sees to it)."""

    def __init__(self, path: Path) -> None:
        """Reads what is there; cuts a last line that was torn by a kill. Raises JournalError for other damage."""
        self.path = path
        self.cut_bytes = 0
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            self.entries = self._read()
        except BaseException:
            os.close(self._file)
            raise
        _sync_folder(path.parent)

    def _read(self) -> list[Entry]:
        content = self.path.read_bytes()
        entries: list[Entry] = []
        good = 0
        lines = content.splitlines(keepends=True)
        for index, line in enumerate(lines):
            entry = _entry(line, index) if line.endswith(b"\n") else None
            if entry is None:
                if index < len(lines) - 1:
                    raise JournalError(
                        f"{self.path}: line {index + 1} is damaged: not a trial; this folder can't be resumed"
                    )
                break
            entries.append(entry)
            good += len(line)
        self.cut_bytes = len(content) - good
        if self.cut_bytes:
            os.ftruncate(self._file, good)
            os.fsync(self._file)
        os.lseek(self._file, 0, os.SEEK_END)
        return entries

    def append(
        self, run: str, request: Mapping[str, Any], frame_tag: int, answer: Mapping[str, Any], times: Mapping[str, Any]
    ) -> Entry:
        """Writes one trial and waits until it is on disk. `times`: wall clock, for people; nothing reads it back."""
        entry = Entry(len(self.entries), run, dict(request), frame_tag, dict(answer))
        record = {
            "number": entry.number,
            "run": run,
            "request": entry.request,
            "frame_tag": frame_tag,
            **times,
            "answer": entry.answer,
        }
        data = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)
        self.entries.append(entry)
        return entry

    def close(self) -> None:
        """Closes the file; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _sync_folder(folder: Path) -> None:
    """A new file is there after a power cut only if its folder was synced too."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
