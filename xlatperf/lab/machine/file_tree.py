"""The file system that a virtual machine starts with, in memory, as a folder of this host that is packed in the end.

The kernel's Documentation/filesystems/ramfs-rootfs-initramfs.rst; packed by cpio(1).
"""

from __future__ import annotations

import gzip
import lzma
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import run_command

_FOLDERS = (
    *("bin", "dev", "etc", "lib/modules", "lib64", "proc", "root", "run", "sbin", "sys", "tmp", "usr/bin", "usr/lib"),
    *("usr/sbin", "var"),
)
_LIBRARY = re.compile(r"(?:(?P<name>\S+) => )?(?P<path>/\S+) \(0x")


class FileTree:
    """Begins with empty folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in _FOLDERS:
            (folder / name).mkdir(parents=True)
        (folder / "var/run").symlink_to("../run")

    def add(self, source: Path, destination: str) -> None:
        """One file, with its mode; a module that is packed (.xz) is unpacked."""
        target = self.folder / destination
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".xz":
            target.write_bytes(lzma.decompress(source.read_bytes()))
        else:
            shutil.copy(source.resolve(), target)

    def add_program(self, source: Path, destination: str, libraries: Sequence[Path] = ()) -> None:
        """Also the libraries that it needs; those in the folders `libraries` come first. Raises LabError."""
        self.add(source, destination)
        for name, path in _libraries_of(source, libraries):
            self.add(path, f"lib64/{name}" if name.startswith("ld-linux") else f"usr/lib/{name}")

    def write(self, destination: str, text: str, mode: int = 0o644) -> None:
        """A file of this text."""
        target = self.folder / destination
        target.write_text(text, encoding="utf-8")
        target.chmod(mode)

    def pack(self, file: Path) -> None:
        """As the kernel unpacks it. Raises LabError."""
        names = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))
        command = ("cpio", "--create", "--format=newc", "--quiet", "--owner=0:0")
        done = subprocess.run(
            command, input="\n".join(names).encode(), capture_output=True, cwd=self.folder, check=False
        )
        if done.returncode != 0:
            raise LabError(f"cpio failed: {done.stderr.decode(errors='replace').strip()}")
        file.write_bytes(gzip.compress(done.stdout, compresslevel=1))


def _libraries_of(program: Path, folders: Sequence[Path]) -> list[tuple[str, Path]]:
    """By the names that the program knows them by; ldd(1) finds them."""
    search = ":".join(str(folder) for folder in folders)
    found = run_command(("env", f"LD_LIBRARY_PATH={search}", "ldd", str(program)))
    missing = [line.split()[0] for line in found.splitlines() if "not found" in line]
    if missing:
        raise LabError(f"{program.name} needs {', '.join(missing)}, which isn't installed")
    paths = [(match["name"], Path(match["path"])) for match in _LIBRARY.finditer(found)]
    return [(name or path.name, path) for name, path in paths]
