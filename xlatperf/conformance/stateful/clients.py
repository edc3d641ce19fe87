"""Between whom a stateful translator's sessions are tried."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address

from xlatperf.conformance.bindings import Binding
from xlatperf.conformance.came import Came
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Way
from xlatperf.conformance.packet import Packet
from xlatperf.conformance.transport import Address


@dataclass(frozen=True)
class Clients(ABC):
    """`outward`: from a client to its server. `inward`: from the server, to whom is yet to be known."""

    outward: Way
    inward: Way

    @abstractmethod
    def bound(self, sent: Packet, came: Came) -> Binding | None:
        """What a client's packet shows it to be bound to; None: it didn't come out, or not as one of a session."""

    @abstractmethod
    def out_by(self, bindings: Sequence[Binding]) -> Ends:
        """From the client that has these."""

    @abstractmethod
    def back_by(self, bindings: Sequence[Binding]) -> Ends:
        """From the server to the client that has these, to the first of them unless said otherwise."""


@dataclass(frozen=True)
class Pool:
    """The addresses, one after the other, and the ports that clients are translated to."""

    first: IPv4Address
    addresses: int
    first_port: int
    last_port: int

    def has(self, binding: Binding) -> bool:
        """Whether it is of the pool; an identifier of ICMP isn't a port of it."""
        address = 0 <= int(binding.outside.address) - int(self.first) < self.addresses
        return address and self.first_port <= binding.outside.port <= self.last_port


@dataclass(frozen=True)
class Setup(ABC):
    """`other`: another host beside the server that the device has a way to."""

    clients: Clients
    other: IPv4Address
    pool: Pool

    @abstractmethod
    def outside(self, address: Address) -> Address:
        """A host outside as the clients see it."""
