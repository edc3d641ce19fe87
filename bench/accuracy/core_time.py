"""How long threads waited for a core: the kernel's and the hypervisor's accounts."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path


def waited_us(pid: int) -> float:
    """All threads together, since their start: second field of /proc/PID/task/TID/schedstat; 0 where there is none."""
    total_ns = 0
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError, ValueError, IndexError):
                total_ns += int((task / "schedstat").read_text(encoding="ascii").split()[1])
    return total_ns / 1e3


def stolen_us(cores: Iterable[int]) -> float:
    """What the hypervisor took of these cores since boot: eighth value of /proc/stat, in clock ticks."""
    names = {f"cpu{core}" for core in cores}
    ticks = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/stat").read_text(encoding="ascii").splitlines():
            fields = line.split()
            if fields and fields[0] in names:
                ticks += int(fields[8])
    return ticks * 1e6 / os.sysconf("SC_CLK_TCK")
