"""Sessions of a client through a NAT44, in which rules are tried."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from xlatperf.conformance.clients import ClientEnds
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.handshake import segment, syn
from xlatperf.conformance.nat44 import NatBinding
from xlatperf.conformance.packet import TCP, Packet
from xlatperf.conformance.transport import ACK, ECHO, PUSH, SYN
from xlatperf.conformance.trying import ATTEMPTS, CannotTry


@dataclass
class Sessions:
    """A UDP, a TCP and an ICMP session of a client with the server.

    `out`, `back`: from the client and to it, of ClientEnds.
    """

    exchanges: Exchanges
    out: Way
    back: Way
    _connected: NatBinding | None = None

    def outward(self) -> Way | None:
        """From the client. None: ordinary packets don't come through. Raises CannotTry, EngineError, EngineDied."""
        sessions = self._sessions()
        return None if sessions is None else replace(self.out, ends=replace(_client(self.out), sessions=sessions))

    def inward(self) -> Way | None:
        """From the server to the client's UDP session, by default. As `outward`."""
        sessions = self._sessions()
        return None if sessions is None else self._back(sessions)

    def _back(self, sessions: tuple[NatBinding, ...]) -> Way:
        return replace(self.back, ends=_client(self.back).answering(_client(self.out), sessions))

    def _sessions(self) -> tuple[NatBinding, ...] | None:
        """As they are now, UDP first."""
        client = _client(self.out).marked(secrets.token_bytes(8))
        datagram = client.udp()
        came = self.exchanges.came(self.out, (datagram,), client.mark, errors_s=0.0)
        if came is None:
            return None
        ordinary = client.session(datagram, came) or self._opened(datagram, client.mark)
        if ordinary is None:
            raise CannotTry("a client's datagram opens no session")
        query = self._opened(client.echo(ECHO), client.mark)
        if self._connected is None:
            self._connected = self._connect(client, ordinary)
        return (ordinary, *(one for one in (query, self._connected) if one is not None))

    def _opened(self, packet: Packet, mark: bytes) -> NatBinding | None:
        """By a client's packet, which is sent again if nothing comes of it: a busy host may lose one."""
        client = _client(self.out)
        for _ in range(ATTEMPTS):
            came = self.exchanges.came(self.out, (packet,), mark, errors_s=0.0)
            session = None if came is None else client.session(packet, came)
            if session is not None:
                return session
        return None

    def _comes(self, way: Way, packet: Packet, mark: bytes) -> bool:
        """The same, of any packet."""
        for _ in range(ATTEMPTS):
            came = self.exchanges.came(way, (packet,), mark, errors_s=0.0)
            if came is not None and len(_client(way).opened(came).far) == 1:
                return True
        return False

    def _connect(self, client: ClientEnds, ordinary: NatBinding) -> NatBinding | None:
        """By TCP's handshake (RFC 9293 §3.5); None: not all of it came through."""
        session = self._opened(syn(client), client.mark)
        if session is None:
            return None
        way = self._back((ordinary, session))
        answer = segment(_client(way).by(TCP).marked(client.mark), SYN | ACK, numbers=(0, 1))
        data = segment(client, ACK | PUSH, numbers=(1, 1))
        return session if self._comes(way, answer, client.mark) and self._comes(self.out, data, client.mark) else None


def _client(way: Way) -> ClientEnds:
    if not isinstance(way.ends, ClientEnds):
        raise TypeError("not a NAT's")
    return way.ends
