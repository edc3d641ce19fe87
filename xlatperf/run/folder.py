"""The campaign's folder: frozen bench, environment, self-test, journal, results, report; one process at a time."""

from __future__ import annotations

import fcntl
import filecmp
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any

from xlatperf.config.bench import Bench
from xlatperf.config.errors import BenchError
from xlatperf.config.load import located, parse_bench
from xlatperf.failures import KnownFailure
from xlatperf.files.reading import BENCH_BYTES, parse_json, read_bytes, read_text, why
from xlatperf.files.writing import OWN, kept_beside, remove_unfinished, write_whole

FROZEN_TABLE = "softwires.csv"
"""The binding table, where the bench file names one."""


class FolderError(KnownFailure):
    """The folder can't be used (the user's error); the message is one line."""


class CampaignFolder:
    """A campaign's folder, locked while it is open. A context manager."""

    def __init__(self, path: Path, bench: Bench | None = None, bench_text: str | None = None) -> None:
        """Makes the folder with a frozen copy of the bench, or opens it and checks that it holds the same bench.

        Without a bench, the folder's own is used. Raises FolderError.
        """
        self.path = path
        if bench is None and not (path / "bench.toml").is_file():
            raise FolderError(f"{path}: not a campaign's folder: bench.toml is missing")
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(path / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | OWN, 0o644)
        except OSError as error:
            raise FolderError(f"{path}: can't be used as a folder: {error.strerror}") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._lock)
            raise FolderError(f"{path}: another xlatperf is running a campaign in this folder") from error
        try:
            remove_unfinished(path)
            self.bench = self._freeze(bench, bench_text)
        except BaseException:
            self.close()
            raise

    def _freeze(self, bench: Bench | None, text: str | None) -> Bench:
        frozen = self.path / "bench.toml"
        if not frozen.is_file():
            if any(self.path.glob("journal.jsonl")):
                raise FolderError(f"{self.path}: not a campaign's folder: bench.toml is missing")
            if bench is None or text is None:
                raise FolderError(f"{self.path}: bench.toml is missing")
            self._freeze_table(bench)
            self.write_text("bench.toml", text)
            return bench
        try:
            held = parse_bench(read_text(frozen, BENCH_BYTES), str(frozen))
        except BenchError as error:
            raise FolderError(error.lines[0]) from error
        except (OSError, UnicodeDecodeError) as error:
            raise FolderError(f"{frozen}: can't be read: {why(error)}") from error
        if bench is not None and located(held, Path()) != located(bench, Path()):
            raise FolderError(
                f"{self.path}: this folder belongs to another bench file ({frozen} says otherwise); give "
                "another folder with --folder"
            )
        if bench is None:
            return held
        self._freeze_table(bench)
        return bench

    def _freeze_table(self, bench: Bench) -> None:
        """Keeps a copy of the binding table's file, and checks that it's still the same."""
        table = bench.technology.binding_table
        if table is None or table.file is None:
            return
        frozen = self.path / FROZEN_TABLE
        try:
            if not frozen.is_file():
                write_whole(frozen, read_text(table.file))
            elif not filecmp.cmp(frozen, table.file, shallow=False):
                raise FolderError(
                    f"{self.path}: this folder belongs to another binding table ({frozen} isn't {table.file}); give "
                    "another folder with --folder"
                )
        except (OSError, UnicodeDecodeError) as error:
            raise FolderError(f"{table.file}: can't be read: {why(error)}") from error

    def __enter__(self) -> CampaignFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the lock back; may be called twice."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def write_text(self, name: str, text: str) -> None:
        """Replaces a file as a whole: after a kill there is either the old or the new one."""
        write_whole(self.path / name, text)

    def write_json(self, name: str, value: Any) -> None:
        """Replaces a JSON file as a whole."""
        self.write_text(name, json.dumps(value, indent=2, ensure_ascii=False) + "\n")

    def put_aside(self, name: str, why: str) -> Path | None:
        """A file under another name, which it returns; None if there is none. Raises OSError."""
        path = self.path / name
        if not path.is_file():
            return None
        kept = kept_beside(path.with_name(f"{name}.{why}"), read_bytes(path))
        path.unlink()
        return kept

    def read_json(self, name: str) -> Any:
        """Content of a JSON file; None if there is none. Raises FolderError."""
        path = self.path / name
        if not path.exists() and not path.is_symlink():
            return None
        try:
            return parse_json(read_text(path))
        except OSError as error:
            raise FolderError(f"{path}: can't be read: {why(error)}") from error
        except ValueError as error:
            raise FolderError(f"{path}: not JSON: {error}") from error
