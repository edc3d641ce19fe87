"""IPv4 addresses in IPv6 addresses (RFC 6052 §2.2)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network

_U_BITS = 8
"""Octet 8, bits 64 to 71, is zero and carries nothing of the address."""


def embedded(address: IPv4Address, prefix: IPv6Network) -> IPv6Address:
    """Behind a prefix of length 32, 40, 48, 56, 64 or 96."""
    packed = bytearray(prefix.network_address.packed)
    at = prefix.prefixlen // 8
    for octet in address.packed:
        at += at == _U_BITS
        packed[at] = octet
        at += 1
    return IPv6Address(bytes(packed))
