"""How much processor time a process or the kernel's packet processing has used."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

_SCHEDULED = 2  # CPUCLOCK_SCHED, linux/posix-timers.h: run time as the scheduler counts it
_SOFTIRQ = 7  # proc(5), a line of /proc/stat: name, user, nice, system, idle, iowait, irq, softirq


def of_process(pid: int) -> float | None:
    """Time in s that all threads of a process have run, exact to the nanosecond; None if it has ended.

    The clock of another process, as clock_getcpuclockid(3) makes it; Python has no name for that.
    """
    try:
        return time.clock_gettime(~pid << 3 | _SCHEDULED)
    except OSError:
        return None


def of_softirqs(cores: Iterable[int]) -> float:
    """Time in s that the kernel's deferred work took on these cores: mostly packets. In steps of a clock tick."""
    try:
        text = Path("/proc/stat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return parse_softirq_ticks(text, cores) / os.sysconf("SC_CLK_TCK")


ASK_BUSY = "getconf CLK_TCK 2>/dev/null || echo 100; grep '^cpu[0-9]' /proc/stat"
"""A command for the shell of another kernel. Without getconf(1) it's USER_HZ, which is 100 but on Alpha and Itanium."""


def parse_busy_s(text: str) -> dict[str, float]:
    """What `ASK_BUSY` writes: time in s that each core wasn't idle, by `core N`; empty: it isn't understood."""
    lines = [line.split() for line in text.splitlines()]
    if not lines or len(lines[0]) != 1 or not lines[0][0].isdigit():
        return {}
    tick_s = 1 / int(lines[0][0])
    # a guest's time is in user and nice
    return {
        f"core {words[0].removeprefix('cpu')}": (sum(map(int, words[1:9])) - sum(map(int, words[4:6]))) * tick_s
        for words in lines[1:]
        if len(words) > _SOFTIRQ and all(word.isdigit() for word in words[1:])
    }


def parse_softirq_ticks(text: str, cores: Iterable[int]) -> int:
    """/proc/stat: one line per core, times in ticks."""
    wanted = {f"cpu{core}" for core in cores}
    lines = [line.split() for line in text.splitlines()]
    return sum(int(words[_SOFTIRQ]) for words in lines if words and words[0] in wanted)
