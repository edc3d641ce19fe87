"""The journal: one line per trial, on disk before the next trial starts. It is what resuming replays."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.failures import KnownFailure
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest, request_of


class JournalError(KnownFailure):
    """The journal can't be used; the message is one line for the user."""


def _entry(line: str, number: int) -> Trial:
    """The trial of one line. Raises ValueError if it is not one, or asks for what this version doesn't know."""
    try:
        record = json.loads(line)
        request = request_of(record["request"])
        entry = Trial.of(record["number"], record["run"], request, TrialAnswer.model_validate(record["answer"]))
    except (KeyError, TypeError) as error:
        raise ValueError(str(error)) from error
    if entry.number != number or json.loads(request.fingerprint()) != record["request"]:
        raise ValueError(line)
    return entry


def _torn(line: bytes) -> bool:
    """Whether its writer was killed: it has no end, or blocks of it never came to the disk."""
    try:
        json.loads(line)
    except ValueError:
        return True
    return not line.endswith(b"\n")


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

    def _read(self) -> list[Trial]:
        content = self.path.read_bytes()
        entries: list[Trial] = []
        good = 0
        lines = content.splitlines(keepends=True)
        for index, line in enumerate(lines):
            if index == len(lines) - 1 and _torn(line):
                break
            try:
                entries.append(_entry(line.decode(), index))
            except ValueError as error:
                raise JournalError(
                    f"{self.path}: line {index + 1} is damaged, or of another version: not a trial; this folder can't "
                    "be resumed"
                ) from error
            good += len(line)
        self.cut_bytes = len(content) - good
        if self.cut_bytes:
            os.ftruncate(self._file, good)
            os.fsync(self._file)
        os.lseek(self._file, 0, os.SEEK_END)
        return entries

    def append(self, run: str, request: TrialRequest, answer: TrialAnswer, times: Mapping[str, Any]) -> Trial:
        """Writes one trial and waits until it is on disk. `times`: wall clock, for people; nothing reads it back.

        The frames carried the answer's number.
        """
        entry = Trial.of(len(self.entries), run, request, answer)
        record = {
            "number": entry.number,
            "run": run,
            "request": request.record(),
            "frame_tag": answer.frame_tag,
            **times,
            "answer": answer.dump(),
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
