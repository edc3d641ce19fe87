"""Reads files of the host, or of a copy of them: tests give a folder in place of the root."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Tree:
    """The file system below `root`; paths are given without the leading slash."""

    root: Path = Path("/")

    def read(self, path: str) -> str | None:
        """A file's text without blanks around it; None if it isn't there or can't be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        """A file's decimal number; None if there is none."""
        text = self.read(path)
        return int(text) if text is not None and text.isdigit() else None

    def exists(self, path: str) -> bool:
        """True if there is such a file or folder."""
        return (self.root / path).exists()

    def find(self, pattern: str) -> list[Path]:
        """Files that match a glob pattern, sorted."""
        return sorted(self.root.glob(pattern))

    def program(self, name: str) -> bool:
        """True if a program of this name is where programs are."""
        folders = ("usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin", "sbin", "bin")
        return any(self.exists(f"{folder}/{name}") for folder in folders)
