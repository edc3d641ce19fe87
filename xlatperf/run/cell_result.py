"""What a campaign knows of a cell of its matrix while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial import Outcome
from xlatperf.results.results import SideSizes


@dataclass(frozen=True)
class Frame:
    """What is fixed for a cell before its first trial: sizes and the rates that follow from them."""

    sizes: SideSizes
    media_mbps: float | None
    theoretical_maximum_fps: float | None
    maximum_fps: float
    tester_limit_fps: float | None


@dataclass
class CellResult:
    """What the procedures returned for a cell, by repetition; a failed one is a line of text.

    `rate_fps`: of a measure at a rate; `throughput_fps`: what it follows from. `establish_fps`: of phase 1.
    `alone`: the Tester by itself.
    """

    frame: Frame
    repetitions: dict[int, Measured | str] = field(default_factory=dict)
    rate_fps: float | None = None
    throughput_fps: float | None = None
    establish_fps: float | None = None
    alone: Outcome | str | None = None

    @property
    def measured(self) -> dict[int, Measured]:
        """Those that didn't fail, in order."""
        return {number: one for number, one in sorted(self.repetitions.items()) if not isinstance(one, str)}

    @property
    def failures(self) -> tuple[str, ...]:
        """The others, one line each."""
        return tuple(f"repetition {at}: {one}" for at, one in sorted(self.repetitions.items()) if isinstance(one, str))
