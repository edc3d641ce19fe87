"""Between whom single packets are sent, one way through a device, and how they are made there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address, IPv6Address
from typing import Any, Self

from xlatperf.conformance import transport
from xlatperf.conformance.bindings import Binding, ports_of
from xlatperf.conformance.came import Came
from xlatperf.conformance.packet import ICMP, ICMPV6, TCP, UDP, Ipv4, Ipv6, Packet
from xlatperf.conformance.translate import Pairs, to_ipv4, to_ipv6
from xlatperf.conformance.transport import Address

_NAMES = {"UDP": UDP, "TCP": TCP, "ICMP queries": ICMP}


def _protocol(packet: Packet) -> int | None:
    """Of the sessions that it's of, if it is of any: errors are of others' (RFC 6146 §3.4)."""
    number = transport.protocol_of(packet)
    if number in (ICMP, ICMPV6):
        return ICMP if ports_of(packet) is not None else None
    return number


@dataclass(frozen=True)
class Ends:
    """Source, destination and ports of the packets, and by how much the device decrements TTL or hop limit.

    `mark`: what all data of a probe are made of, so that its packets are known again. `subscriber`: 0 or 1, whether
    it is who sends or who receives that may have shared an address, and has a set of ports.
    """

    source: Address
    destination: Address
    ports: tuple[int, int]
    pairs: Pairs
    hops: int
    mark: bytes = field(default=b"xlatperf")
    subscriber: int = 0

    def marked(self, mark: bytes) -> Self:
        """The same with another mark."""
        return replace(self, mark=mark)

    def back(self) -> Self:
        """What comes to the source from its peer, in the source's family."""
        return replace(self, source=self.destination, destination=self.source, ports=self.ports[::-1])

    def by(self, protocol: int) -> Self:
        """The same by a stateful translator's binding of that protocol, if there is one: else as it is."""
        own = self._bound(protocol)
        if own is None:
            return self
        client = own.end(self.source)
        if self.source in {one.end(self.source).address for one in self.pairs.bindings}:
            return replace(self, source=client.address, ports=(client.port, self.ports[1]))
        return replace(self, destination=client.address, ports=(self.ports[0], client.port))

    def _bound(self, protocol: int) -> Binding | None:
        return next((one for one in self.pairs.bindings if one.protocol == protocol), None)

    @property
    def identifier(self) -> int:
        """Of echos: a client's port (RFC 6146 §2), or one of a subscriber's (RFC 7597 §8.2, RFC 7599 §9)."""
        own = self._bound(ICMP)
        return self.ports[self.subscriber] if own is None else own.end(self.source).port

    def known_protocols(self) -> frozenset[int]:
        """Of which a stateful device has sessions to try rules in; none: it isn't stateful."""
        return frozenset(one.protocol for one in self.pairs.bindings)

    def lacking(self, packets: Sequence[Packet]) -> str:
        """Why packets can't be sent: a stateful translator has no binding of their protocol. Empty: they can."""
        known = self.known_protocols()
        for name, number in _NAMES.items() if known else ():
            if number not in known and any(_protocol(packet) == number for packet in packets):
                return f"the device has opened no session of {name} to try it in"
        return ""

    @property
    def natted(self) -> bool:
        """Whether a NAT44 is on the way, by which addresses and ports become others."""
        return False

    @property
    def way(self) -> str:
        """In words, where rules of both ways are alike."""
        return ""

    @property
    def unreachable(self) -> tuple[int, int]:
        """Type and code of "no route to the destination", or of a host that doesn't answer."""
        return (3, 1) if isinstance(self.source, IPv4Address) else (1, 0)

    def data(self, size: int) -> bytes:
        """So many bytes."""
        return (self.mark * (size // len(self.mark) + 1))[:size]

    def packet(self, protocol: int, payload: bytes, **fields: Any) -> Packet:
        """A packet with fields of its header. Raises TypeError for a field that the family doesn't have."""
        if isinstance(self.source, IPv4Address) and isinstance(self.destination, IPv4Address):
            return Ipv4(self.source, self.destination, protocol, payload, **fields)
        if isinstance(self.source, IPv6Address) and isinstance(self.destination, IPv6Address):
            return Ipv6(self.source, self.destination, protocol, payload, **fields)
        raise TypeError("source and destination are of two families")

    def udp(self, data: int | bytes = 18, **fields: Any) -> Packet:
        """A datagram with these data, or so many bytes of them."""
        body = self.data(data) if isinstance(data, int) else data
        datagram = transport.udp(self.source, self.destination, self.ports, body)
        return self.packet(UDP, datagram, **fields)

    def tcp(self, size: int = 18, **fields: Any) -> Packet:
        """The same, as a segment of TCP."""
        ends = self.by(TCP)
        segment = transport.tcp(ends.source, ends.destination, ends.ports, self.data(size))
        return ends.packet(TCP, segment, **fields)

    def icmp(
        self, kind: tuple[int, int], rest: bytes = b"\0\0\0\0", data: bytes | None = None, **fields: Any
    ) -> Packet:
        """A message of that type and code with these bytes 4 to 7."""
        body = self.data(24) if data is None else data
        message = transport.icmp(self.source, self.destination, kind, rest, body)
        return self.packet(ICMP if isinstance(self.source, IPv4Address) else ICMPV6, message, **fields)

    def echo(self, kind: int, size: int = 24, **fields: Any) -> Packet:
        """An echo request or reply."""
        rest = self.identifier.to_bytes(2, "big") + b"\0\1"
        return self.by(ICMP).icmp((kind, 0), rest, self.data(size), **fields)

    def query(self) -> Packet:
        """An echo request."""
        return self.echo(transport.ECHO if isinstance(self.source, IPv4Address) else transport.ECHO_V6)

    def error(self, kind: tuple[int, int], inner: Packet, rest: bytes = b"\0\0\0\0", **fields: Any) -> Packet:
        """An error from the source about a packet that came to it."""
        return self.icmp(kind, rest, bytes(inner), **fields)

    @staticmethod
    def ipv4(packet: Packet) -> Ipv4:
        """The same. Raises TypeError for IPv6."""
        if not isinstance(packet, Ipv4):
            raise TypeError("IPv4 is carried")
        return packet

    def rewritten(self, packet: Packet) -> Ipv4:
        """The same, with the address and port that a NAT44 on the way gives it."""
        return self.ipv4(packet)

    def about(self, inner: Ipv4) -> Ipv4:
        """A packet that goes the other way, as an error about it that goes this one shows it on the other side."""
        return inner

    def is_answer(self, packet: Packet) -> bool:
        """Whether it is for the sender, where what goes on comes on the same side."""
        return packet.destination == self.source

    def opened(self, came: Came) -> Came:
        """What came, out of its tunnels if there are any."""
        return came

    def on_link(self, packet: Packet) -> Packet:
        """As it is sent."""
        return packet

    def translated(self, packet: Packet) -> Packet | None:
        """What must come on the other side (RFC 7915); None: nothing."""
        if isinstance(packet, Ipv4):
            return to_ipv6(packet, self.pairs, self.hops)
        return to_ipv4(packet, self.pairs, self.hops)
