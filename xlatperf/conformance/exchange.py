"""Probes through the engine's ports: each with an ordinary packet behind it, whose return ends the wait."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import Ipv4, Packet, parse
from xlatperf.conformance.probe import Came, Make, Probe, of_probe
from xlatperf.conformance.rule import Finding, Verdict
from xlatperf.engine.client import Engine
from xlatperf.engine.message import SideName
from xlatperf.engine.messages import ExchangeAnswer

WAIT_S, ERRORS_S, ATTEMPTS = 1.0, 0.03, 3
"""For the ordinary packet; for errors behind it, which take another way; before a rule counts as not kept."""
MOST_SILENT = 2
NOTHING = "ordinary packets don't come through"
SINCE = f"from this one on {NOTHING}"
"""It may be that the device didn't survive it."""
RATE_LIMIT_S = 1.1
"""A device may send one error per second to a host (RFC 1812 §4.3.2.8, RFC 4443 §2.4 f; Linux: icmp_ratelimit)."""
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
        ethertype = b"\x08\x00" if isinstance(packet, Ipv4) else b"\x86\xdd"
        return (self.device_mac + self.port_mac + ethertype + bytes(packet)).ljust(_LEAST, b"\0")


Sleep = Callable[[float], None]


class Exchanges:
    """The probes of one device, one after the other."""

    def __init__(self, engine: Engine, sleep: Sleep = time.sleep) -> None:
        self._engine = engine
        self._sleep = sleep

    def findings(self, way: Way, makes: Sequence[Make]) -> Iterator[Finding]:
        """Of each rule of these probes; after `MOST_SILENT` of them in a row none is sent any more.

        Raises EngineError, EngineDied.
        """
        silent = 0
        for number, make in enumerate(makes):
            found = None if silent >= MOST_SILENT else self._probe(way, make)
            if found is None:
                silent += 1
                why = SINCE if silent == 1 and number else NOTHING
                found = [Finding(rule, Verdict.NOT_TRIED, why) for rule in make(way.ends).rules]
            else:
                silent = 0
            yield from found

    def _probe(self, way: Way, make: Make) -> list[Finding] | None:
        """A rule that isn't kept is tried again: a busy host may lose a packet, a rate limit an error.

        None: no ordinary packet came through.
        """
        found: list[Finding] | None = None
        for attempt in range(ATTEMPTS):
            ends = way.ends.marked(secrets.token_bytes(8))
            probe = make(ends)
            if attempt and probe.answered:
                self._sleep(RATE_LIMIT_S)
            came = self._came(way, probe, ends)
            if came is None:
                continue
            found = list(probe.judge(came))
            if all(one.verdict is not Verdict.NOT_KEPT for one in found):
                break
        return found

    def _came(self, way: Way, probe: Probe, ends: Ends) -> Came | None:
        """None: the ordinary packet behind didn't come, or not all that came is known."""
        fence = way.ends.marked(secrets.token_bytes(16))
        frames = [(way.sent_from, way.frame(packet)) for packet in (*probe.packets, fence.udp(16))]
        answer = self._engine.exchange(frames, until=fence.mark, wait_s=WAIT_S, after_s=ERRORS_S)
        if not answer.until_seen or answer.sent < len(frames) or answer.more:
            return None
        return Came(
            far=tuple(_packets(answer, way.comes_to, probe, ends.mark)),
            near=tuple(_packets(answer, way.sent_from, probe, ends.mark)),
        )


def _packets(answer: ExchangeAnswer, side: SideName, probe: Probe, mark: bytes) -> Iterator[Packet]:
    for one in answer.left if side == "left" else answer.right:
        frame = bytes.fromhex(one.hex)
        packet = parse(frame[14:]) if frame[12:14] in _ETHERTYPES else None
        if packet is not None and of_probe(packet, probe, mark):
            yield packet
