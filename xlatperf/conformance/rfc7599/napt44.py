"""A MAP-T CE with NAPT44 (RFC 7599 §8.1): hosts behind it share its address and ports, and IPv6 is outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address
from typing import Self

from xlatperf.conformance.bindings import End, ports_of
from xlatperf.conformance.exchange import Way
from xlatperf.conformance.nat44.ends import ClientEnds
from xlatperf.conformance.nat44.rewriting import rewritten
from xlatperf.conformance.packet import Ipv4, Ipv6, Packet
from xlatperf.conformance.translate import Pairs, to_ipv4, to_ipv6
from xlatperf.conformance.transport import Address
from xlatperf.conformance.ways import each_way
from xlatperf.engine.messages import OpenAnswer, ResolveAnswer
from xlatperf.engine.shown import Shown


@dataclass(frozen=True, kw_only=True)
class MapTClientEnds(ClientEnds):
    """IPv4 from a client, IPv6 to it. `shared`: the CE's IPv4 address, which stands for its IPv6 address."""

    shared: IPv4Address

    def to(self, client: End) -> Self:
        """The CE has just one address, whatever it is outside."""
        return replace(self, ports=(self.ports[0], client.port))

    def server(self, client: ClientEnds) -> Address:
        """As IPv6."""
        return self.pairs.to_ipv6(IPv4Address(client.destination))

    def translated(self, packet: Packet) -> Packet | None:
        """By both in the order in which they come (RFC 7599 §8.1, §8.2)."""
        if isinstance(packet, Ipv4):
            return to_ipv6(self.rewritten(packet), self.pairs, self.hops)
        made = to_ipv4(packet, self.pairs, self.hops)
        return None if made is None else rewritten(made, self.sessions, outward=False)

    def outside(self, packet: Packet) -> End | None:
        """As the CE."""
        ports = ports_of(packet)
        own = isinstance(packet, Ipv6) and packet.source == self.pairs.to_ipv6(self.shared)
        return End(self.shared, ports[0]) if own and ports is not None else None


def client_ways(
    shown: Sequence[Shown], opened: OpenAnswer, resolved: ResolveAnswer, shared: IPv4Address
) -> tuple[Way, Way]:
    """From a client, and to it.

    Raises ValueError for frames that aren't translated, or a device without an address.
    """
    found = each_way(shown, opened, resolved)
    out = next((one for one in found if isinstance(one.ends.source, IPv4Address)), None)
    back = next((one for one in found if isinstance(one.ends.source, IPv6Address)), None)
    if out is None or back is None:
        raise ValueError("no direction from IPv4 to IPv6, or none back")
    server, client = IPv4Address(out.ends.destination), IPv4Address(out.ends.source)
    own = out.ends.pairs.to_ipv6(client)
    pairs = Pairs({server: out.ends.pairs.to_ipv6(server), client: own, shared: own})  # the last one is the way back
    return _of_a_client(out, pairs, shared, outward=True), _of_a_client(back, pairs, shared, outward=False)


def _of_a_client(way: Way, pairs: Pairs, shared: IPv4Address, *, outward: bool) -> Way:
    own = way.ends
    ends = MapTClientEnds(own.source, own.destination, own.ports, pairs, own.hops, outward=outward, shared=shared)
    return replace(way, ends=ends)
