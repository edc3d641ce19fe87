"""RFC 7915 as the conformance rules compute it: the golden vector, and ICMP's tables as the RFC prints them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6

from tests.conformance.translator import FROM_IPV4, FROM_IPV6
from xlatperf.conformance import icmp_types
from xlatperf.conformance.packet import Ipv4, Ipv6, parse
from xlatperf.conformance.translate import Pairs, to_ipv4, to_ipv6

GOLDEN_V6 = bytes.fromhex(
    "6b800000001a110a" + "20010002000000000000000000000002" + "20010002000010000000000000000002" + "c0200007001aa737"
) + bytes(range(18))
GOLDEN_V4 = bytes.fromhex("45b8002e00000000091124dec6120002c6130002" + "c0200007001a6b17") + bytes(range(18))
PAIRS = Pairs(
    {
        IPv4Address("198.18.0.2"): IPv6Address("2001:2::2"),
        IPv4Address("198.19.0.2"): IPv6Address("2001:2:0:1000::2"),
    }
)


def test_golden_vector() -> None:
    """R7915-V: 84 bytes of IPv6, 64 of IPv4."""
    ipv6, ipv4 = parse(GOLDEN_V6), parse(GOLDEN_V4)
    assert isinstance(ipv6, Ipv6)
    assert isinstance(ipv4, Ipv4)
    assert to_ipv4(ipv6, PAIRS, hops=1) == ipv4
    back = to_ipv6(ipv4, PAIRS, hops=-1)
    assert back is not None
    assert bytes(back) == GOLDEN_V6


@given(st.integers(0, 1400), st.sampled_from(["udp", "tcp"]))
def test_checksums_by_scapy(size: int, kind: str) -> None:
    """§4.5, §5.5: what follows the addresses step by step is what is computed from nothing."""
    for way, layer in ((FROM_IPV4, IPv6), (FROM_IPV6, IP)):
        made = way.ends.translated(getattr(way.ends, kind)(size))
        assert made is not None
        data = bytes(made)
        again = layer(data)
        del again.payload.chksum
        assert bytes(again)[-len(made.payload) :] == made.payload


TO_IPV6 = {
    **{(3, code): (1, 0) for code in (0, 1, 5, 6, 7, 8, 11, 12)},
    **{(3, code): (1, 1) for code in (9, 10, 13, 15)},
    (3, 2): (4, 1),
    (3, 3): (1, 4),
    (3, 4): (2, 0),
    (8, 0): (128, 0),
    (0, 0): (129, 0),
    (11, 0): (3, 0),
    (11, 1): (3, 1),
    (12, 0): (4, 0),
    (12, 2): (4, 0),
}
TO_IPV4 = {
    (1, 0): (3, 1),
    (1, 1): (3, 10),
    (1, 2): (3, 1),
    (1, 3): (3, 1),
    (1, 4): (3, 3),
    (2, 0): (3, 4),
    (3, 0): (11, 0),
    (3, 1): (11, 1),
    (4, 0): (12, 0),
    (4, 1): (3, 2),
    (128, 0): (8, 0),
    (129, 0): (0, 0),
}


def test_types_and_codes() -> None:
    """§4.2, §5.2; all others are dropped."""
    rest = b"\0\0\5\x78"
    for number in range(256):
        for code in range(18 if number in (3, 1, 4) else 3):
            found = icmp_types.to_ipv6((number, code), rest)
            known = TO_IPV6.get((number, code), TO_IPV6.get((number, 0)) if number in (0, 8) else None)
            if number == 11:
                known = (3, code)
            assert (None if found is None else found.kind) == known, (number, code)
            found = icmp_types.to_ipv4((number, code), rest if number == 2 else bytes(4))
            known = TO_IPV4.get((number, code), TO_IPV4.get((number, 0)) if number in (2, 128, 129) else None)
            if number == 3:
                known = (11, code)
            assert (None if found is None else found.kind) == known, (number, code)


@pytest.mark.parametrize(("mtu", "becomes"), [(1400, 1420), (1260, 1280), (1259, 1280), (68, 1280)])
def test_mtu_to_ipv6(mtu: int, becomes: int) -> None:
    """§4.2, §5: 20 more, never less than 1280."""
    found = icmp_types.to_ipv6((3, 4), b"\0\0" + mtu.to_bytes(2, "big"))
    assert found is not None
    assert int.from_bytes(found.rest, "big") == becomes


def test_pointers() -> None:
    """Figures 3 and 6."""
    to_six = {0: 0, 1: 1, 2: 4, 3: 4, 8: 7, 9: 6, **dict.fromkeys(range(12, 16), 8), **dict.fromkeys(range(16, 20), 24)}
    for pointer in range(256):
        six = icmp_types.to_ipv6((12, 0), bytes([pointer, 0, 0, 0]))
        assert (None if six is None else int.from_bytes(six.rest, "big")) == to_six.get(pointer)
    to_four = {
        0: 0,
        1: 1,
        4: 2,
        5: 2,
        6: 9,
        7: 8,
        **dict.fromkeys(range(8, 24), 12),
        **dict.fromkeys(range(24, 40), 16),
    }
    for pointer in range(256):
        four = icmp_types.to_ipv4((4, 0), pointer.to_bytes(4, "big"))
        assert (None if four is None else four.rest[0]) == to_four.get(pointer)
