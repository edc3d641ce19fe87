"""Sessions of a client, in which rules are tried."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlatperf.conformance.bindings import Binding
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.handshake import segment, syn
from xlatperf.conformance.packet import ICMP, TCP, Packet
from xlatperf.conformance.probe import kept
from xlatperf.conformance.rule import Finding, Level, Rule
from xlatperf.conformance.stateful.clients import Clients
from xlatperf.conformance.transport import ACK, PUSH, SYN
from xlatperf.conformance.trying import ATTEMPTS, NO_SESSION, Attempt, CannotTry, findings

OPENED = (
    (TCP, Rule("RFC 5382 §4.2", Level.MUST, "a client's SYN, its answer and the segments behind them come through")),
    (ICMP, Rule("RFC 5508 §3.1", Level.MUST, "a client's Echo Request comes through")),
)
"""Of a NAT44 (REQ-2; REQ-1)."""


@dataclass
class Sessions:
    """A UDP, a TCP and an ICMP session of a client with the server."""

    exchanges: Exchanges
    clients: Clients
    _connected: Binding | None = None

    def outward(self) -> Way | None:
        """From the client. None: ordinary packets don't come through. Raises CannotTry, EngineError, EngineDied."""
        bindings = self._bindings()
        return None if bindings is None else replace(self.clients.outward, ends=self.clients.out_by(bindings))

    def inward(self) -> Way | None:
        """From the server to the client's UDP session, by default. As `outward`."""
        bindings = self._bindings()
        return None if bindings is None else self._back(bindings)

    def opened(self) -> Iterator[Finding]:
        """Whether there are any of TCP and of queries, without which their rules aren't tried.

        Raises EngineError, EngineDied.
        """
        attempt = Attempt(tuple(rule for _, rule in OPENED), self._which_are_open)
        yield from findings((attempt,), self.exchanges.sleep)

    def _which_are_open(self) -> list[Finding] | None:
        bindings = self._bindings()
        if bindings is None:
            return None
        known = {one.protocol for one in bindings}
        return [kept(rule, protocol in known, "not all of it came through") for protocol, rule in OPENED]

    def _back(self, bindings: tuple[Binding, ...]) -> Way:
        return replace(self.clients.inward, ends=self.clients.back_by(bindings))

    def _bindings(self) -> tuple[Binding, ...] | None:
        """As they are now, UDP first."""
        client = self.clients.outward.ends.marked(secrets.token_bytes(8))
        datagram = client.udp()
        came = self.exchanges.came(self.clients.outward, (datagram,), client.mark, errors_s=0.0)
        if came is None:
            return None
        ordinary = self.clients.bound(datagram, came) or self._opened(datagram, client.mark)
        if ordinary is None:
            raise CannotTry(NO_SESSION)
        query = self._opened(client.query(), client.mark)
        if self._connected is None:
            self._connected = self._connect(client, ordinary)
        return (ordinary, *(one for one in (query, self._connected) if one is not None))

    def _opened(self, packet: Packet, mark: bytes) -> Binding | None:
        """By a client's packet, which is sent again if nothing comes of it: a busy host may lose one."""
        for _ in range(ATTEMPTS):
            came = self.exchanges.came(self.clients.outward, (packet,), mark, errors_s=0.0)
            binding = None if came is None else self.clients.bound(packet, came)
            if binding is not None:
                return binding
        return None

    def _comes(self, way: Way, packet: Packet, mark: bytes) -> bool:
        """The same, of any packet."""
        for _ in range(ATTEMPTS):
            came = self.exchanges.came(way, (packet,), mark, errors_s=0.0)
            if came is not None and len(way.ends.opened(came).far) == 1:
                return True
        return False

    def _connect(self, client: Ends, ordinary: Binding) -> Binding | None:
        """By TCP's handshake (RFC 9293 §3.5); None: not all of it came through."""
        binding = self._opened(syn(client), client.mark)
        if binding is None:
            return None
        way = self._back((ordinary, binding))
        answer = segment(way.ends.by(TCP).marked(client.mark), SYN | ACK, numbers=(0, 1))
        data = segment(client, ACK | PUSH, numbers=(1, 1))
        both = self._comes(way, answer, client.mark) and self._comes(self.clients.outward, data, client.mark)
        return binding if both else None
