"""What a campaign knows of a cell of its matrix while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.failure import Failure
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial import Outcome
from xlatperf.results.results import FailureRecord
from xlatperf.results.trial_records import SideSizes


@dataclass
class CellResult:
    """What the procedures returned for a cell, by repetition.

    `conditions`: as far as they are known. `alone`: the Tester by itself.
    """

    sizes: SideSizes
    media_mbps: float
    conditions: Conditions
    repetitions: dict[int, Measured | Failure] = field(default_factory=dict)
    alone: Outcome | str | None = None

    @property
    def measured(self) -> dict[int, Measured]:
        """Those that didn't fail, in order."""
        return {number: one for number, one in sorted(self.repetitions.items()) if isinstance(one, Measured)}

    @property
    def failures(self) -> tuple[FailureRecord, ...]:
        """The others, in order."""
        return tuple(
            FailureRecord(repetition=at, what=one.what, details=one.details)
            for at, one in sorted(self.repetitions.items())
            if isinstance(one, Failure)
        )
