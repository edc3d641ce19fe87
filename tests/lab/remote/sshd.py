"""OpenSSH's server, from its Debian package: unpacked and not installed, for then it would listen."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from xlatperf.lab.error import LabError
from xlatperf.lab.machine.image import cache_folder
from xlatperf.lab.machine.packages import parse_versions
from xlatperf.lab.namespace import run_command
from xlatperf.lab.programs import SSH, find, installed

_PACKAGES = ("openssh-server", "libwrap0")
_FETCH_S = 120.0
_LACKING = [SSH.missing] if not SSH.installed else []
needs_ssh = pytest.mark.skipif(
    bool(_LACKING) or os.geteuid() != 0 or not installed("unshare"),
    reason="; ".join(_LACKING) or "makes network namespaces and a host in them: needs root and util-linux",
)


def sshd() -> tuple[Path, Path | None]:
    """The program, and where its libraries are beside the system's. Skips the test where it can't be had."""
    found = find("sshd")
    if found is not None:
        return found, None
    try:
        root = _fetched()
    except LabError as error:
        pytest.skip(f"OpenSSH's server isn't installed and can't be fetched: {error}")
    libraries = next(root.rglob("libwrap.so.0"), None)
    return root / "usr/sbin/sshd", None if libraries is None else libraries.parent


def _fetched() -> Path:
    shown = run_command(("apt-cache", "show", "--no-all-versions", *_PACKAGES))
    version = parse_versions(shown).get("openssh-server")
    if version is None:
        raise LabError("apt knows no package openssh-server")
    folder = cache_folder() / "tests" / f"openssh-server-{version.replace(':', '-')}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        if not done.exists():
            folder.mkdir(exist_ok=True)
            run_command(("apt-get", "-q", "download", *_PACKAGES), _FETCH_S, folder)
            for package in sorted(folder.glob("*.deb")):
                run_command(("dpkg-deb", "-x", str(package), str(folder / "root")), _FETCH_S)
                package.unlink()
            done.touch()
    return folder / "root"
