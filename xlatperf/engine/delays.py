"""Delays in the engine's answers, as docs/protocol.md has them. Units are in the names."""

from __future__ import annotations

from pydantic import Field

from xlatperf.engine.message import Message


class Histogram(Message):
    """Log-linear histogram of delays: [bucket index, count] (docs/protocol.md says where each bucket lies)."""

    sub_bucket_bits: int
    counts: tuple[tuple[int, int], ...]

    def at_rank(self, rank: int) -> float:
        """The delay in ns, the middle of its bucket, that `rank` ones don't exceed, from 1. Raises ValueError."""
        before = 0
        for index, count in sorted(self.counts):
            before += count
            if rank <= before:
                return self._middle_ns(index)
        raise ValueError(f"it has {before} delays")

    def _middle_ns(self, index: int) -> float:
        half = 1 << (self.sub_bucket_bits - 1)
        shift = max(index // half - 1, 0)
        low = index if index < 2 * half else (half + index % half) << shift
        return low + ((1 << shift) - 1) / 2


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
