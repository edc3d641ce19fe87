"""The virtual machine's kernel and file system, made once and kept in a cache folder.

Made again when a package has another version, or what is in it is another.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from xlatperf.lab import shell_console
from xlatperf.lab.error import LabError
from xlatperf.lab.machine import contents, jool_modules, packages
from xlatperf.lab.machine.file_tree import FileTree

_KERNEL, _FILES, _VERSIONS = "vmlinuz", "initramfs.gz", "versions.json"
_RECIPE = ("agent", "contents.py", "file_tree.py", "init", "jool_modules.py")
"""Our files of this folder that decide what is in an image."""
_MAKING = ".making-"
_KEPT = 3
"""Of each kind: another checkout may use one."""


@dataclass(frozen=True)
class Image:
    """Files to start, and the versions of what is in them."""

    kernel: Path
    initramfs: Path
    versions: dict[str, str]


def cache_folder() -> Path:
    """Where images are kept: $XLATPERF_CACHE, or `xlatperf` below the user's folder for caches."""
    chosen = os.environ.get("XLATPERF_CACHE")
    if chosen:
        return Path(chosen)
    users = os.environ.get("XDG_CACHE_HOME")
    return (Path(users) if users else Path.home() / ".cache") / "xlatperf"


def image(say: Callable[[str], None]) -> Image:
    """The one that is kept, or else made now: half a minute, of which `say` tells. Raises LabError."""
    release = packages.kernel_release()
    if release is None:
        raise LabError(packages.NO_HEADERS)
    wanted = packages.to_unpack(release)
    versions = {**wanted, **packages.installed()}
    folder = cache_folder() / "machine"
    result = folder / f"image-{_key(versions)}"
    try:
        with _locked(folder):
            if not (result / _VERSIONS).exists():
                say("Making the virtual machine's image, which is kept for the next time ...")
                _make(result, release, wanted, say)
    except OSError as error:
        place = error.filename or folder
        raise LabError(f"can't make the virtual machine's image: {place}: {error.strerror}") from error
    return Image(result / _KERNEL, result / _FILES, {"kernel": release, **versions})


def _make(result: Path, release: str, wanted: dict[str, str], say: Callable[[str], None]) -> None:
    with tempfile.TemporaryDirectory(prefix=_MAKING, dir=result.parent) as name:
        making = Path(name)
        say(f"  fetching {', '.join(wanted)}")
        root = packages.unpack(wanted, making)
        built = _modules(result.parent, root, release, wanted, say)
        tree = FileTree(making / "tree")
        contents.fill(tree, root, release, built)
        made = making / "made"
        made.mkdir()
        tree.pack(made / _FILES)
        shutil.copy(root / f"boot/vmlinuz-{release}", made / _KERNEL)
        (made / _VERSIONS).write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
        shutil.rmtree(result, ignore_errors=True)
        made.rename(result)
    _forget_old(result)


def _modules(cache: Path, root: Path, release: str, wanted: dict[str, str], say: Callable[[str], None]) -> list[Path]:
    """Jool's. They take most of the time, and are kept for themselves."""
    how = hashlib.sha256(_own("jool_modules.py")).hexdigest()[:8]
    folder = cache / f"jool-{wanted[packages.JOOL]}-{release}-{how}"
    if not folder.exists():
        say(f"  building Jool's modules for the kernel {release}: half a minute")
        built = root / "built"
        built.mkdir()
        for module in jool_modules.build(root, release):
            shutil.copy(module, built)
        built.rename(folder)
    return [folder / name for name in jool_modules.NAMES]


def _key(versions: dict[str, str]) -> str:
    """Of the packages' versions and of our own files of this folder."""
    digest = hashlib.sha256(json.dumps(versions, sort_keys=True).encode())
    digest.update(shell_console.agent("").encode())
    for name in _RECIPE:
        digest.update(_own(name))
    return digest.hexdigest()[:16]


def _own(name: str) -> bytes:
    """A file of this folder."""
    return files(__package__).joinpath(name).read_bytes()


def _forget_old(newest: Path) -> None:
    """The oldest, of images and of modules."""
    for kind in ("image-*", "jool-*"):
        made = sorted(newest.parent.glob(kind), key=lambda one: one.stat().st_mtime, reverse=True)
        for one in made[_KEPT:]:
            shutil.rmtree(one, ignore_errors=True)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One process at a time makes an image."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        for left in folder.glob(f"{_MAKING}*"):  # by one that was killed
            shutil.rmtree(left, ignore_errors=True)
        yield
    finally:
        os.close(descriptor)
