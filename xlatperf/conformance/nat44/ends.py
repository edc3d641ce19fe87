"""Packets of a client of a NAT44 and its server, one way: alike in a tunnel, and where IPv6 is outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from xlatperf.conformance.bindings import Binding, End, ports_of
from xlatperf.conformance.came import Came
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.nat44.rewriting import quoted_rewritten, rewritten
from xlatperf.conformance.packet import ICMP, Ipv4, Packet
from xlatperf.conformance.transport import Address


@dataclass(frozen=True, kw_only=True)
class ClientEnds(Ends):
    """`outward`: it is the client who sends. `sessions`: those that the NAT is known to have."""

    outward: bool
    sessions: tuple[Binding, ...] = ()

    @property
    def natted(self) -> bool:
        """Addresses and ports become others."""
        return True

    @property
    def way(self) -> str:
        """In words."""
        return "from a client" if self.outward else "to a client"

    @property
    def identifier(self) -> int:
        """Of the client's session of echos."""
        own = self._session(ICMP)
        return super().identifier if own is None else (own.inside if self.outward else own.outside).port

    def by(self, protocol: int) -> Self:
        """To a client: by the session of that protocol, if there is one."""
        own = self._session(protocol)
        return self if own is None or self.outward else self.to(own.outside)

    def to(self, client: End) -> Self:
        """To the client as it is seen outside."""
        return replace(self, destination=client.address, ports=(self.ports[0], client.port))

    def answering(self, client: ClientEnds, sessions: Sequence[Binding]) -> Self:
        """From the server of that client, in these sessions of it: in the first one unless said otherwise."""
        ends = replace(self, source=self.server(client), ports=client.ports[::-1], sessions=tuple(sessions))
        return ends.to(sessions[0].outside)

    def server(self, client: ClientEnds) -> Address:
        """Of a client, as it is seen outside."""
        return client.destination

    def _session(self, protocol: int) -> Binding | None:
        return next((one for one in self.sessions if one.protocol == protocol), None)

    def known_protocols(self) -> frozenset[int]:
        """Of which there are sessions."""
        return frozenset(one.protocol for one in self.sessions)

    def rewritten(self, packet: Packet) -> Ipv4:
        """With the other address and port."""
        return rewritten(self.ipv4(packet), self.sessions, outward=self.outward)

    def translated(self, packet: Packet) -> Packet | None:
        """The same, a hop later."""
        made = self.rewritten(packet)
        return replace(made, ttl=made.ttl - self.hops)

    def about(self, inner: Ipv4) -> Ipv4:
        """In the client's sessions."""
        return quoted_rewritten(inner, self.sessions, outward=self.outward)

    def outside(self, packet: Packet) -> End | None:
        """As whom a client's packet that came shows it; None: as nobody who could be."""
        ports = ports_of(packet)
        return End(packet.source, ports[0]) if ports is not None and isinstance(packet, Ipv4) else None

    def bound(self, sent: Packet, came: Came) -> Binding | None:
        """What a client's packet shows it to be bound to."""
        far, inside = self.opened(came).far, ports_of(sent)
        outside = self.outside(far[0]) if len(far) == 1 else None
        if inside is None or outside is None or not isinstance(sent, Ipv4):
            return None
        return Binding(sent.protocol, End(sent.source, inside[0]), outside)
