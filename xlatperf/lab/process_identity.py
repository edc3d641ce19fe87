"""Is the process that we mean still running? A number alone doesn't say: the kernel uses numbers again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True)
class ProcessIdentity:
    """A process: its number and its start time in clock ticks since boot (proc(5), /proc/pid/stat field 22)."""

    pid: int
    start_time: int

    @property
    def running(self) -> bool:
        """True until the process ended; a zombie has ended."""
        return identify(self.pid) == self

    def text(self) -> str:
        """For a file; `parse` reads it again."""
        return f"{self.pid} {self.start_time}\n"


def identify(pid: int) -> ProcessIdentity | None:
    """The process that has this number now; None if there is none or only a zombie."""
    stat = _stat(pid)
    return None if stat is None else parse_stat(pid, stat)


def is_stopped(pid: int) -> bool:
    """By a signal or a debugger: it runs, but does nothing."""
    return _fields(_stat(pid) or "")[:1] in (["T"], ["t"])


def _stat(pid: int) -> str | None:
    try:
        return (PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None


def _fields(stat: str) -> list[str]:
    """From the third on. The name (field 2) may hold blanks and brackets: what follows the last bracket counts."""
    return stat.rpartition(")")[2].split()


def parse_stat(pid: int, stat: str) -> ProcessIdentity | None:
    """Reads /proc/pid/stat."""
    fields = _fields(stat)
    if len(fields) < 20 or fields[0] in ("Z", "X"):
        return None
    return ProcessIdentity(pid, int(fields[19]))


def parse(text: str) -> ProcessIdentity | None:
    """Reads what `ProcessIdentity.text` wrote; None if it's something else (a file written by half)."""
    words = text.split()
    if len(words) != 2 or not all(word.isdigit() for word in words):
        return None
    return ProcessIdentity(int(words[0]), int(words[1]))
