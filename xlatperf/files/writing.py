"""Writes a file as a whole: after a kill there is either the old or the new one, and no link leads elsewhere."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import IO

UNFINISHED = ".new"
OWN = os.O_NOFOLLOW | os.O_NONBLOCK
"""For files of a campaign that are opened to be written: not what a link leads to, and no wait for a pipe's reader."""


@contextlib.contextmanager
def whole(path: Path, *, newline: str | None = None) -> Iterator[IO[str]]:
    """A new file for text, which takes the place of `path` when it is complete and on the disk.

    What was there goes, be it a symbolic link: what that leads to stays as it was. Raises OSError.
    """
    with _replaced(path) as handle, os.fdopen(handle, "w", encoding="utf-8", newline=newline) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def _replaced(path: Path) -> Iterator[int]:
    """The open new file."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}{UNFINISHED}")
    with _told_of(path):
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        with _told_of(path):
            yield handle
        with _told_of(path):
            temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _told_of(path: Path) -> Iterator[None]:
    """The file's own name, where an error has none (a full disk), or that of the unfinished one."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error


def write_whole(path: Path, text: str) -> None:
    """The same with a text. Raises OSError."""
    with whole(path) as file:
        file.write(text)


def write_whole_bytes(path: Path, content: bytes) -> None:
    """The same with bytes. Raises OSError."""
    with _replaced(path) as handle, os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def kept_beside(path: Path, content: bytes) -> Path:
    """A new file of this name, or of one like it: nothing is overwritten. Raises OSError."""
    for number in count(1):
        made = path if number == 1 else path.with_name(f"{path.name}-{number}")
        with contextlib.suppress(FileExistsError), made.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            break
    return made


def remove_unfinished(folder: Path) -> None:
    """What processes left that were killed while they wrote; nobody else writes now."""
    for left in folder.glob(f".*{UNFINISHED}"):
        left.unlink(missing_ok=True)


def own_folder(path: Path) -> Path:
    """Makes a folder in a campaign's if it isn't there. Raises OSError where something else is, such as a link."""
    with contextlib.suppress(FileExistsError):
        path.mkdir()
    if path.is_symlink() or not path.is_dir():
        raise OSError(errno.ENOTDIR, "something else than a folder is in its place", str(path))
    return path
