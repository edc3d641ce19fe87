"""Writes frames to a pcap file: the classic format, link type 1 (Ethernet), little endian, time stamps 0."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

MAGIC = 0xA1B2C3D4
LINKTYPE_ETHERNET = 1
SNAPLEN = 65535


def write_pcap(path: Path, frames: Iterable[bytes]) -> None:
    """Frames without FCS, one millisecond apart. Raises OSError."""
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", MAGIC, 2, 4, 0, 0, SNAPLEN, LINKTYPE_ETHERNET))
        for index, frame in enumerate(frames):
            seconds, microseconds = divmod(index * 1000, 1_000_000)
            file.write(struct.pack("<IIII", seconds, microseconds, len(frame), len(frame)) + frame)
