"""Packet delay variation: D99.9 - Dmin over all frames (RFC 8219 §7.3.1, RFC 5481 §4.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from xlatperf.engine.delays import Delays
from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, Number, key
from xlatperf.procedures.at_rate import DelayMeasure
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.of_classes import values_of_classes
from xlatperf.procedures.own_delays import HELD_UP, WAITED, own_delays
from xlatperf.procedures.quantity import Measured, Quantity, Value
from xlatperf.procedures.trial import Measure, measure_once
from xlatperf.procedures.trial_request import TrialRequest

PDV = Quantity("PDV", "ns", "packet delay variation: D99.9 - Dmin of all frames of a trial", "RFC 8219 §7.3.1")
D999 = Quantity("D99.9", "ns", "99.9th percentile of all delays, at most 0.1 % off", "RFC 8219 §7.3.1", role="beside")
DMIN = Quantity("Dmin", "ns", "shortest delay, exact", "RFC 8219 §7.3.1", role="beside")
ERROR = Quantity(
    "error of PDV",
    "ns",
    "the PDV is at most so much more or less: half the width of D99.9's bucket in the histogram of delays",
    role="beside",
)
DELAYS = Quantity("frames with a delay", "frames", "a lost frame has none (RFC 5481 §2)", role="beside")
FROM_DUE = Quantity(
    "PDV from due",
    "ns",
    "the same of delays from when a frame was due: a sender held up can't hide there",
    role="beside",
)


class Pdv(DelayMeasure):
    """RFC 8219 §7.3.1: packet delay variation, D99.9 - Dmin over all frames."""

    facts = Facts(
        title="Packet delay variation",
        standard="RFC 8219 §7.3.1",
        quantities=(PDV, ERROR, D999, DMIN, DELAYS, FRAMES_LOST, FROM_DUE, HELD_UP, WAITED),
        shortest=("RFC 8219 §7.3.1", 60.0),
    )

    procedure: Literal["pdv"] = key(REQUIRED, "procedure")
    duration_s: Number = key(
        60.0, "how long each trial sends, in s", gt=0, le=86400, source="RFC 8219 §7.3.1: at least 60 s"
    )

    def delays_of(self, trial: TrialRequest) -> TrialRequest:
        """RFC 8219 §7.3.1: a stream of at least 60 s, one-way delays of all frames."""
        return replace(trial, purpose="pdv", due_delays=True)

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One trial. Raises MeasurementFailed."""
        outcome, trials = measure_once(measure, self.request(conditions), self.retries)
        values = values_of_classes(outcome, pdv_values)
        return Measured((*values, *own_delays(outcome, values)), trials, outcome.number)


def pdv_values(name: DirectionName, delays: Delays, lost: int) -> list[Value]:
    """One direction's."""
    delay, due = delays.delay, delays.delay_from_due
    none = None if delay.count else "no frame came back"
    return [
        Value(PDV, name, _difference(delay.p999_ns, delay.min_ns), none),
        Value(ERROR, name, bucket_error_ns(delay.p999_ns) if delay.p999_ns is not None else None, none),
        Value(D999, name, delay.p999_ns, none),
        Value(DMIN, name, delay.min_ns, none),
        Value(DELAYS, name, float(delay.count)),
        Value(FRAMES_LOST, name, float(lost)),
        Value(FROM_DUE, name, _difference(due.p999_ns, due.min_ns) if due is not None else None),
    ]


def bucket_error_ns(percentile_ns: float) -> float:
    """How far a percentile is off at most: below 1024 ns each value has a bucket, above 512 share a power of two.

    Where the delays hardly differ that is a lot in comparison with the PDV, though little in comparison with the delay.
    """
    beyond_exact = int(percentile_ns).bit_length() - 10
    return 2.0 ** (beyond_exact - 1) if beyond_exact > 0 else 0.0


def _difference(high: float | None, low: float | None) -> float | None:
    return None if high is None or low is None else high - low
