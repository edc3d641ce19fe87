"""A frame of the traffic as the engine shows it (docs/protocol.md, `show`)."""

from __future__ import annotations

from pydantic import Field

from xlatperf.engine.message import DirectionName, Message


class ShownFrame(Message):
    """A frame without FCS, as hex and as text."""

    hex: str
    text: str


class ShownSubscriber(Message):
    """Whose a frame is, of technologies with subscribers."""

    text: str


class Shown(Message):
    """One frame of the traffic: as sent and as it must come back."""

    direction: DirectionName
    number: int
    class_: str = Field(alias="class")
    sent: ShownFrame
    expected: ShownFrame
    subscriber: ShownSubscriber | None = None
    to_subscriber: ShownSubscriber | None = None
    pool: str | None = None

    @property
    def known(self) -> ShownFrame:
        """As it is sent; or expected, if who it is sent to is up to the DUT."""
        return self.expected if self.pool is not None and self.direction == "reverse" else self.sent
