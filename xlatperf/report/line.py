"""Lines of tables on measurements: a measurement, one direction of it, its frames of one class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures.quantity import Quantity
from xlatperf.procedures.trial import Trial
from xlatperf.report import values
from xlatperf.report.markup import Content
from xlatperf.report.why_not import why_not
from xlatperf.results.results import Measurement
from xlatperf.results.value_records import TesterAloneDelay, ValueSeries


@dataclass(frozen=True)
class Line:
    """`direction` None: the whole measurement; `of` None: frames of all classes."""

    item: Measurement
    direction: DirectionName | None = None
    of: TrafficClass | None = None

    def why_not(self) -> Content:
        """Why it has no values; None if it has."""
        return why_not(self.item)

    @property
    def alone(self) -> TesterAloneDelay | None:
        """The Tester by itself at the same rate."""
        return None if self.direction is None else values.alone(self.item, self.direction, self.of)

    def find(self, quantity: Quantity) -> ValueSeries | None:
        """The series of a quantity."""
        return values.find(self.item, quantity, self.direction, self.of)

    def median(self, quantity: Quantity) -> float | None:
        """Over the repetitions."""
        return values.median_of(self.item, quantity, self.direction, self.of)

    def total(self, quantity: Quantity) -> float | None:
        """Of all repetitions."""
        return values.total(self.item, quantity, self.direction, self.of)

    def sent(self, trials: Mapping[int, Trial]) -> float | None:
        """Frames sent in the trials that gave the values, all repetitions together."""
        return None if self.direction is None else values.sent(self.item, trials, self.direction, self.of)


def whole_measurements(measurements: Sequence[Measurement]) -> list[Line]:
    """One for each measurement."""
    return [Line(item) for item in measurements]


def of_directions(measurements: Sequence[Measurement]) -> list[Line]:
    """For each direction; one for the whole measurement where there is no result."""
    return [
        line
        for item in measurements
        for line in ([Line(item, name) for name in values.directions(item)] if why_not(item) is None else [Line(item)])
    ]


def of_classes(measurements: Sequence[Measurement]) -> list[Line]:
    """For each direction all frames, and each class where there is background."""
    return [
        Line(line.item, line.direction, of)
        for line in of_directions(measurements)
        for of in (values.classes(line.item) if line.direction is not None else [None])
    ]
