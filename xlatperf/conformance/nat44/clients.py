"""The clients of a NAT44."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xlatperf.conformance.bindings import Binding
from xlatperf.conformance.came import Came
from xlatperf.conformance.exchange import Way
from xlatperf.conformance.nat44.ends import ClientEnds
from xlatperf.conformance.packet import Packet
from xlatperf.conformance.stateful.clients import Clients, Setup
from xlatperf.conformance.transport import Address


@dataclass(frozen=True)
class Nat44Clients(Clients):
    """Both ways are of ClientEnds."""

    def bound(self, sent: Packet, came: Came) -> Binding | None:
        """As Clients have it."""
        return client_ends(self.outward).bound(sent, came)

    def out_by(self, bindings: Sequence[Binding]) -> ClientEnds:
        """As Clients have it."""
        return replace(client_ends(self.outward), sessions=tuple(bindings))

    def back_by(self, bindings: Sequence[Binding]) -> ClientEnds:
        """As Clients have it."""
        return client_ends(self.inward).answering(client_ends(self.outward), bindings)


@dataclass(frozen=True)
class Nat44Setup(Setup):
    """Where clients see hosts outside as they are."""

    def outside(self, address: Address) -> Address:
        """The same."""
        return address


def client_ends(way: Way) -> ClientEnds:
    """Of a way. Raises TypeError: it isn't a NAT44's."""
    if not isinstance(way.ends, ClientEnds):
        raise TypeError("not a NAT44's")
    return way.ends
