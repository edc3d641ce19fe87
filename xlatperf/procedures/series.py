"""What one result is for: the series that one measure has."""

from __future__ import annotations

from typing import NamedTuple

PortBounds = tuple[int, int]
"""Lowest and highest."""


class Series(NamedTuple):
    """What one result is for; None: as the rest of the bench file says."""

    frame_size: int
    connections: int | None = None
    subscribers: int | None = None
    device_cores: int | None = None
    networks: int | None = None
    client_ports: PortBounds | None = None
    server_ports: PortBounds | None = None
    table_size: int | None = None
    hash_size: int | None = None
    flows: int | None = None


class Variant(NamedTuple):
    """What differs between series that are for the same."""

    frame_timeout_ms: float | None = None
    share: float | None = None
    """Of the throughput."""
