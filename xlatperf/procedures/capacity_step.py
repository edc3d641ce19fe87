"""A step of the search for the capacity of the connection tracking table (RFC 9693 §4.9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xlatperf.procedures.elementary_test import ElementaryTest

Stage = Literal["initial", "exponential", "final", "recovery"]


@dataclass(frozen=True)
class CapacityStep:
    """One number of connections (C) and what came of it. `rate_fps` (R): None if it is below `floor_fps`.

    `floor_fps`: the search was abandoned when a test failed there (RFC 9693 §4.9). `passed`: C is the new safe number.
    `recovery`: no search, one test whether the DUT works again after it collapsed.
    """

    stage: Stage
    connections: int
    rate_fps: float | None
    floor_fps: float
    passed: bool
    tests: tuple[ElementaryTest, ...]

    @property
    def last(self) -> ElementaryTest:
        """The test that decided."""
        return self.tests[-1]

    @property
    def offered_fps(self) -> float | None:
        """Connections per second that were really opened when `rate_fps` passed."""
        passed = [test.offered_fps for test in self.tests if (test.verdict, test.rate_fps) == ("passed", self.rate_fps)]
        return passed[-1] if passed else None

    @property
    def collapsed(self) -> str | None:
        """Why we think that the DUT no longer worked."""
        return self.last.collapsed
