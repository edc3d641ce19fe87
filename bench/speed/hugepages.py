"""Huge pages for the time of a measurement: reserved if there are too few, given back afterwards."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

POOL = Path("/sys/kernel/mm/hugepages/hugepages-2048kB")
WANTED = 768
"""1.5 GB: the Tester alone takes up to 1 GB, nothing else of a measurement runs at the same time."""


def free() -> int:
    """Pages of 2 MB that nobody uses."""
    try:
        return int((POOL / "free_hugepages").read_text())
    except (OSError, ValueError):
        return 0


@contextlib.contextmanager
def reserved() -> Iterator[bool]:
    """Yields whether there are enough. Where they can't be reserved (no root, no memory), there may not be."""
    number = POOL / "nr_hugepages"
    before: str | None = None
    if free() < WANTED:
        with contextlib.suppress(OSError):
            before = number.read_text()
            number.write_text(str(int(before) + WANTED - free()))
    try:
        yield free() >= WANTED
    finally:
        if before is not None:
            with contextlib.suppress(OSError):
                number.write_text(before)
