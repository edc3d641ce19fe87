"""How much processor time a process or the kernel's packet processing has used."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
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
    return parse_softirq_ticks(_statistics(), cores) / os.sysconf("SC_CLK_TCK")


def idle_of_cores(cores: Iterable[int]) -> dict[str, float]:
    """Time in s that each of these cores was idle so far, by `core N`, in steps of a clock tick."""
    found = parse_idle_s(f"{os.sysconf('SC_CLK_TCK')}\n{_statistics()}")
    return {name: found[name] for name in (f"core {core}" for core in cores) if name in found}


def _statistics() -> str:
    """/proc/stat; empty if it can't be read."""
    try:
        return Path("/proc/stat").read_text(encoding="ascii")
    except OSError:
        return ""


ASK_BUSY = "getconf CLK_TCK 2>/dev/null || echo 100; grep '^cpu[0-9]' /proc/stat"
"""A command for the shell of another kernel. Without getconf(1) it's USER_HZ, which is 100 but on Alpha and Itanium."""


def parse_busy_s(text: str) -> dict[str, float]:
    """What `ASK_BUSY` writes: time in s that each core wasn't idle, by `core N`; empty: it isn't understood."""
    # a guest's time is in user and nice
    return {core: (sum(ticks[:8]) - sum(ticks[3:5])) * tick_s for core, ticks, tick_s in _of_cores(text)}


def parse_idle_s(text: str) -> dict[str, float]:
    """The same of the time that each core was idle, waiting for a disk included."""
    return {core: sum(ticks[3:5]) * tick_s for core, ticks, tick_s in _of_cores(text)}


def _of_cores(text: str) -> Iterator[tuple[str, list[int], float]]:
    """`core N`, its times in ticks, the length of a tick in s."""
    lines = [line.split() for line in text.splitlines()]
    if not lines or len(lines[0]) != 1 or not lines[0][0].isdigit():
        return
    for words in lines[1:]:
        core = words[0].removeprefix("cpu") if words else ""
        if core.isdigit() and len(words) > _SOFTIRQ and all(word.isdigit() for word in words[1:]):
            yield f"core {core}", list(map(int, words[1:])), 1 / int(lines[0][0])


def parse_softirq_ticks(text: str, cores: Iterable[int]) -> int:
    """/proc/stat: one line per core, times in ticks."""
    wanted = {f"cpu{core}" for core in cores}
    lines = [line.split() for line in text.splitlines()]
    return sum(int(words[_SOFTIRQ]) for words in lines if words and words[0] in wanted)
