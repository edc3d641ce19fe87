"""What is wrong with a bench file, as lines for the user."""

from __future__ import annotations

from xlatperf.failures import KnownFailure


class BenchError(KnownFailure):
    """The bench file can't be used. `lines`: one line per fault, naming file, place, value and what is allowed."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines

    @property
    def told(self) -> list[str]:
        """As they are."""
        return self.lines
