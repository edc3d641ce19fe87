"""Latency: delays of tagged frames at the throughput (RFC 8219 §7.2, which replaces RFC 2544 §26.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from pydantic import model_validator

from xlatperf.engine.delays import Delays
from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, Number, Whole, key
from xlatperf.keys.not_allowed import exact, refuse
from xlatperf.procedures.at_rate import TAGS, DelayMeasure
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.of_classes import values_of_classes
from xlatperf.procedures.own_delays import HELD_UP, WAITED, own_delays
from xlatperf.procedures.procedure import Parameter
from xlatperf.procedures.quantity import Measured, Quantity, Value
from xlatperf.procedures.trial import Measure, measure_once
from xlatperf.procedures.trial_request import Tags, TrialRequest

DEFINITION = (
    "RFC 1242 §3.8 defines latency for store and forward devices (last bit in to first bit out) and for bit forwarding "
    "devices (first bit in to first bit out). Here it is the store and forward one, as near as software comes: from "
    "the time stamp that the Tester takes when it hands a finished frame, with the others that are due, to its port's "
    "transmit queue (one that was due before it could be finished gets it before it is written), to the one that it "
    "takes right after it took the frame, with the others that had arrived, from the receive queue. It therefore also "
    "contains both frames' time on the wire, the Tester's drivers and queues, and up to one burst of sending: it is "
    "never too small. What the Tester alone takes is measured and shown beside."
)
"""RFC 8219 §7.2: the report must name the RFC 1242 definition used."""

ENOUGH_FOR_P999 = 1000
"""With fewer values the 99.9th percentile of RFC 2330 §11.3 is the maximum."""

TL = Quantity("TL", "ns", "typical latency: median delay of the tagged frames of a trial", "RFC 8219 §7.2")
WCL = Quantity("WCL", "ns", "worst-case latency: 99.9th percentile of the tagged frames of a trial", "RFC 8219 §7.2")
TAGGED_MIN = Quantity("tagged minimum", "ns", "shortest delay of a tagged frame", role="beside")
TAGGED_MAX = Quantity("tagged maximum", "ns", "longest delay of a tagged frame", role="beside")
TAGS_SENT = Quantity("tags sent", "frames", "tagged frames sent", "RFC 8219 §7.2", role="beside")
TAGS_RECEIVED = Quantity("tags received", "frames", "tagged frames received; only these have a delay", role="beside")
TAGS_LOST = Quantity("tags lost", "frames", "tagged frames that have no delay", role="beside")
FRAMES_LOST = Quantity("frames lost", "frames", "of all frames, tagged or not", role="beside")
FROM_DUE = Quantity(
    "P99.9 from due",
    "ns",
    "99.9th percentile over all frames of the delay from when a frame was due: a sender held up can't hide there",
    role="beside",
)


class Latency(DelayMeasure):
    """RFC 8219 §7.2: typical latency (TL) and worst-case latency (WCL) of tagged frames."""

    facts = Facts(
        title="Latency",
        standard="RFC 8219 §7.2",
        quantities=(
            TL,
            WCL,
            TAGGED_MIN,
            TAGGED_MAX,
            TAGS_SENT,
            TAGS_RECEIVED,
            TAGS_LOST,
            FRAMES_LOST,
            FROM_DUE,
            HELD_UP,
            WAITED,
        ),
        shortest=("RFC 8219 §7.2", 120.0),
        definition=DEFINITION,
    )

    procedure: Literal["latency"] = key(REQUIRED, "procedure")
    duration_s: Number = key(
        120.0, "how long each trial sends, in s", gt=0, le=86400, source="RFC 8219 §7.2: at least 120 s"
    )
    tags: Whole = key(
        TAGS,
        "number of tagged frames per direction, with background as many of each class and of all; below 1000 the "
        "99.9th percentile is the maximum (RFC 2330 §11.3)",
        ge=500,
        le=10_000_000,
        source="RFC 8219 §7.2: at least 500",
    )
    tags_from_s: Number | None = key(
        None,
        "frames are tagged from this time on, in s; not set: from half of the duration on",
        ge=0,
        le=86400,
        source="RFC 8219 §7.2: after 60 s",
    )

    @property
    def first_tag_s(self) -> float:
        """When the first frame may be tagged."""
        return self.duration_s / 2 if self.tags_from_s is None else self.tags_from_s

    @model_validator(mode="after")
    def _tags_within(self) -> Latency:
        if self.first_tag_s >= self.duration_s:
            refuse("tags_from_s", self.first_tag_s, f"less than duration_s, which is {exact(self.duration_s)}")
        return self

    @property
    def alone_tags(self) -> int:
        """As many as with the DUT."""
        return self.tags

    def parameters(self) -> dict[str, Parameter]:
        """Tagged frames."""
        return {**super().parameters(), "tags": self.tags, "tags_from_s": self.first_tag_s}

    def deviations(self) -> Iterator[Deviation]:
        """When tagging begins."""
        yield from super().deviations()
        if self.first_tag_s < 60:
            yield Deviation(
                self.facts.shortest[0], "tagged frames after 60 s", f"{self.label}: after {self.first_tag_s:g} s"
            )

    def delays_of(self, trial: TrialRequest) -> TrialRequest:
        """RFC 8219 §7.2: a stream of at least 120 s, tags in at least 500 frames after 60 s, of which all flows are."""
        from_s = self.first_tag_s + trial.begun_s
        return replace(trial, purpose="latency", tags=Tags(self.tags, from_s), due_delays=True)

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One trial. Raises MeasurementFailed."""
        outcome, trials = measure_once(measure, self.request(conditions), self.retries)
        values = values_of_classes(outcome, latency_values)
        counts = [value.value for value in values if value.quantity is TAGS_RECEIVED and value.value is not None]
        remarks = [
            f"{count:.0f} tags received: the 99.9th percentile of fewer than {ENOUGH_FOR_P999} values is their maximum "
            "(RFC 2330 §11.3)"
            for count in sorted(set(counts))
            if 0 < count < ENOUGH_FOR_P999
        ]
        return Measured((*values, *own_delays(outcome, values)), trials, outcome.number, tuple(remarks))


def latency_values(name: DirectionName, delays: Delays, lost: int) -> list[Value]:
    """One direction's. A lost frame has no delay (RFC 8219 §7.2: delays are of frames received)."""
    tagged, due = delays.tagged, delays.delay_from_due
    sent = tagged.sent if tagged is not None else 0
    received = tagged.received if tagged is not None else 0
    none = None if received else "no tagged frame came back"
    return [
        Value(TL, name, tagged.median_ns if tagged is not None else None, none),
        Value(WCL, name, tagged.p999_ns if tagged is not None else None, none),
        Value(TAGGED_MIN, name, tagged.min_ns if tagged is not None else None, none),
        Value(TAGGED_MAX, name, tagged.max_ns if tagged is not None else None, none),
        Value(TAGS_SENT, name, float(sent)),
        Value(TAGS_RECEIVED, name, float(received)),
        Value(TAGS_LOST, name, float(sent - received)),
        Value(FRAMES_LOST, name, float(lost)),
        Value(FROM_DUE, name, due.p999_ns if due is not None else None),
    ]
