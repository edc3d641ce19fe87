"""What a procedure is run with beside its keys: what the campaign knows before its first trial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from xlatperf.procedures.in_words import LIMITS, fps
from xlatperf.procedures.quantity import LimitedBy
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.search.bisection import Progress, ignore


@dataclass(frozen=True)
class Throughput:
    """That rates follow from. `more_possible`: what kept it, where it's a lower bound, from being higher."""

    fps: float
    more_possible: tuple[LimitedBy, ...] = ()

    def in_words(self) -> str:
        """`1,000 fps`; of a lower bound why it's one."""
        if not self.more_possible:
            return fps(self.fps)
        return f"at least {fps(self.fps)}, {' and '.join(LIMITS[one] for one in self.more_possible)}"


@dataclass(frozen=True)
class Conditions:
    """Rates are frames per second per direction.

    `trial`: to be varied in rate and duration. `maximum_fps`: the highest rate of a search. `theoretical_fps`: what the
    media allows (RFC 8219 App. A). `tester_limit_fps`: from the self-test; a search goes above it only where it passes.
    `rate_fps`: of a procedure at a rate; `throughput`: what it follows from. `establish_fps`: of phase 1.
    `connections`: N; `most_connections`: how many there can be. `progress` is told how a search goes.
    """

    trial: TrialRequest
    maximum_fps: float
    theoretical_fps: float | None = None
    tester_limit_fps: float | None = None
    rate_fps: float | None = None
    throughput: Throughput | None = None
    establish_fps: float | None = None
    connections: int | None = None
    most_connections: int | None = None
    repetition: int = 1
    progress: Callable[[Progress], None] = field(default=ignore, compare=False)

    @property
    def most_fps(self) -> float:
        """The highest rate of a search, whatever the Tester's limit is said to be, in whole frames per second."""
        return float(max(1, int(self.maximum_fps)))

    @property
    def top_fps(self) -> float:
        """The highest rate that can be offered, in whole frames per second."""
        limit = self.tester_limit_fps
        return self.most_fps if limit is None else float(max(1, int(min(self.maximum_fps, limit))))

    def of_phases(self, connections: int, alpha: float | None, shortest_s: float) -> Conditions:
        """Of phase 1 with so many connections, at rates that are possible in a validation at alpha times the rate too,
        and where phase 1 takes `shortest_s` at least."""
        fastest = max(1.0, alpha or 0.0)
        return replace(
            self,
            connections=connections,
            maximum_fps=min(self.maximum_fps / fastest, connections / shortest_s),
            tester_limit_fps=None if self.tester_limit_fps is None else self.tester_limit_fps / fastest,
        )

    def bottom_fps(self, minimum_fps: float) -> float:
        """The lowest rate that a search tries."""
        return min(float(max(1, round(minimum_fps))), self.top_fps)

    @property
    def at_rate(self) -> TrialRequest:
        """The trial of a procedure at a rate."""
        return self.trial.at(self.rate_fps or 0.0)
