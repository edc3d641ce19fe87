"""The transport header of a packet whose addresses and ports become others."""

from __future__ import annotations

from xlatperf.conformance.packet import UDP, Packet, ones_complement_sum
from xlatperf.conformance.transport import checksum_of, protocol_of, pseudo_header


def transport_updated(packet: Packet, made: Packet, ports: tuple[int, int] | None) -> bytes:
    """The payload for the addresses of `made` and these ports; None: it has none to be seen.

    The checksum follows by RFC 1624, as a first fragment hasn't all of its data; UDP without one has none (RFC 768).
    """
    protocol = protocol_of(packet)
    old = checksum_of(packet)
    if old is None or ports is None:
        return packet.payload
    of_ports = b"".join(port.to_bytes(2, "big") for port in ports)
    if protocol == UDP and old == 0:
        return of_ports + packet.payload[4:]
    before = ones_complement_sum(pseudo_header(packet.source, packet.destination, protocol, 0) + packet.payload[:4])
    after = ones_complement_sum(pseudo_header(made.source, made.destination, protocol, 0) + of_ports)
    total = (0xFFFF ^ old) + (0xFFFF ^ before) + after
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    new = 0xFFFF ^ total
    if protocol == UDP and new == 0:
        new = 0xFFFF
    at = 6 if protocol == UDP else 16
    return of_ports + packet.payload[4:at] + new.to_bytes(2, "big") + packet.payload[at + 2 :]
