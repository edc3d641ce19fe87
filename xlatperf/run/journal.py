"""The journal: one line per trial, on disk before the next trial starts. It is what resuming replays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.files.writing import OWN, kept_beside
from xlatperf.keys.in_words import plural
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.journal_content import Content, JournalError, cannot_use, content_of, lines_of
from xlatperf.run.journal_line import written


class Journal:
    """An open journal. Only one process may have it open (the campaign folder's lock sees to it)."""

    def __init__(self, path: Path, from_line: int | None = None, content: Content | None = None) -> None:
        """Reads what is there; cuts a last line that was torn by a kill. Raises JournalError for other damage.

        `from_line`: this line, counted from 1, and those behind it are put aside, to be measured again. `content`: of
        the lines before it, or of all, if they were read already.
        """
        self.path = path
        self.cut_bytes = 0
        self.put_aside: Path | None = None
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | OWN, 0o644)
        except OSError as error:
            raise cannot_use(path, error) from error
        try:
            if from_line is not None:
                self._put_aside(from_line)
            self.entries, self._sum = self._read(content)
        except BaseException:
            os.close(self._file)
            raise
        _sync_folder(path.parent)

    def _read(self, content: Content | None) -> tuple[list[Trial], str | None]:
        if content is None:
            content = content_of(self.path, lines_of(self.path))
        self.cut_bytes = os.fstat(self._file).st_size - content.good_bytes
        if self.cut_bytes:
            os.ftruncate(self._file, content.good_bytes)
        os.lseek(self._file, 0, os.SEEK_END)
        if not content.ends:
            os.write(self._file, b"\n")
        if self.cut_bytes or not content.ends:
            os.fsync(self._file)
        return content.entries, content.sum

    def _put_aside(self, from_line: int) -> None:
        lines = lines_of(self.path)
        if not 1 <= from_line <= len(lines):
            there = f"1 to {len(lines)}, the lines of {self.path}" if lines else f"nothing, as {self.path} has no lines"
            raise JournalError(not_allowed("--from-line", from_line, there))
        aside = kept_beside(
            self.path.with_name(f"{self.path.name}.from-line-{from_line}"), b"".join(lines[from_line - 1 :])
        )
        os.ftruncate(self._file, sum(map(len, lines[: from_line - 1])))
        os.fsync(self._file)
        self.put_aside = aside

    def need_it_there(self) -> None:
        """Raises JournalError if somebody removed the file, or put another in its place; what was in it is kept."""
        try:
            there = os.path.samestat(os.stat(self.path), os.fstat(self._file))
        except OSError:
            there = False
        if there:
            return
        folder = next(one for one in self.path.parents if one.is_dir())
        content = os.pread(self._file, os.fstat(self._file).st_size, 0)
        saved = kept_beside(folder / f"{self.path.name}.saved", content)
        raise JournalError(
            f"{self.path}: somebody removed it, or put another in its place, while the campaign ran; what it held, "
            f"{plural(len(self.entries), 'trial')}, is in {saved}: put it back, and the campaign goes on from there"
        )

    def append(self, run: str, request: TrialRequest, answer: TrialAnswer, times: Mapping[str, Any]) -> Trial:
        """Writes one trial and waits until it is on disk. `times`: wall clock, for people; nothing reads it back.

        The frames carried the answer's number. Raises JournalError if the file is no longer there.
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
        data, self._sum = written(record, self._sum)
        try:
            while data:
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        except OSError as error:
            raise JournalError(
                f"{self.path}: can't be written: {error.strerror}; all trials before this one are in it, and the "
                "campaign goes on from there"
            ) from error
        self.entries.append(entry)
        self.need_it_there()
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
