"""What all rows are measured with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bench.accuracy.attempts import Attempts
from bench.accuracy.extent import Extent
from bench.accuracy.places import Place


@dataclass(frozen=True)
class Floor:
    """What the Tester adds by itself, over memory and without a device, in us; None: could not be measured."""

    median_us: float | None


@dataclass(frozen=True)
class Workbench:
    """A place, how long things take, and where progress is said."""

    place: Place
    extent: Extent
    say: Callable[[str], None]

    def attempts(self, *, short: bool = False) -> Attempts:
        """For one row. Short trials, of a fraction of a second, may be refused more often."""
        return Attempts(self.place.take, self.extent.short_refusals if short else self.extent.refusals, self.say)
