"""Jool's kernel modules, built from the source in Debian's package jool-dkms."""

from __future__ import annotations

import os
from pathlib import Path

from xlatperf.lab.error import LabError
from xlatperf.lab.machine.packages import SOURCES
from xlatperf.lab.namespace import run_command

_PARTS = {"common": "jool_common.ko", "nat64": "jool.ko", "siit": "jool_siit.ko"}
"""By their folders; the first one's symbols are what the others need."""
NAMES = tuple(_PARTS.values())
"""In the order in which they can be loaded."""
_BUILD_S = 600.0


def build(root: Path, release: str) -> list[Path]:
    """Builds what is unpacked under `root` for the kernel `release`: half a minute. Raises LabError."""
    sources = sorted(root.glob("usr/src/jool-*/src/mod"))
    if not sources:
        raise LabError("the package jool-dkms has no source under usr/src/jool-*: another version than is known here")
    mod = sources[-1]
    symbols = mod / "common" / "Module.symvers"
    built = []
    for part, module in _PARTS.items():
        more = () if part == "common" else (f"KBUILD_EXTRA_SYMBOLS={symbols}",)
        tree = SOURCES / f"linux-headers-{release}"
        # what is for debuggers would make the modules forty times as large
        words = (
            "make",
            f"-j{os.cpu_count() or 1}",
            "-C",
            str(tree),
            f"M={mod / part}",
            "KCFLAGS=-g0",
            *more,
            "modules",
        )
        run_command(words, _BUILD_S)
        built.append(mod / part / module)
    return built
