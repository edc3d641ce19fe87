"""Delays in the engine's answers, as docs/protocol.md has them. Units are in the names."""

from __future__ import annotations

from pydantic import Field

from xlatperf.engine.message import Message


class Histogram(Message):
    """Log-linear histogram of delays: [bucket index, count] (docs/protocol.md says where each bucket lies)."""

    sub_bucket_bits: int
    counts: tuple[tuple[int, int], ...]


class Delay(Message):
    """Summary of delays in ns; all but the counts are None when count is 0. Percentiles by RFC 2330 §11.3.

    The histogram has a file of its own, so results.json doesn't have it.
    """

    count: int
    negative: int = 0
    min_ns: float | None = None
    p1_ns: float | None = None
    median_ns: float | None = None
    mean_ns: float | None = None
    p99_ns: float | None = None
    p999_ns: float | None = None
    max_ns: float | None = None
    histogram: Histogram | None = Field(default=None, exclude=True)


class Tagged(Message):
    """Delays of the tagged frames (RFC 8219 §7.2), exact values; None when none was received."""

    sent: int
    received: int
    min_ns: float | None = None
    median_ns: float | None = None
    p999_ns: float | None = None
    max_ns: float | None = None


class DelayVariation(Message):
    """IPDV of pairs of consecutive frames, both received (RFC 5481 §4.1); signed; None without a pair."""

    pairs: int
    min_ns: float | None = None
    median_ns: float | None = None
    max_ns: float | None = None
    mean_ns: float | None = None


class Delays(Message):
    """Delays of the frames of one class, or of all; what wasn't asked for is None."""

    delay: Delay
    tagged: Tagged | None = None
    delay_variation: DelayVariation | None = None
    delay_from_due: Delay | None = None
