"""Procedures that overload the DUT."""

from __future__ import annotations

from xlatperf.keys.model import key
from xlatperf.procedures.procedure import Rate
from xlatperf.procedures.shared_keys import TrafficMeasure, UpToMaximum


class Overload(UpToMaximum, TrafficMeasure):
    """More than the throughput, which must be known."""

    throughput_fps: Rate | None = key(
        None,
        "the DUT's throughput per direction; not set: from the throughput measure of this file for the same frame "
        "size and direction",
        allowed="a number, above 0 to 1000000000",
        source="RFC 2544 §26.5; RFC 9004 §5: it must be available",
    )

    @property
    def given_by(self) -> str:
        """The throughput."""
        return "throughput_fps"

    @property
    def given_throughput_fps(self) -> float | None:
        """As a key."""
        return self.throughput_fps
