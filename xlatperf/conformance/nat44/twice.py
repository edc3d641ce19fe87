"""464XLAT as a whole (RFC 6877): a NAT44 with IPv6 in the middle, so that headers are translated twice."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from xlatperf.conformance.nat44.ends import ClientEnds
from xlatperf.conformance.nesting import nested
from xlatperf.conformance.packet import Ipv4, Packet
from xlatperf.conformance.translate import Pairs, to_ipv4, to_ipv6


@dataclass(frozen=True, kw_only=True)
class TwiceEnds(ClientEnds):
    """Of a client behind a CLAT, and of its server behind the PLAT."""

    def translated(self, packet: Packet) -> Packet | None:
        """By RFC 7915 in both; by which addresses in the middle doesn't show."""
        made = self.rewritten(packet)
        addresses = {
            address for one in nested(made) for address in (one.source, one.destination) if isinstance(one, Ipv4)
        }
        pairs = Pairs({one: _middle(one) for one in addresses if isinstance(one, IPv4Address)})
        middle = to_ipv6(made, pairs, hops=0)
        return None if middle is None else to_ipv4(middle, pairs, self.hops)


def _middle(address: IPv4Address) -> IPv6Address:
    return IPv6Address(int(address))
