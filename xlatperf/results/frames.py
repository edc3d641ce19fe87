"""The frames of a measurement in results.json."""

from __future__ import annotations

from pydantic import Field

from xlatperf.engine.message import Message


class SideSizes(Message):
    """Foreground frame size on each side in bytes with FCS (RFC 8219 §5.1: the larger one bounds the rate)."""

    left: int
    right: int


class Mix(Message):
    """`take` of `of` frames are foreground, the rest is native IPv6 background (RFC 8219 §5.3)."""

    take: int = Field(ge=0)
    of: int = Field(ge=1)
