"""Incremental load: network flows that begin one after the other (RFC 8219 §10.2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

MOST_FLOWS, MOST_S = 65_536, 86_400
"""Of the engine: how many begin so, and how long that takes at most."""


@dataclass(frozen=True)
class Incremental:
    """Flow i + 1 begins `interval_s` after flow i. Each has the share of the rate that all have in the end."""

    flows: int
    interval_s: float

    @property
    def begun_s(self) -> float:
        """When all have begun: by so long a trial is extended."""
        return (self.flows - 1) * self.interval_s

    def frames_before(self, rate_fps: float) -> int:
        """How many frames are due until then; counted as the engine does."""
        last = self.flows - 1
        return ceil(rate_fps * self.interval_s / self.flows * 0.5 * last * (last + 1.0) - 1e-6)
