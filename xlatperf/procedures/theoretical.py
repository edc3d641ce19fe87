"""The theoretical maximum frame rate of a medium (RFC 8219 App. A; RFC 2544 §20)."""

from __future__ import annotations

from collections.abc import Iterable

PREAMBLE_AND_GAP = 20
"""Bytes on the line beside the frame: preamble and start delimiter 8, inter-frame gap 12."""


def maximum_fps(media_mbps: float, frame_sizes: Iterable[float]) -> float:
    """Frames per second per direction that a line of `media_mbps` Mbit/s can carry.

    `frame_sizes`: the frame with FCS in bytes on every segment; the larger one bounds the rate (RFC 8219 §5.1). This is
    App. A's LineRate / (8 (X + O + 20)) with X + O being that larger frame. ValueError if there is no size.
    """
    largest = max(frame_sizes)
    return media_mbps * 1e6 / (8 * (largest + PREAMBLE_AND_GAP))


def mean_maximum_fps(
    media_mbps: float, foreground: Iterable[float], background: float, take: int, of: int, *, together: bool = False
) -> float:
    """The same for a mix: `take` of `of` frames have the foreground's sizes, the rest is `background` bytes long.

    On each segment the mean frame counts; the segment with the largest mean bounds the rate. `together`: both
    directions are on one line, which carries a frame of each size for each pair of frames.
    """
    means = [(take * size + (of - take) * background) / of for size in foreground]
    on_line = sum(size + PREAMBLE_AND_GAP for size in means) if together else max(means) + PREAMBLE_AND_GAP
    return media_mbps * 1e6 / (8 * on_line)
