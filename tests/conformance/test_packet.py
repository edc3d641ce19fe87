"""Packets as Scapy makes and reads them; whatever comes is read without a stumble."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

from hypothesis import given
from hypothesis import strategies as st
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import (
    ICMPv6EchoRequest,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    PadN,
)
from scapy.packet import Raw

from xlatperf.conformance import transport
from xlatperf.conformance.packet import (
    DESTINATION,
    HOP_BY_HOP,
    ROUTING,
    Extension,
    Ipv4,
    Ipv6,
    fragment_header,
    parse,
)

FOUR = IPv4Address("198.18.0.2"), IPv4Address("198.19.0.2")
SIX = IPv6Address("2001:2::2"), IPv6Address("2001:2:0:6464::c613:2")
addresses4 = st.integers(0, 2**32 - 1).map(IPv4Address)
addresses6 = st.integers(0, 2**128 - 1).map(IPv6Address)
octets = st.integers(0, 255)


@given(
    ipv4=st.builds(
        Ipv4,
        source=addresses4,
        destination=addresses4,
        protocol=octets,
        payload=st.binary(max_size=60),
        tos=octets,
        identification=st.integers(0, 65535),
        dont_fragment=st.booleans(),
        more_fragments=st.booleans(),
        offset=st.integers(0, 8191).map(lambda units: 8 * units),
        ttl=octets,
        options=st.integers(0, 10).flatmap(lambda words: st.binary(min_size=4 * words, max_size=4 * words)),
    )
)
def test_ipv4(ipv4: Ipv4) -> None:
    data = bytes(ipv4)
    assert parse(data) == ipv4
    assert parse(data + b"padding of Ethernet") == ipv4
    seen = IP(data)
    assert (seen.src, seen.dst, seen.proto) == (str(ipv4.source), str(ipv4.destination), ipv4.protocol)
    assert (seen.tos, seen.id, seen.ttl, seen.len) == (ipv4.tos, ipv4.identification, ipv4.ttl, len(data))
    assert (bool(seen.flags.DF), bool(seen.flags.MF)) == (ipv4.dont_fragment, ipv4.more_fragments)
    assert 8 * seen.frag == ipv4.offset
    again = IP(data)
    del again.chksum
    assert bytes(again)[10:12] == data[10:12]


@given(
    ipv6=st.builds(
        Ipv6,
        source=addresses6,
        destination=addresses6,
        next_header=st.sampled_from([6, 17, 58, 59, 253]),
        payload=st.binary(max_size=60),
        traffic_class=octets,
        flow_label=st.integers(0, 2**20 - 1),
        hop_limit=octets,
    )
)
def test_ipv6(ipv6: Ipv6) -> None:
    data = bytes(ipv6)
    assert parse(data) == ipv6
    seen = IPv6(data)
    assert (IPv6Address(seen.src), IPv6Address(seen.dst)) == (ipv6.source, ipv6.destination)
    assert (seen.tc, seen.fl, seen.hlim) == (ipv6.traffic_class, ipv6.flow_label, ipv6.hop_limit)
    assert (seen.nh, seen.plen) == (ipv6.next_header, len(ipv6.payload))


def test_extension_headers() -> None:
    """RFC 8200 §4: each names the next one."""
    udp = transport.udp(*SIX, (1, 2), b"data")
    padding = b"\0\1\4\0\0\0\0"
    extensions = (
        Extension(HOP_BY_HOP, padding),
        Extension(DESTINATION, padding),
        Extension(ROUTING, bytes([0, 253, 3]) + b"\0\0\0\0"),
        fragment_header(0, more=True, identification=0x01020304),
    )
    made = Ipv6(*SIX, 17, udp, extensions=extensions)
    seen = IPv6(bytes(made))
    assert seen[IPv6ExtHdrHopByHop].nh == DESTINATION
    assert isinstance(seen[IPv6ExtHdrDestOpt].options[0], PadN)
    assert (seen[IPv6ExtHdrRouting].type, seen[IPv6ExtHdrRouting].segleft) == (253, 3)
    fragment = seen[IPv6ExtHdrFragment]
    assert (fragment.m, fragment.offset, fragment.id, fragment.nh) == (1, 0, 0x01020304, 17)
    again = parse(bytes(made))
    assert again == made
    assert isinstance(again, Ipv6)
    own = again.fragment
    assert own is not None
    assert (own.offset, own.more_fragments, own.identification) == (0, True, 0x01020304)


def test_what_is_behind_a_later_fragment_is_no_header() -> None:
    later = Ipv6(*SIX, HOP_BY_HOP, b"\xff" * 16, extensions=(fragment_header(8, more=False, identification=1),))
    assert parse(bytes(later)) == later


def test_a_packet_that_was_cut() -> None:
    """As inside of an ICMP error."""
    assert parse(bytes(Ipv4(*FOUR, 17, b"0123456789"))[:-4]) == Ipv4(*FOUR, 17, b"012345", total_length=30)
    assert parse(bytes(Ipv6(*SIX, 17, b"0123456789"))[:-4]) == Ipv6(*SIX, 17, b"012345", payload_length=10)


@given(st.binary(max_size=120), st.sampled_from([b"", b"\x45", b"\x60", b"\x4f"]))
def test_whatever_comes(data: bytes, first: bytes) -> None:
    """Read, or not: and what was read is written the same, but for a checksum of the header that was wrong."""
    packet = parse(first + data)
    if isinstance(packet, Ipv6) and packet.payload_length is None:
        assert bytes(packet) == (first + data)[: len(bytes(packet))]


def test_checksums() -> None:
    """RFC 768, RFC 9293, RFC 792, RFC 4443, by Scapy."""
    ports = (1025, 7)
    for ip, source, destination in ((IP, *FOUR), (IPv6, *SIX)):
        header = ip(src=str(source), dst=str(destination))
        udp = bytes(header / UDP(sport=ports[0], dport=ports[1]) / Raw(b"some data"))
        assert udp.endswith(transport.udp(source, destination, ports, b"some data"))
        segment = TCP(sport=ports[0], dport=ports[1], seq=1, ack=1, flags="PA", window=8192)
        tcp = bytes(header / segment / Raw(b"odd"))
        assert tcp.endswith(transport.tcp(source, destination, ports, b"odd"))
    rest = (9).to_bytes(2, "big") + (3).to_bytes(2, "big")
    echo = bytes(IP(src=str(FOUR[0]), dst=str(FOUR[1])) / ICMP(type=8, id=9, seq=3) / Raw(b"echo"))
    assert echo.endswith(transport.icmp(*FOUR, (8, 0), rest, b"echo"))
    echo6 = bytes(IPv6(src=str(SIX[0]), dst=str(SIX[1])) / ICMPv6EchoRequest(id=9, seq=3, data=b"echo"))
    assert echo6.endswith(transport.icmp(*SIX, (128, 0), rest, b"echo"))
