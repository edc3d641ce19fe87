"""What a campaign knows of a cell of its matrix while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.failure import Failure
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial import Trial
from xlatperf.results.frames import SideSizes


@dataclass
class CellResult:
    """What the procedures returned for a cell, by repetition.

    `conditions`: as far as they are known. `one_line`: both directions share the medium. `alone`: the Tester by itself.
    """

    sizes: SideSizes
    media_mbps: float
    conditions: Conditions
    one_line: bool = False
    repetitions: dict[int, Measured | Failure] = field(default_factory=dict)
    alone: Trial | str | None = None

    @property
    def measured(self) -> dict[int, Measured]:
        """Those that didn't fail, in order."""
        return {number: one for number, one in sorted(self.repetitions.items()) if isinstance(one, Measured)}

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The others, in order."""
        return tuple(
            replace(one, repetition=at) for at, one in sorted(self.repetitions.items()) if isinstance(one, Failure)
        )
