"""Between whom a NAT64's sessions are tried."""

from __future__ import annotations

from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address, IPv6Network

from xlatperf.conformance.bindings import Binding
from xlatperf.conformance.embedding import embedded
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Way


@dataclass(frozen=True)
class Pool:
    """The addresses, one after the other, and the ports that clients are translated to."""

    first: IPv4Address
    addresses: int
    first_port: int
    last_port: int

    def has(self, binding: Binding) -> bool:
        """Whether it is of the pool; an identifier of ICMP isn't a port of it."""
        address = 0 <= int(binding.ipv4) - int(self.first) < self.addresses
        return address and self.first_port <= binding.ipv4_port <= self.last_port


@dataclass(frozen=True)
class Setup:
    """`outward`: from the client to the server, as IPv6. `inward`: from the server, to whom is yet to be known.

    `other`: another host beside the server that the device has a way to.
    """

    outward: Way
    inward: Way
    other: IPv4Address
    prefix: IPv6Network
    pool: Pool

    def outside(self, address: IPv4Address) -> IPv6Address:
        """A host outside as the clients see it."""
        return embedded(address, self.prefix)

    def known(self) -> Setup:
        """With the other host's address translated too."""
        pairs = self.outward.ends.pairs
        pairs = replace(pairs, ipv6={**pairs.ipv6, self.other: self.outside(self.other)})
        return replace(
            self,
            outward=replace(self.outward, ends=replace(self.outward.ends, pairs=pairs)),
            inward=replace(self.inward, ends=replace(self.inward.ends, pairs=pairs)),
        )

    def back_by(self, binding: Binding) -> Ends:
        """From the server to the client of that binding."""
        pairs = replace(self.inward.ends.pairs, bindings=(binding,))
        ports = (self.outward.ends.ports[1], binding.ipv4_port)
        return replace(self.inward.ends, destination=binding.ipv4, ports=ports, pairs=pairs)
