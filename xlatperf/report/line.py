"""Lines of tables on measurements: a measurement, one direction of it, its frames of one class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures.quantity import Quantity
from xlatperf.procedures.trial import Trial
from xlatperf.report import values
from xlatperf.report.figure import Figure, Statistic, figure
from xlatperf.report.markup import Content
from xlatperf.report.series import rate_found
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

    def figure(self, quantity: Quantity, statistic: Statistic) -> Figure | None:
        """A statistic over the repetitions; None without such a series, or without values."""
        series = self.find(quantity)
        return None if series is None or series.summary is None else figure(self.item, series, statistic)

    def rate(self, statistic: Statistic) -> Figure | None:
        """The same of the rate that the procedure finds."""
        return rate_found(self.item, statistic)

    def total(self, quantity: Quantity) -> float | None:
        """Of all repetitions."""
        return values.total(self.item, quantity, self.direction, self.of)

    def sent(self, trials: Mapping[int, Trial]) -> float | None:
        """Frames sent in the trials that gave the values, all repetitions together."""
        return None if self.direction is None else values.sent(self.item, trials, self.direction, self.of)


def lines_of(measurements: Sequence[Measurement]) -> list[Line]:
    """Of what has values in each direction, one for each: for all frames, and for each class where there is background.

    One for the whole measurement where values are of both directions together, or where there is no result.
    """
    return [
        Line(item, name, of)
        for item in measurements
        for name in (values.with_results(item) if why_not(item) is None else [None])
        for of in (values.classes(item) if name is not None else [None])
    ]
