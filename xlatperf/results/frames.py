"""The frames of a measurement in results.json."""

from __future__ import annotations

from pydantic import Field

from xlatperf.engine.message import Message, SideName


class SizeShare(Message):
    """One of several sizes: `frames` of those that are sent before the sequence repeats, in bytes with FCS."""

    left: int
    right: int
    frames: int = Field(ge=1)


class MixedSizes(Message):
    """Several sizes as one traffic (RFC 6985)."""

    text: str = Field(description="what the sequence is called: `7x84+4x594+1x1518`, a genome, or a name")
    shares: tuple[SizeShare, ...]


class SideSizes(Message):
    """Foreground frame size on each side in bytes with FCS (RFC 8219 §5.1: the larger one bounds the rate)."""

    left: int
    right: int
    mixed: MixedSizes | None = Field(
        default=None, description="several sizes as one traffic; left and right are then their mean, rounded"
    )

    @property
    def mean_left(self) -> float:
        """Exactly, where `left` is rounded."""
        return float(self.left) if self.mixed is None else _mean([(one.left, one.frames) for one in self.mixed.shares])

    @property
    def mean_right(self) -> float:
        """The same on the right."""
        return (
            float(self.right) if self.mixed is None else _mean([(one.right, one.frames) for one in self.mixed.shares])
        )


def exact_size(sizes: SideSizes, side: SideName) -> float:
    """A whole number, or the mean of several."""
    if sizes.mixed is None:
        return sizes.left if side == "left" else sizes.right
    return sizes.mean_left if side == "left" else sizes.mean_right


def text_of(sizes: SideSizes) -> str:
    """What several sizes as one traffic are; empty: there is one."""
    return "" if sizes.mixed is None else sizes.mixed.text


NamedSize = tuple[int, str]
"""What the bench file names: a size; of several as one traffic the mean, rounded, and what they are."""


def named_size(size: int, sides: SideSizes) -> NamedSize:
    """Unlike that of all other frames."""
    return size, text_of(sides)


def _mean(shares: list[tuple[int, int]]) -> float:
    return sum(size * frames for size, frames in shares) / sum(frames for _, frames in shares)


class Mix(Message):
    """`take` of `of` frames are foreground, the rest is native IPv6 background (RFC 8219 §5.3)."""

    take: int = Field(ge=0)
    of: int = Field(ge=1)
