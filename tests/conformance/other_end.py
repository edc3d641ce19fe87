"""What all devices in Python have that are an engine's other end: frames in and out, and fragments put together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from xlatperf.conformance.packet import Ipv4, Ipv6, Packet, parse
from xlatperf.conformance.reassembly import identification_of, reassembled
from xlatperf.engine.message import SideName
from xlatperf.engine.messages import ExchangeAnswer, ReceivedFrame


class OtherEnd(ABC):
    """As Exchanges ask it."""

    @abstractmethod
    def out(self, side: SideName, sent: Packet) -> Iterator[tuple[SideName, Packet]]:
        """What comes of a packet that was sent from that side, and to which it comes."""

    def exchange(self, frames: Sequence[tuple[SideName, bytes]], *, until: bytes, **_: Any) -> ExchangeAnswer:
        """As Engine does."""
        came: dict[SideName, list[ReceivedFrame]] = {"left": [], "right": []}
        for side, frame in frames:
            sent = parse(frame[14:])
            assert sent is not None
            for other, packet in self.out(side, sent):
                ethertype = "86dd" if isinstance(packet, Ipv6) else "0800"
                came[other].append(ReceivedFrame(hex="00" * 12 + ethertype + bytes(packet).hex(), after_us=1))
        seen = any(until.hex() in one.hex for both in came.values() for one in both)
        return ExchangeAnswer(sent=len(frames), left=tuple(came["left"]), right=tuple(came["right"]), until_seen=seen)


class Joiner:
    """Of fragments, in any order or in order only."""

    def __init__(self, *, in_order: bool) -> None:
        self._in_order = in_order
        self._parts: dict[Any, list[Packet]] = {}

    def joined(self, part: Packet) -> Packet | None:
        """The whole with its last part."""
        key = (part.source, part.destination, identification_of(part))
        if self._in_order and not self._parts.get(key) and _offset(part):
            return None
        own = self._parts.setdefault(key, [])
        own.append(part)
        whole = reassembled(own)
        if whole is not None:
            del self._parts[key]
        return whole

    def forget(self) -> None:
        """All that isn't whole yet."""
        self._parts.clear()


def next_port(port: int, step: int) -> int:
    """The one that a translator tries when this is taken; after the last, the first of the same parity from 1024."""
    return port + step if port + step <= 65535 else 1024 + (port + step) % 2


def _offset(part: Packet) -> int:
    return part.offset if isinstance(part, Ipv4) else part.fragment.offset if part.fragment else 0
