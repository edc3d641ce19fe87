"""Procedures at a rate that is known before, and those of them that are about delays."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field, model_validator

from xlatperf.keys.model import Number, Truth, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.incremental_load import IncrementalLoad
from xlatperf.procedures.procedure import Rate
from xlatperf.procedures.series import Variant
from xlatperf.procedures.shared_keys import TrafficMeasure
from xlatperf.procedures.trial_request import Tags, TrialRequest

TAGS = 10_000
"""Of a trial, unless a key says it."""


class AtRate(TrafficMeasure):
    """The rate: given, or shares of the throughput that the bench finds for the same frames."""

    rate_fps: Rate | None = key(
        None,
        "rate per direction in frames per second; not set: from the throughput measure of this file for the same "
        "frame size and direction",
        allowed="a number, above 0 to 1000000000",
        source="RFC 8219 §7.2, §7.3: the throughput, to be determined first",
    )
    shares: tuple[Annotated[Number, Field(gt=0, le=1)], ...] = key(
        (1.0,),
        "shares of that throughput (the median of its repetitions), each a series of its own",
        allowed="a list of numbers above 0 to 1, each once, such as [0.1, 0.5, 0.9, 1.0]",
        source="RFC 8219 §7.2, §7.3: 1; queues are full there, so lower shares are worth a look",
        min_length=1,
    )

    @property
    def given_by(self) -> str:
        """The rate."""
        return "rate_fps"

    @property
    def asked_fps(self) -> float:
        """As a key."""
        return max(super().asked_fps, self.rate_fps or 0.0)

    @property
    def variants(self) -> Sequence[Variant]:
        """One for each share."""
        return (Variant(),) if self.rate_fps is not None else [Variant(share=share) for share in self.shares]

    def rate_at(self, throughput_fps: float | None, share: float | None) -> float | None:
        """The key's, or a share of the throughput, in whole frames per second."""
        if throughput_fps is None:
            return self.rate_fps
        return float(max(1, int(throughput_fps * (1.0 if share is None else share))))

    @model_validator(mode="after")
    def _one_rate(self) -> AtRate:
        if len(set(self.shares)) != len(self.shares):
            refuse("shares", self.shares, "each share once")
        if self.rate_fps is not None and self.shares != type(self).model_fields["shares"].default:
            refuse("shares", self.shares, "shares of the throughput, without rate_fps")
        return self


class DelayMeasure(AtRate, IncrementalLoad):
    """What latency and delay variation have in common."""

    histogram: Truth = key(
        True,
        "keep the histogram of delays of the first repetition, for the report's plot",
        source="RFC 8219 §7.2: a histogram of one iteration may be shown",
    )
    raw_delays: Truth = key(
        False,
        "keep every frame's delay as Parquet files in the campaign's folder, at most 100 million frames a direction",
    )
    tester_alone_s: Number = key(
        10.0,
        "how long the Tester is measured at the same rate without the DUT, in s, to be shown beside; 0: not at all",
        ge=0,
        le=86400,
        source="RFC 8219 §9.2.1 asks it for DNS64 only",
    )
    repetitions: Whole = key(20, "number of trials", ge=1, le=10000, source="RFC 8219 §7.2, §7.3: at least 20")

    @property
    def keeps_histogram(self) -> bool:
        """As a key."""
        return self.histogram

    @property
    def keeps_raw_delays(self) -> bool:
        """As a key."""
        return self.raw_delays

    def deviations(self) -> Iterator[Deviation]:
        """RFC 8219 §7.2, §7.3."""
        yield from super().deviations()
        section = self.facts.shortest[0]
        if self.repetitions < 20:
            yield Deviation(section, "at least 20 repetitions", f"{self.label}: {self.repetitions} repetitions")
        if self.rate_fps is not None:
            yield Deviation(section, "the rate is the throughput", f"{self.label}: {self.rate_fps:g} fps per direction")
        elif set(self.shares) != {1.0}:
            shares = ", ".join(f"{100 * share:g} %" for share in self.shares)
            yield Deviation(section, "the rate is the throughput", f"{self.label}: {shares} of it")

    def request(self, conditions: Conditions) -> TrialRequest:
        """One trial, whose raw delays and histogram are kept if they are wanted."""
        histograms = self.histogram and conditions.repetition == 1
        return self.delays_of(replace(conditions.at_rate, raw_delays=self.raw_delays, histograms=histograms))

    @abstractmethod
    def delays_of(self, trial: TrialRequest) -> TrialRequest:
        """The trial with what the benchmark wants of the delays."""

    def alone(self, conditions: Conditions) -> TrialRequest | None:
        """For TL, WCL and PDV of the Tester itself."""
        if not self.tester_alone_s or conditions.rate_fps is None:
            return None
        duration_s = min(self.duration_s, self.tester_alone_s)
        trial = conditions.trial.at(conditions.rate_fps, duration_s, "tester alone")
        return replace(
            trial,
            incremental=None,
            tester_alone=True,
            tags=Tags(self.alone_tags, duration_s / 2),
            due_delays=True,
            histograms=self.histogram,
        )

    @property
    def alone_tags(self) -> int:
        """Frames that are tagged when the Tester is measured alone."""
        return TAGS
