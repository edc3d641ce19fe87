"""What runs that were killed left behind, and its removal: by their watchers, and at the start of the next run.

Only what belongs to a process that has ended is touched: several runs can be at work at the same time.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Iterable
from pathlib import Path

from xlatperf.lab import host_parameters, vpp_changes
from xlatperf.lab.daemon import RECORD_SUFFIX
from xlatperf.lab.namespace import NETNS_FOLDER, Namespace
from xlatperf.lab.process_identity import identify, parse
from xlatperf.lab.runtime_folder import base, owner, remove_if_empty

NAMESPACE_PREFIX = "xlatperf-"
_NAMESPACE = re.compile(rf"{NAMESPACE_PREFIX}(?P<pid>[0-9]+)-")
_FOLDER = re.compile(r"(?P<pid>[0-9]+)-[0-9]+")


def clean() -> None:
    """Removes daemons, folders and (as root) namespaces of runs that have ended, puts the host's parameters back.

    Never raises.
    """
    alive, dead = _sort_by_owner(_entries(base()))
    for folder in dead:
        _end_recorded(folder)
    if os.geteuid() == 0:
        for name in abandoned(_names(NETNS_FOLDER), _pids(alive), _pids(dead)):
            Namespace(name).remove()
    for folder in dead:
        host_parameters.restore(folder)
        vpp_changes.take_back(folder)
        vpp_changes.remove_segments(folder)
        shutil.rmtree(folder, ignore_errors=True)
    remove_if_empty(base())


def abandoned(namespaces: Iterable[str], alive: frozenset[int], dead: frozenset[int]) -> list[str]:
    """The namespaces whose owner has ended.

    `alive` and `dead` are owners known from their folders. A number in `dead` may run again as another process, so the
    folders come first; for a namespace without a folder it's enough that some process has the number to leave it alone.
    """
    found = []
    for name in namespaces:
        match = _NAMESPACE.match(name)
        if match is None:
            continue
        pid = int(match["pid"])
        if pid not in alive and (pid in dead or identify(pid) is None):
            found.append(name)
    return found


def _sort_by_owner(folders: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    alive: list[Path] = []
    dead: list[Path] = []
    for folder in folders:
        if _FOLDER.fullmatch(folder.name) is None:
            continue
        identity = owner(folder)
        (alive if identity is not None and identity.running else dead).append(folder)
    return alive, dead


def _pids(folders: Iterable[Path]) -> frozenset[int]:
    return frozenset(int(folder.name.partition("-")[0]) for folder in folders)


def _end_recorded(folder: Path) -> None:
    for record in folder.glob(f"*{RECORD_SUFFIX}"):
        try:
            identity = parse(record.read_text(encoding="ascii", errors="replace"))
            if identity is not None and identity.running:
                os.kill(identity.pid, signal.SIGKILL)
        except OSError:
            continue


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _names(folder: Path) -> list[str]:
    return [entry.name for entry in _entries(folder)]
