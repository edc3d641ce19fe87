"""What a campaign knows of a cell of its matrix while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial import Outcome
from xlatperf.results.results import SideSizes


@dataclass
class CellResult:
    """What the procedures returned for a cell, by repetition; a failed one is a line of text.

    `conditions`: as far as they are known. `alone`: the Tester by itself.
    """

    sizes: SideSizes
    media_mbps: float
    conditions: Conditions
    repetitions: dict[int, Measured | str] = field(default_factory=dict)
    alone: Outcome | str | None = None

    @property
    def measured(self) -> dict[int, Measured]:
        """Those that didn't fail, in order."""
        return {number: one for number, one in sorted(self.repetitions.items()) if not isinstance(one, str)}

    @property
    def failures(self) -> tuple[str, ...]:
        """The others, one line each."""
        return tuple(f"repetition {at}: {one}" for at, one in sorted(self.repetitions.items()) if isinstance(one, str))
