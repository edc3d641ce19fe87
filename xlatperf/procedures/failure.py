"""Why a repetition has no result."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """Why a repetition failed. `details`: of the trial that it failed with, such as the Tester's reasons.

    `repetition`: its number, where that is known.
    """

    what: str
    details: tuple[str, ...] = ()
    repetition: int | None = None

    @property
    def why(self) -> str:
        """In one line, without its number."""
        return f"{self.what}: {'; '.join(self.details)}" if self.details else self.what

    def in_words(self) -> str:
        """In one line."""
        return self.why if self.repetition is None else f"repetition {self.repetition}: {self.why}"
