"""The series that one measure has: frame sizes, numbers of connections, of simulated subscribers and of cores."""

from __future__ import annotations

from typing import NamedTuple


class Series(NamedTuple):
    """What one result is for; None: as the rest of the bench file says."""

    frame_size: int
    connections: int | None = None
    subscribers: int | None = None
    device_cores: int | None = None


class Variant(NamedTuple):
    """What differs between series that are for the same."""

    frame_timeout_ms: float | None = None
    share: float | None = None
    """Of the throughput."""
