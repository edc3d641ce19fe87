"""What one result is for: the series that one measure has."""

from __future__ import annotations

from typing import NamedTuple

from xlatperf.procedures.size_mix import SizeMix

PortBounds = tuple[int, int]
"""Lowest and highest."""


class Series(NamedTuple):
    """What one result is for; None: as the rest of the bench file says.

    `mixed`: several sizes as one traffic; `frame_size` is then their mean, rounded.
    """

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
    mixed: SizeMix | None = None

    @classmethod
    def of_size(cls, size: int | SizeMix) -> Series:
        """With nothing else."""
        return cls(size) if isinstance(size, int) else cls(size.mean, mixed=size)

    @property
    def size_text(self) -> str:
        """As the bench file names it."""
        return str(self.frame_size if self.mixed is None else self.mixed)


class Variant(NamedTuple):
    """What differs between series that are for the same."""

    frame_timeout_ms: float | None = None
    share: float | None = None
    """Of the throughput."""
