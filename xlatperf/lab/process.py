"""What can be asked of a process that serves a device, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Process(Protocol):
    """See `Daemon` (here) and `ShellProcess` (elsewhere). All of it may raise LabError."""

    def start(self) -> None:
        """Ends the one before it."""

    def stop(self) -> None:
        """Ends it, by force if need be. May be called twice."""

    def wait_until(self, ready: Callable[[], bool], timeout_s: float) -> None:
        """Raises LabError if the process ends before, or at the end of the time."""

    def how_ended(self, because: str | None = None) -> str | None:
        """How it ended by itself, because of its last line or this; None while it runs or if it was never started."""

    @property
    def stopped(self) -> bool:
        """It runs, but does nothing, as somebody has stopped it."""

    @property
    def pid(self) -> int | None:
        """Its number where it runs; None if it isn't started."""

    @property
    def cpu_s(self) -> float:
        """Processor time in s of this process and of those before it."""

    def pin(self, cores: Sequence[int]) -> None:
        """It and its successors run on these cores of where it is."""

    def output(self) -> str:
        """What it wrote so far."""


def last_of(written: str) -> str:
    """The last thing that a process wrote: mostly the reason why it ended."""
    lines = [line.strip() for line in written.splitlines() if line.strip()]
    return lines[-1] if lines else "it wrote nothing"
