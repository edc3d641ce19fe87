"""Fragments join in any order, or not at all: Scapy's are the ones to be put together."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP, fragment
from scapy.layers.inet6 import IPv6, IPv6ExtHdrFragment, fragment6
from scapy.packet import Raw

from xlatperf.conformance.packet import Ipv4, Ipv6, Packet, parse
from xlatperf.conformance.reassembly import identification_of, reassembled


def _parts(version: int, size: int) -> tuple[bytes, list[Packet]]:
    """Of a datagram with so many bytes of data, in fragments."""
    whole: Any
    if version == 4:
        whole = IP(src="198.18.0.2", dst="198.19.0.2", id=7) / UDP() / Raw(b"x" * size)
        parts = fragment(whole, fragsize=64)  # type: ignore[no-untyped-call]
    else:
        head = IPv6(src="2001:2::2", dst="2001:2::3")
        whole = head / UDP() / Raw(b"x" * size)
        parts = fragment6(head / IPv6ExtHdrFragment(id=7) / UDP() / Raw(b"x" * size), 1280)  # type: ignore[no-untyped-call]
    found = [parse(bytes(one)) for one in parts]
    assert None not in found
    return bytes(whole)[-size - 8 :], [one for one in found if one is not None]


@given(st.sampled_from([4, 6]), st.integers(1300, 4000), st.randoms())
def test_any_order(version: int, size: int, random: Any) -> None:
    payload, parts = _parts(version, size)
    assert len(parts) > 1
    assert {identification_of(one) for one in parts} == {7}
    random.shuffle(parts)
    whole = reassembled(parts)
    assert whole is not None
    assert not whole.is_fragment
    assert whole.payload[8:] == payload[8:]


@given(st.sampled_from([4, 6]), st.data())
def test_one_is_missing(version: int, data: st.DataObject) -> None:
    _, parts = _parts(version, 3000)
    del parts[data.draw(st.integers(0, len(parts) - 1))]
    assert reassembled(parts) is None


def test_what_is_whole_and_what_is_nothing() -> None:
    whole = Ipv4(IPv4Address("198.18.0.2"), IPv4Address("198.19.0.2"), 17, b"x" * 20)
    assert reassembled([whole]) is whole
    assert reassembled([]) is None
    assert reassembled([whole, whole]) is None
    _, four = _parts(4, 2000)
    _, six = _parts(6, 2000)
    assert reassembled([four[0], six[-1]]) is None
    assert isinstance(six[0], Ipv6)
