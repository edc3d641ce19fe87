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
    """`direction` None: the whole measurement; `of` None: frames of all classes.

    `rate_fps`: where there are values at several rates.
    """

    item: Measurement
    direction: DirectionName | None = None
    of: TrafficClass | None = None
    rate_fps: float | None = None

    def why_not(self) -> Content:
        """Why it has no values; None if it has."""
        return why_not(self.item)

    @property
    def alone(self) -> TesterAloneDelay | None:
        """The Tester by itself at the same rate."""
        return None if self.direction is None else values.alone(self.item, self.direction, self.of)

    def find(self, quantity: Quantity) -> ValueSeries | None:
        """The series of a quantity; what is of both directions together is the same for both."""
        for direction in dict.fromkeys((self.direction, None)):
            found = values.find(self.item, quantity, direction, self.of, self.rate_fps)
            if found is not None:
                return found
        return None

    def median(self, quantity: Quantity) -> float | None:
        """Over the repetitions."""
        found = self.figure(quantity, "median")
        return None if found is None else found.value

    def figure(self, quantity: Quantity, statistic: Statistic) -> Figure | None:
        """A statistic over the repetitions; None without such a series, or without values."""
        series = self.find(quantity)
        return None if series is None or series.summary is None else figure(self.item, series, statistic)

    def rate(self, statistic: Statistic) -> Figure | None:
        """The same of the rate that the procedure finds."""
        return rate_found(self.item, statistic)

    def total(self, quantity: Quantity) -> float | None:
        """Of all repetitions."""
        known = values.known(self.find(quantity))
        return sum(known) if known else None

    def sent(self, trials: Mapping[int, Trial]) -> float | None:
        """Frames sent in the trials that gave the values, all repetitions together."""
        return None if self.direction is None else values.sent(self.item, trials, self.direction, self.of)


def lines_of(measurements: Sequence[Measurement]) -> list[Line]:
    """One for each direction that has results, and rate where there are several: of all frames, and of each class.

    One for the whole measurement where results are of both directions together, or where there is none.
    """
    return [
        Line(item, name, of, rate_fps)
        for item in measurements
        for rate_fps in (values.rates(item) if why_not(item) is None else [None])
        for name in (values.with_results(item) if why_not(item) is None else [None])
        for of in (values.classes(item) if name is not None else [None])
    ]
