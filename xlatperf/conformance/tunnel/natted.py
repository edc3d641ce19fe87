"""A tunnel's end that is a NAT44 too: AFTR (RFC 6333), CE (RFC 7597), lwB4 (RFC 7596). The sessions of a client."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, fields, replace

from xlatperf.conformance.bindings import ports_of
from xlatperf.conformance.came import Came
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.handshake import segment, syn
from xlatperf.conformance.nat44 import NatBinding, quoted_rewritten, rewritten
from xlatperf.conformance.packet import ICMP, TCP, Ipv4, Packet
from xlatperf.conformance.transport import ACK, ECHO, PUSH, SYN
from xlatperf.conformance.trying import ATTEMPTS, CannotTry
from xlatperf.conformance.tunnel.ends import TunnelEnds


@dataclass(frozen=True, kw_only=True)
class NattedEnds(TunnelEnds):
    """`outward`: it is a client who sends."""

    outward: bool
    bindings: tuple[NatBinding, ...] = ()

    @property
    def natted(self) -> bool:
        """Addresses and ports become others."""
        return True

    @property
    def identifier(self) -> int:
        """Of the client's session of echos."""
        own = self._of(ICMP)
        return super().identifier if own is None else (own.inside if self.outward else own.outside)[1]

    def marked(self, mark: bytes) -> NattedEnds:
        """The same with another mark."""
        return replace(self, mark=mark)

    def by(self, protocol: int) -> NattedEnds:
        """To a client: by the binding of that protocol, if there is one."""
        own = self._of(protocol)
        if own is None or self.outward:
            return self
        return replace(self, destination=own.outside[0], ports=(self.ports[0], own.outside[1]))

    def _of(self, protocol: int) -> NatBinding | None:
        return next((one for one in self.bindings if one.protocol == protocol), None)

    def known_protocols(self) -> frozenset[int]:
        """Of which there are sessions."""
        return frozenset(one.protocol for one in self.bindings)

    def translated(self, packet: Packet) -> Packet | None:
        """With the other address and port."""
        inner = rewritten(self.ipv4(packet), self.bindings, outward=self.outward)
        return replace(inner, ttl=inner.ttl - self.hops)

    def about(self, inner: Ipv4) -> Ipv4:
        """Of a packet the other way."""
        return quoted_rewritten(inner, self.bindings, outward=self.outward)


@dataclass
class Sessions:
    """A UDP, a TCP and an ICMP session of a client with the server, in which the rules are tried.

    `out`, `back`: from the client and to it, of NattedEnds.
    """

    exchanges: Exchanges
    out: Way
    back: Way
    _connected: NatBinding | None = None

    def outward(self) -> Way | None:
        """From the client. None: ordinary packets don't come through. Raises CannotTry, EngineError, EngineDied."""
        bindings = self._bindings()
        return None if bindings is None else replace(self.out, ends=replace(_natted(self.out), bindings=bindings))

    def inward(self) -> Way | None:
        """From the server to the client's UDP session, by default. As `outward`."""
        bindings = self._bindings()
        return None if bindings is None else replace(self.back, ends=self._back(bindings))

    def _back(self, bindings: tuple[NatBinding, ...]) -> NattedEnds:
        ends, client = _natted(self.back), _natted(self.out)
        address, port = bindings[0].outside
        return replace(
            ends,
            source=client.destination,
            destination=address,
            ports=(client.ports[1], port),
            bindings=bindings,
        )

    def _bindings(self) -> tuple[NatBinding, ...] | None:
        """As they are now, UDP first."""
        client = _natted(self.out).marked(secrets.token_bytes(8))
        datagram = client.udp()
        came = self.exchanges.came(self.out, (datagram,), client.mark, errors_s=0.0)
        if came is None:
            return None
        ordinary = _binding(datagram, _only(client, came)) or self._bound(datagram, client.mark)
        if ordinary is None:
            raise CannotTry("a client's datagram opens no session")
        query = self._bound(client.echo(ECHO), client.mark)
        if self._connected is None:
            self._connected = self._connect(client, ordinary)
        return (ordinary, *(one for one in (query, self._connected) if one is not None))

    def _bound(self, packet: Packet, mark: bytes) -> NatBinding | None:
        """What a client's packet shows it to be bound to."""
        return _binding(packet, self._far(self.out, packet, mark))

    def _far(self, way: Way, packet: Packet, mark: bytes) -> Ipv4 | None:
        """The one that comes of it; it is sent again if none does: a busy host may lose one."""
        for _ in range(ATTEMPTS):
            came = self.exchanges.came(way, (packet,), mark, errors_s=0.0)
            far = None if came is None else _only(_natted(way), came)
            if far is not None:
                return far
        return None

    def _connect(self, client: NattedEnds, ordinary: NatBinding) -> NatBinding | None:
        """By TCP's handshake (RFC 9293 §3.5); None: not all of it came through."""
        binding = self._bound(syn(client), client.mark)
        if binding is None:
            return None
        way = replace(self.back, ends=self._back((ordinary, binding)))
        answer = segment(_natted(way).by(TCP).marked(client.mark), SYN | ACK, numbers=(0, 1))
        if self._far(way, answer, client.mark) is None:
            return None
        if self._far(self.out, segment(client, ACK | PUSH, numbers=(1, 1)), client.mark) is None:
            return None
        return binding


def _only(ends: NattedEnds, came: Came) -> Ipv4 | None:
    """The one packet that came."""
    far = ends.opened(came).far
    return far[0] if len(far) == 1 and isinstance(far[0], Ipv4) else None


def _binding(sent: Packet, far: Ipv4 | None) -> NatBinding | None:
    old, new = ports_of(sent), None if far is None else ports_of(far)
    if far is None or old is None or new is None or not isinstance(sent, Ipv4):
        return None
    return NatBinding(sent.protocol, (sent.source, old[0]), (far.source, new[0]))


def _natted(way: Way) -> NattedEnds:
    if not isinstance(way.ends, NattedEnds):
        raise TypeError("not a NAT's")
    return way.ends


def natted(into: Way, out_of: Way, *, edge: bool) -> tuple[Way, Way]:
    """Two ways through a tunnel's end as those of a NAT, of the client of the way that goes out.

    `edge`: clients are on the side that isn't the tunnel's (CE, lwB4), else in it (AFTR).
    """
    out, back = (into, out_of) if edge else (out_of, into)
    ends, peer = _tunnel(out), _tunnel(back)
    outer = replace(ends.outer.back(), hop_limit=peer.outer.hop_limit)
    out = replace(out, ends=_as_natted(ends, outward=True))
    back = replace(back, ends=replace(_as_natted(peer, outward=False), outer=outer))
    return (out, back) if edge else (back, out)


def _as_natted(ends: TunnelEnds, *, outward: bool) -> NattedEnds:
    return NattedEnds(**{one.name: getattr(ends, one.name) for one in fields(ends)}, outward=outward)


def _tunnel(way: Way) -> TunnelEnds:
    if not isinstance(way.ends, TunnelEnds):
        raise TypeError("not a tunnel's")
    return way.ends
