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

    def exact(self, side: SideName) -> float:
        """On one side; of several the mean, which `left` and `right` have in whole bytes."""
        if self.mixed is None:
            return self.left if side == "left" else self.right
        of = [(one.left if side == "left" else one.right, one.frames) for one in self.mixed.shares]
        return sum(size * frames for size, frames in of) / sum(frames for _, frames in of)

    @property
    def text(self) -> str:
        """What several sizes as one traffic are; empty: there is one."""
        return "" if self.mixed is None else self.mixed.text


NamedSize = tuple[int, str]
"""What tells frames from others: the size that the bench file names, and what several as one traffic are."""


class Mix(Message):
    """`take` of `of` frames are foreground, the rest is native IPv6 background (RFC 8219 §5.3)."""

    take: int = Field(ge=0)
    of: int = Field(ge=1)
