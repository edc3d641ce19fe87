"""What packets carry: UDP, TCP, ICMP and ICMPv6 with their checksums (RFC 768, RFC 9293, RFC 792, RFC 4443)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

from xlatperf.conformance.icmp_types import ERRORS
from xlatperf.conformance.packet import ICMP, ICMPV6, TCP, UDP, Ipv4, Ipv6, Packet, ones_complement_sum

Address = IPv4Address | IPv6Address
_CHECKSUM_AT = {UDP: 6, TCP: 16, ICMP: 2, ICMPV6: 2}
_LEAST = {UDP: 8, TCP: 20, ICMP: 8, ICMPV6: 8}
SYN, PUSH, ACK = 0x02, 0x08, 0x10
"""RFC 9293 §3.1."""
ECHO, ECHO_REPLY, ECHO_V6, ECHO_REPLY_V6 = 8, 0, 128, 129


def pseudo_header(source: Address, destination: Address, protocol: int, length: int) -> bytes:
    """RFC 793 §3.1, RFC 8200 §8.1: none for ICMPv4."""
    if protocol == ICMP:
        return b""
    return source.packed + destination.packed + length.to_bytes(4, "big") + protocol.to_bytes(4, "big")


def with_checksum(source: Address, destination: Address, protocol: int, segment: bytes) -> bytes:
    """The segment with its checksum; of UDP 0xffff where that would be 0 (RFC 768, RFC 8200 §8.1)."""
    at = _CHECKSUM_AT[protocol]
    blank = segment[:at] + b"\0\0" + segment[at + 2 :]
    checksum = 0xFFFF ^ ones_complement_sum(pseudo_header(source, destination, protocol, len(segment)) + blank)
    if protocol == UDP and checksum == 0:
        checksum = 0xFFFF
    return segment[:at] + checksum.to_bytes(2, "big") + segment[at + 2 :]


def udp(source: Address, destination: Address, ports: tuple[int, int], data: bytes) -> bytes:
    """A datagram."""
    head = ports[0].to_bytes(2, "big") + ports[1].to_bytes(2, "big") + (8 + len(data)).to_bytes(2, "big") + b"\0\0"
    return with_checksum(source, destination, UDP, head + data)


def tcp(
    source: Address,
    destination: Address,
    ports: tuple[int, int],
    data: bytes,
    *,
    flags: int = ACK | PUSH,
    numbers: tuple[int, int] = (1, 1),
    options: bytes = b"",
) -> bytes:
    """A segment, of itself an acknowledgement with data. `numbers`: sequence and acknowledgement; `options`: padded."""
    head = b"".join(port.to_bytes(2, "big") for port in ports) + b"".join(one.to_bytes(4, "big") for one in numbers)
    head += bytes([(20 + len(options)) // 4 << 4, flags]) + (8192).to_bytes(2, "big") + b"\0\0" + b"\0\0"
    return with_checksum(source, destination, TCP, head + options + data)


def icmp(source: Address, destination: Address, kind: tuple[int, int], rest: bytes, data: bytes) -> bytes:
    """An ICMP or ICMPv6 message of that type and code; `rest`: bytes 4 to 7."""
    protocol = ICMP if isinstance(source, IPv4Address) else ICMPV6
    return with_checksum(source, destination, protocol, bytes(kind) + b"\0\0" + rest + data)


def protocol_of(packet: Packet) -> int:
    """The number of what it carries."""
    return packet.next_header if isinstance(packet, Ipv6) else packet.protocol


def checksum_of(packet: Packet) -> int | None:
    """The transport checksum as it stands there; None: it has none, or is too short for one."""
    protocol = protocol_of(packet)
    if protocol not in _CHECKSUM_AT or len(packet.payload) < _LEAST[protocol]:
        return None
    at = _CHECKSUM_AT[protocol]
    return int.from_bytes(packet.payload[at : at + 2], "big")


def right_checksum(packet: Packet) -> int | None:
    """What it would have to be over the packet as it is."""
    protocol = protocol_of(packet)
    if checksum_of(packet) is None:
        return None
    at = _CHECKSUM_AT[protocol]
    return int.from_bytes(
        with_checksum(packet.source, packet.destination, protocol, packet.payload)[at : at + 2], "big"
    )


def without_checksum(packet: Packet) -> bytes:
    """The payload with 0 in place of its checksum."""
    protocol = protocol_of(packet)
    if checksum_of(packet) is None:
        return packet.payload
    at = _CHECKSUM_AT[protocol]
    return packet.payload[:at] + b"\0\0" + packet.payload[at + 2 :]


def icmp_error(packet: Packet) -> tuple[int, int, bytes] | None:
    """Type, code and bytes 4 to 7 if it is an error."""
    message = packet.payload
    if len(message) < 8 or packet.is_fragment:
        return None
    of_ipv4 = isinstance(packet, Ipv4) and packet.protocol == ICMP and message[0] in ERRORS
    of_ipv6 = isinstance(packet, Ipv6) and packet.next_header == ICMPV6 and message[0] < 128
    return (message[0], message[1], message[4:8]) if of_ipv4 or of_ipv6 else None
