"""Probes through the engine's ports: each with an ordinary packet behind it, whose return ends the wait."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from xlatperf.conformance.came import Came, is_of
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import Ipv4, Packet, parse
from xlatperf.conformance.probe import Make
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.trying import RATE_LIMIT_S, Attempt, CannotTry, Sleep, findings
from xlatperf.engine.client import Engine
from xlatperf.engine.message import SideName
from xlatperf.engine.messages import ExchangeAnswer

WAIT_S, ERRORS_S = 1.0, 0.03
"""For the ordinary packet; for errors behind it, which take another way."""
_LEAST = 60
_ETHERTYPES = (b"\x08\x00", b"\x86\xdd")


@dataclass(frozen=True)
class Way:
    """One way through the device: the ends, the sides, and the MAC addresses of Tester and device where it begins."""

    ends: Ends
    sent_from: SideName
    comes_to: SideName
    port_mac: bytes
    device_mac: bytes

    def frame(self, packet: Packet) -> bytes:
        """Without FCS, with Ethernet's padding."""
        sent = self.ends.on_link(packet)
        ethertype = b"\x08\x00" if isinstance(sent, Ipv4) else b"\x86\xdd"
        return (self.device_mac + self.port_mac + ethertype + bytes(sent)).ljust(_LEAST, b"\0")


Renew = Callable[[], Way | None]
"""The way as it is now; None: ordinary packets don't come through."""


class Exchanges:
    """The probes of one device, one after the other."""

    def __init__(self, engine: Engine, sleep: Sleep = time.sleep) -> None:
        self._engine = engine
        self._error_at: float | None = None
        self.sleep = sleep

    def findings(self, way: Way, makes: Sequence[Make], renewed: Renew | None = None) -> Iterator[Finding]:
        """Of each rule of these probes.

        `renewed`: asked before each probe for the way as it is by then. Raises EngineError, EngineDied.
        """
        now = renewed or (lambda: way)
        probes = [(make, make(way.ends)) for make in makes]
        yield from findings(
            (Attempt(one.rules, partial(self._once, now, make), one.answered) for make, one in probes), self.sleep
        )

    def _once(self, renewed: Renew, make: Make) -> list[Finding] | None:
        way = renewed()
        if way is None:
            return None
        ends = way.ends.marked(secrets.token_bytes(8))
        probe = make(ends)
        if lacks := ends.lacking(probe.packets):
            raise CannotTry(lacks)
        if probe.silent:
            self.until_errors_may_come()
        came = self.came(way, probe.packets, ends.mark)
        return None if came is None else list(probe.judge(came))

    def came(self, way: Way, packets: Sequence[Packet], mark: bytes, errors_s: float = ERRORS_S) -> Came | None:
        """What comes of packets with that mark, and an ordinary one behind them, for whose errors so long is waited.

        None: that one didn't come, or not all that came is known. Raises EngineError, EngineDied.
        """
        fence = way.ends.marked(secrets.token_bytes(16))
        frames = [(way.sent_from, way.frame(packet)) for packet in (*packets, fence.udp(16))]
        answer = self._engine.exchange(frames, until=fence.mark, wait_s=WAIT_S, after_s=errors_s)
        if not answer.until_seen or answer.sent < len(frames) or answer.more:
            return None
        far = tuple(_packets(answer, way.comes_to, packets, mark))
        near = tuple(_packets(answer, way.sent_from, packets, mark))
        if way.comes_to == way.sent_from:
            far = tuple(one for one in far if not way.ends.is_answer(one))
            near = tuple(one for one in near if way.ends.is_answer(one))
        came = Came(far, near)
        if came.error is not None:
            self._error_at = time.monotonic()
        return came

    def until_errors_may_come(self) -> None:
        """Before silence says something: the last one seen may have used up what a device allows itself."""
        if self._error_at is not None:
            self.sleep(max(0.0, self._error_at + RATE_LIMIT_S - time.monotonic()))


def _packets(answer: ExchangeAnswer, side: SideName, sent: Sequence[Packet], mark: bytes) -> Iterator[Packet]:
    for one in answer.left if side == "left" else answer.right:
        frame = bytes.fromhex(one.hex)
        packet = parse(frame[14:]) if frame[12:14] in _ETHERTYPES else None
        if packet is not None and is_of(packet, sent, mark):
            yield packet
