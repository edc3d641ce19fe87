"""A frame of the traffic as the engine shows it (docs/protocol.md, `show`)."""

from __future__ import annotations

from pydantic import Field

from xlatperf.engine.message import DirectionName, Message

_FCS = 4


class ShownFrame(Message):
    """A frame without FCS, as hex and as text."""

    hex: str
    text: str

    @property
    def size(self) -> int:
        """In bytes, with FCS."""
        return len(self.hex) // 2 + _FCS

    def without_tag(self) -> ShownFrame:
        """As `exchange` sends and shows it: it's the engine that puts a link's VLAN tag in and takes it out."""
        macs, tag = 2 * 12, 2 * 4
        has_one = self.hex[macs:].startswith("8100")
        return ShownFrame(hex=self.hex[:macs] + self.hex[macs + tag :], text=self.text) if has_one else self


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

    def without_tags(self) -> Shown:
        """Of both."""
        return self.model_copy(update={"sent": self.sent.without_tag(), "expected": self.expected.without_tag()})

    @property
    def known(self) -> ShownFrame:
        """As it is sent; or expected, if who it is sent to is up to the DUT."""
        return self.expected if self.pool is not None and self.direction == "reverse" else self.sent
