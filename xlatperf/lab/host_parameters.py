"""Kernel parameters that the whole host shares (sysctl(8)), changed for a run and surely put back.

Each old value is on disk before the new one is set: the next run finds the record of a run that was killed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from xlatperf.lab.error import LabError
from xlatperf.lab.runtime_folder import owner

RECORD = "host-parameters"
SYSCTL_FOLDER = Path("/proc/sys")
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)


class HostParameters:
    """What one run has changed. `folder` is the run's own runtime folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def set(self, name: str, value: int) -> None:
        """`name` with dots. Raises LabError, also if another run has changed it: they can't both have their way."""
        with _locked(self._folder.parent):
            for folder in self._folder.parent.iterdir():
                if folder != self._folder and name in _recorded(folder):
                    identity = owner(folder)
                    who = "another run" if identity is None else f"another run (process {identity.pid})"
                    raise LabError(f"{who} has changed {name}, which the whole host shares: wait until it has ended")
            mine = _recorded(self._folder)
            try:
                mine.setdefault(name, sysctl_path(name).read_text(encoding="ascii").strip())
                _write_record(self._folder, mine)
                sysctl_path(name).write_text(f"{value}\n", encoding="ascii")
            except OSError as error:
                hint = "; only the host's own network namespace may set it" if error.errno in _REFUSED else ""
                raise LabError(f"can't set {name}={value}: {error.strerror}{hint}") from error

    def restore(self) -> None:
        """Puts all of it back. Never raises; may be called twice."""
        restore(self._folder)


def restore(folder: Path) -> None:
    """Puts back what the run with this runtime folder has changed. Never raises."""
    with contextlib.suppress(OSError), _locked(folder.parent):
        for name, value in _recorded(folder).items():
            with contextlib.suppress(OSError):
                sysctl_path(name).write_text(f"{value}\n", encoding="ascii")
        (folder / RECORD).unlink(missing_ok=True)


def sysctl_path(name: str) -> Path:
    """Of a parameter as sysctl(8) names it."""
    return SYSCTL_FOLDER / name.replace(".", "/")


def _recorded(folder: Path) -> dict[str, str]:
    try:
        lines = (folder / RECORD).read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return {}
    return {name: value for name, _, value in (line.partition(" ") for line in lines) if value.isdigit()}


def _write_record(folder: Path, values: dict[str, str]) -> None:
    # in one step: nobody ever reads half of it
    new = folder / f"{RECORD}.new"
    new.write_text("".join(f"{name} {value}\n" for name, value in values.items()), encoding="ascii")
    new.replace(folder / RECORD)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
