"""IPv4 and IPv6 packets (RFC 791, RFC 8200) as sent and as they came: nothing is mended, also not on reading."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address

ICMP, IPV4, TCP, UDP, ICMPV6, NO_NEXT_HEADER = 1, 4, 6, 17, 58, 59
HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION = 0, 43, 44, 60
EXPERIMENT = 253
"""For experiments (RFC 3692 §2.1): a protocol that no device knows."""
EXTENSIONS = frozenset({HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION})
_MF, _DF = 0x2000, 0x4000


def ones_complement_sum(data: bytes) -> int:
    """Of 16-bit words (RFC 1071), not inverted: 0xffff over what has its checksum in it."""
    padded = data + b"\0" * (len(data) % 2)
    total = sum(int.from_bytes(padded[i : i + 2], "big") for i in range(0, len(padded), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


@dataclass(frozen=True)
class Ipv4:
    """`offset`: of a fragment, in bytes. `total_length`: what the header says, as read; None: what it is.

    `checksum_right`: of the header, as read.
    """

    source: IPv4Address
    destination: IPv4Address
    protocol: int
    payload: bytes
    tos: int = 0
    identification: int = 0
    dont_fragment: bool = False
    more_fragments: bool = False
    offset: int = 0
    ttl: int = 64
    options: bytes = b""
    total_length: int | None = None
    checksum_right: bool = True

    @property
    def is_fragment(self) -> bool:
        """One of several."""
        return self.more_fragments or self.offset > 0

    @property
    def header_length(self) -> int:
        """Bytes."""
        return 20 + len(self.options)

    def __bytes__(self) -> bytes:
        length = self.header_length + len(self.payload) if self.total_length is None else self.total_length
        flags = _DF * self.dont_fragment | _MF * self.more_fragments | self.offset // 8
        header = bytearray(20)
        header[0] = 4 << 4 | self.header_length // 4
        header[1] = self.tos
        header[2:4] = length.to_bytes(2, "big")
        header[4:6] = self.identification.to_bytes(2, "big")
        header[6:8] = flags.to_bytes(2, "big")
        header[8], header[9] = self.ttl, self.protocol
        header[12:16], header[16:20] = self.source.packed, self.destination.packed
        header[10:12] = (0xFFFF ^ ones_complement_sum(bytes(header) + self.options)).to_bytes(2, "big")
        return bytes(header) + self.options + self.payload


@dataclass(frozen=True)
class Extension:
    """An extension header: its number, and all that is behind its Next Header octet."""

    kind: int
    rest: bytes

    @property
    def offset(self) -> int:
        """Of a fragment, in bytes."""
        return int.from_bytes(self.rest[1:3], "big") & 0xFFF8

    @property
    def more_fragments(self) -> bool:
        """The M flag."""
        return bool(self.rest[2] & 1)

    @property
    def identification(self) -> int:
        """32 bits."""
        return int.from_bytes(self.rest[3:7], "big")


def fragment_header(offset: int, *, more: bool, identification: int) -> Extension:
    """RFC 8200 §4.5; `offset` in bytes."""
    return Extension(FRAGMENT, b"\0" + (offset | more).to_bytes(2, "big") + identification.to_bytes(4, "big"))


@dataclass(frozen=True)
class Ipv6:
    """`next_header`: of the payload, behind all extension headers.

    `payload_length`: what the header says, as read; None: what it is.
    """

    source: IPv6Address
    destination: IPv6Address
    next_header: int
    payload: bytes
    traffic_class: int = 0
    flow_label: int = 0
    hop_limit: int = 64
    extensions: tuple[Extension, ...] = field(default=())
    payload_length: int | None = None

    @property
    def fragment(self) -> Extension | None:
        """Its Fragment Header."""
        return next((one for one in self.extensions if one.kind == FRAGMENT), None)

    @property
    def is_fragment(self) -> bool:
        """One of several."""
        own = self.fragment
        return own is not None and (own.more_fragments or own.offset > 0)

    def __bytes__(self) -> bytes:
        kinds = [*(one.kind for one in self.extensions), self.next_header]
        chain = b"".join(bytes([after]) + one.rest for one, after in zip(self.extensions, kinds[1:], strict=True))
        length = len(chain) + len(self.payload) if self.payload_length is None else self.payload_length
        first = 6 << 28 | self.traffic_class << 20 | self.flow_label
        return (
            first.to_bytes(4, "big")
            + length.to_bytes(2, "big")
            + bytes([kinds[0], self.hop_limit])
            + self.source.packed
            + self.destination.packed
            + chain
            + self.payload
        )


Packet = Ipv4 | Ipv6


def parse(data: bytes) -> Packet | None:
    """What a packet is, without what is behind its length (Ethernet's padding); None: neither of the two.

    One that was cut, as inside of an ICMP error, keeps in `total_length` or `payload_length` what its header says.
    """
    if not data:
        return None
    return {4: _parse_ipv4, 6: _parse_ipv6}.get(data[0] >> 4, lambda _: None)(data)


def _parse_ipv4(data: bytes) -> Ipv4 | None:
    header = 4 * (data[0] & 15)
    if header < 20 or len(data) < header:
        return None
    length = int.from_bytes(data[2:4], "big")
    if length < header:
        return None
    flags = int.from_bytes(data[6:8], "big")
    payload = data[header:length]
    return Ipv4(
        source=IPv4Address(data[12:16]),
        destination=IPv4Address(data[16:20]),
        protocol=data[9],
        payload=payload,
        tos=data[1],
        identification=int.from_bytes(data[4:6], "big"),
        dont_fragment=bool(flags & _DF),
        more_fragments=bool(flags & _MF),
        offset=8 * (flags & 0x1FFF),
        ttl=data[8],
        options=data[20:header],
        total_length=None if length == header + len(payload) else length,
        checksum_right=ones_complement_sum(data[:header]) == 0xFFFF,
    )


def _parse_ipv6(data: bytes) -> Ipv6 | None:
    if len(data) < 40:
        return None
    first = int.from_bytes(data[:4], "big")
    length = int.from_bytes(data[4:6], "big")
    body = data[40 : 40 + length]
    kind, at = data[6], 0
    extensions: list[Extension] = []
    while kind in EXTENSIONS:
        size = 8 if kind == FRAGMENT else 8 * (1 + body[at + 1]) if len(body) > at + 1 else 0
        if size == 0 or len(body) < at + size:
            return None
        extensions.append(Extension(kind, body[at + 1 : at + size]))
        kind, at = body[at], at + size
        if extensions[-1].kind == FRAGMENT and extensions[-1].offset:
            break  # what is behind it is no header
    return Ipv6(
        source=IPv6Address(data[8:24]),
        destination=IPv6Address(data[24:40]),
        next_header=kind,
        payload=body[at:],
        traffic_class=first >> 20 & 0xFF,
        flow_label=first & 0xFFFFF,
        hop_limit=data[7],
        extensions=tuple(extensions),
        payload_length=None if len(body) == length else length,
    )
