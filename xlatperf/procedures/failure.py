"""Why a repetition has no result."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """Why a repetition failed. `details`: of the trial that it failed with, such as the Tester's reasons."""

    what: str
    details: tuple[str, ...] = ()

    def in_words(self) -> str:
        """In one line."""
        return f"{self.what}: {'; '.join(self.details)}" if self.details else self.what
