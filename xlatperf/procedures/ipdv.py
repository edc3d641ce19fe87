"""Inter packet delay variation: D(i) - D(i - 1) in the order of sending (RFC 8219 §7.3.2, RFC 5481 §4.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xlatperf.engine.trial_answer import Delays
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.of_classes import values_of_classes
from xlatperf.procedures.quantity import Measured, Quantity, Value
from xlatperf.procedures.trial import DirectionName, Measure, TrialRequest, measure_once

MINIMUM = Quantity(
    "IPDV minimum", "ns", "smallest D(i) - D(i - 1); negative: the later frame was faster", "RFC 8219 §7.3.2"
)
MEDIAN = Quantity("IPDV median", "ns", "median of D(i) - D(i - 1)", "RFC 8219 §7.3.2")
MAXIMUM = Quantity("IPDV maximum", "ns", "largest D(i) - D(i - 1)", "RFC 8219 §7.3.2")
MEAN = Quantity(
    "IPDV mean", "ns", "a check: not near 0, sender's and receiver's clocks drift apart", "RFC 5481 §4.1", role="beside"
)
PAIRS = Quantity("pairs", "frames", "pairs of consecutive frames, neither lost (RFC 5481 §4.1)", role="beside")
QUANTITIES = (MINIMUM, MEDIAN, MAXIMUM, MEAN, PAIRS, FRAMES_LOST)


@dataclass(frozen=True)
class IpdvTrial:
    """Parameters of one trial; `trial` has the rate, the throughput or a share of it."""

    trial: TrialRequest
    histogram: bool = False
    retries: int = 2

    def request(self) -> TrialRequest:
        """RFC 8219 §7.3.2: as for PDV, with the differences of consecutive frames."""
        return replace(self.trial, purpose="ipdv", delay_variation=True, histograms=self.histogram)


def ipdv(wanted: IpdvTrial, measure: Measure) -> Measured:
    """One trial. Raises MeasurementFailed."""
    outcome, trials = measure_once(measure, wanted.request(), wanted.retries)
    return Measured(values_of_classes(outcome, ipdv_values), trials, outcome.number)


def ipdv_values(name: DirectionName, delays: Delays, lost: int) -> list[Value]:
    """One direction's. Of all frames a pair are neighbours in time; of a class, frames of the other may lie between."""
    found = delays.delay_variation
    pairs = found.pairs if found is not None else 0
    none = None if pairs else "no two consecutive frames came back"
    return [
        Value(MINIMUM, name, found.min_ns if found is not None else None, none),
        Value(MEDIAN, name, found.median_ns if found is not None else None, none),
        Value(MAXIMUM, name, found.max_ns if found is not None else None, none),
        Value(MEAN, name, found.mean_ns if found is not None else None, none),
        Value(PAIRS, name, float(pairs)),
        Value(FRAMES_LOST, name, float(lost)),
    ]
