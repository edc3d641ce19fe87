"""Addresses of SIIT, computed with nothing but ipaddress: a second opinion on the engine's technology/."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Row = tuple[IPv4Network, IPv6Network]


def embed(prefix: IPv6Network, address: IPv4Address) -> IPv6Address:
    """RFC 6052 §2.2: the octets of the address follow the prefix, around octet 8, which is zero."""
    octets = prefix.network_address.packed[: prefix.prefixlen // 8] + address.packed
    if prefix.prefixlen <= 64:
        octets = octets[:8] + b"\0" + octets[8:]
    return IPv6Address(octets.ljust(16, b"\0"))


def map_explicitly(row: Row, address: IPv4Address) -> IPv6Address:
    """RFC 7757 §3.3.1, with strings of bits."""
    v4, v6 = row
    suffix = f"{int(address):032b}"[v4.prefixlen :]
    bits = f"{int(v6.network_address):0128b}"[: v6.prefixlen] + suffix
    return IPv6Address(int(bits.ljust(128, "0"), 2))


def to_ipv6(address: IPv4Address, prefix: IPv6Network | None, rows: list[Row]) -> IPv6Address:
    """RFC 7757 §3.2: the longest match among the mappings, else the prefix."""
    matching = [row for row in rows if address in row[0]]
    if matching:
        return map_explicitly(max(matching, key=lambda row: row[0].prefixlen), address)
    assert prefix is not None
    return embed(prefix, address)


def hosts_of(network: str, networks: int, host: int) -> list[Address]:
    """One host in each of consecutive networks (RFC 2544 §12)."""
    if ":" in network:
        six = IPv6Network(network, strict=False)
        return [six.network_address + i * six.num_addresses + host for i in range(networks)]
    four = IPv4Network(network, strict=False)
    return [four.network_address + i * four.num_addresses + host for i in range(networks)]
