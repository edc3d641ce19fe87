"""A NAT44 in Python, of one client and one session of each protocol: it keeps all rules but for its faults."""

from __future__ import annotations

from dataclasses import dataclass, replace
from ipaddress import IPv4Address

from xlatperf.conformance.packet import ICMP, TCP, UDP, Ipv4, parse
from xlatperf.conformance.transport import icmp_error, with_checksum

CLIENT, PORT, PUBLICS_PORT = IPv4Address("10.0.0.2"), 1045, 4711


@dataclass(frozen=True)
class Napt44:
    """`public`: the client's address outside."""

    public: IPv4Address
    faults: frozenset[str] = frozenset()

    def rewritten(self, packet: Ipv4, *, outward: bool) -> Ipv4:
        """From the client, or to it (RFC 3022 §4.1, RFC 5508 §4.2)."""
        if packet.protocol != ICMP or icmp_error(packet) is None:
            return self.moved(packet, source=outward, outward=outward)
        about = parse(packet.payload[8:])
        assert isinstance(about, Ipv4)
        if "nothing in errors" not in self.faults:
            about = self.moved(about, source=not outward, outward=outward)
        made = replace(packet, source=self.public) if outward else replace(packet, destination=CLIENT)
        message = packet.payload[:8] + bytes(about)
        return replace(made, payload=with_checksum(made.source, made.destination, ICMP, message))

    def moved(self, packet: Ipv4, *, source: bool, outward: bool) -> Ipv4:
        """The client's end becomes the public one, or that the client's."""
        address, port = (self.public, PUBLICS_PORT) if outward else (CLIENT, PORT)
        made = replace(packet, source=address) if source else replace(packet, destination=address)
        at = 4 if packet.protocol == ICMP else 0 if source else 2
        payload = packet.payload[:at] + port.to_bytes(2, "big") + packet.payload[at + 2 :]
        if packet.protocol == UDP and payload[6:8] == b"\0\0":
            return replace(made, payload=payload)
        if packet.protocol not in (UDP, TCP, ICMP):
            return made
        return replace(made, payload=with_checksum(made.source, made.destination, packet.protocol, payload))
