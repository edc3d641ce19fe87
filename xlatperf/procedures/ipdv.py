"""Inter packet delay variation: D(i) - D(i - 1) in the order of sending (RFC 8219 §7.3.2, RFC 5481 §4.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from xlatperf.engine.delays import Delays
from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, Number, Truth, key
from xlatperf.procedures.at_rate import DelayMeasure
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.of_classes import values_of_classes
from xlatperf.procedures.own_delays import HELD_UP, WAITED, own_delays
from xlatperf.procedures.quantity import Measured, Quantity, Value
from xlatperf.procedures.trial import Measure, measure_once
from xlatperf.procedures.trial_request import TrialRequest

MINIMUM = Quantity(
    "IPDV minimum", "ns", "smallest D(i) - D(i - 1); negative: the later frame was faster", "RFC 8219 §7.3.2"
)
MEDIAN = Quantity("IPDV median", "ns", "median of D(i) - D(i - 1)", "RFC 8219 §7.3.2")
MAXIMUM = Quantity("IPDV maximum", "ns", "largest D(i) - D(i - 1)", "RFC 8219 §7.3.2")
MEAN = Quantity(
    "IPDV mean", "ns", "a check: not near 0, sender's and receiver's clocks drift apart", "RFC 5481 §4.1", role="beside"
)
PAIRS = Quantity("pairs", "frames", "pairs of consecutive frames, neither lost (RFC 5481 §4.1)", role="beside")


class Ipdv(DelayMeasure):
    """RFC 8219 §7.3.2: inter packet delay variation: minimum, median, maximum."""

    facts = Facts(
        title="Inter packet delay variation",
        standard="RFC 8219 §7.3.2",
        quantities=(MINIMUM, MEDIAN, MAXIMUM, MEAN, PAIRS, FRAMES_LOST, HELD_UP, WAITED),
        shortest=("RFC 8219 §7.3.2", 60.0),
    )

    procedure: Literal["ipdv"] = key(REQUIRED, "procedure")
    duration_s: Number = key(
        60.0, "how long each trial sends, in s", gt=0, le=86400, source="RFC 8219 §7.3.1: at least 60 s"
    )
    histogram: Truth = key(
        False,
        "keep the histogram of delays of the first repetition (of the delays, not of their variation)",
        source="RFC 8219 §7.2: a histogram of one iteration may be shown",
    )

    def delays_of(self, trial: TrialRequest) -> TrialRequest:
        """RFC 8219 §7.3.2: as for PDV, with the differences of consecutive frames."""
        return replace(trial, purpose="ipdv", delay_variation=True)

    def alone(self, conditions: Conditions) -> TrialRequest | None:
        """With the delay variation."""
        request = super().alone(conditions)
        return None if request is None else replace(request, delay_variation=True)

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One trial. Raises MeasurementFailed."""
        outcome, trials = measure_once(measure, self.request(conditions), self.retries)
        values = values_of_classes(outcome, ipdv_values)
        return Measured((*values, *own_delays(outcome, values)), trials, outcome.number)


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
