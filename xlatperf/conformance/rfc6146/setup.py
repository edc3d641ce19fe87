"""Between whom a NAT64's sessions are tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Network

from xlatperf.conformance.bindings import Binding, End, ports_of
from xlatperf.conformance.came import Came
from xlatperf.conformance.embedding import embedded
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Way
from xlatperf.conformance.packet import ICMP, ICMPV6, Ipv4, Ipv6, Packet
from xlatperf.conformance.stateful.clients import Clients, Pool, Setup
from xlatperf.conformance.transport import Address, protocol_of


@dataclass(frozen=True)
class Nat64Clients(Clients):
    """IPv6 from them, IPv4 to them."""

    def bound(self, sent: Packet, came: Came) -> Binding | None:
        """As Clients have it."""
        old, new = ports_of(sent), ports_of(came.far[0]) if len(came.far) == 1 else None
        if old is None or new is None or not isinstance(sent, Ipv6) or not isinstance(came.far[0], Ipv4):
            return None
        if self.outward.ends.pairs.ipv6.get(came.far[0].source, sent.source) != sent.source:
            return None  # a host outside has this address
        protocol = ICMP if protocol_of(sent) == ICMPV6 else protocol_of(sent)
        return Binding(protocol, End(sent.source, old[0]), End(came.far[0].source, new[0]))

    def out_by(self, bindings: Sequence[Binding]) -> Ends:
        """As Clients have it."""
        return _by(self.outward.ends, bindings)

    def back_by(self, bindings: Sequence[Binding]) -> Ends:
        """As Clients have it."""
        client = bindings[0].outside
        ports = (self.outward.ends.ports[1], client.port)
        return _by(replace(self.inward.ends, destination=client.address, ports=ports), bindings)


def _by(ends: Ends, bindings: Sequence[Binding]) -> Ends:
    return replace(ends, pairs=replace(ends.pairs, bindings=tuple(bindings)))


@dataclass(frozen=True)
class Nat64Setup(Setup):
    """`prefix`: under it clients see hosts outside."""

    prefix: IPv6Network

    def outside(self, address: Address) -> Address:
        """As Setup has it."""
        return embedded(IPv4Address(address), self.prefix)


def setup(outward: Way, inward: Way, other: IPv4Address, prefix: IPv6Network, pool: Pool) -> Nat64Setup:
    """Of a client and its server, with the other host's address translated too."""
    known = replace(outward.ends.pairs, ipv6={**outward.ends.pairs.ipv6, other: embedded(other, prefix)})
    ways = [replace(one, ends=replace(one.ends, pairs=known)) for one in (outward, inward)]
    return Nat64Setup(Nat64Clients(*ways), other, pool, prefix)
