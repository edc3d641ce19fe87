"""Folders for sockets, logs and configurations of one run; named after the process that owns them.

By them what a killed run left behind is found (see leftovers.py): by its watcher, and should that have been killed as
well, by the next run.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import tempfile
from pathlib import Path

from xlatperf.lab.error import LabError
from xlatperf.lab.process_identity import ProcessIdentity, identify, parse
from xlatperf.lab.watcher import Watcher

OWNER_FILE = "owner"
_MOST_ATTEMPTS = 100
_serial = itertools.count()


def base() -> Path:
    """Where all runtime folders are: short, because a Unix socket's path holds 107 bytes only (unix(7))."""
    chosen = os.environ.get("XLATPERF_RUNTIME")
    if chosen:
        return Path(chosen)
    if os.geteuid() == 0:
        return Path("/run/xlatperf")
    session = os.environ.get("XDG_RUNTIME_DIR")
    return Path(session) / "xlatperf" if session else Path(tempfile.gettempdir()) / f"xlatperf-{os.geteuid()}"


class RuntimeFolder:
    """A folder of this process alone, readable by its user only."""

    def __init__(self) -> None:
        me = identify(os.getpid())
        if me is None:
            raise LabError("/proc isn't mounted")
        self._watcher = Watcher(me)
        try:
            self.path = _create(base(), me)
        except BaseException:
            self._watcher.dismiss()
            raise

    def remove(self) -> None:
        """Removes the folder and what is in it. Never raises; may be called twice."""
        shutil.rmtree(self.path, ignore_errors=True)
        remove_if_empty(self.path.parent)
        self._watcher.dismiss()


def remove_if_empty(folder: Path) -> None:
    """Removes a folder in which nothing is. Never raises: other runs may have theirs there."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def _create(parent: Path, me: ProcessIdentity) -> Path:
    try:
        path = _made(parent, me.pid)
        (path / OWNER_FILE).write_text(me.text(), encoding="ascii")
    except OSError as error:
        raise LabError(f"can't make a folder for sockets and logs under {parent}: {error.strerror}") from error
    return path


def _made(parent: Path, pid: int) -> Path:
    for attempt in itertools.count(1):
        path = parent / f"{pid}-{next(_serial)}"
        try:
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if parent.stat().st_uid != os.geteuid():
                raise LabError(f"{parent} belongs to somebody else; set XLATPERF_RUNTIME to a folder of yours")
            path.mkdir(mode=0o700)
            break
        except FileExistsError:
            if not parent.is_dir():
                raise
        except FileNotFoundError:  # another run has just ended, and removed the parent, as nothing was in it
            if attempt > _MOST_ATTEMPTS:
                raise
    return path


def owner(folder: Path) -> ProcessIdentity | None:
    """Who made the folder: from its file, or by its name as long as the file isn't written yet."""
    try:
        recorded = parse((folder / OWNER_FILE).read_text(encoding="ascii", errors="replace"))
    except OSError:
        recorded = None
    if recorded is not None:
        return recorded
    number = folder.name.partition("-")[0]
    return identify(int(number)) if number.isdigit() else None
