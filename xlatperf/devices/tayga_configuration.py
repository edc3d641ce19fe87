"""TAYGA's configuration file (tayga.conf(5)) and the routes to it, for a SIIT bench. Pure: no I/O.

TAYGA is a process at the other end of a tun interface: what the kernel routes there comes back translated. So the
kernel must route there the IPv6 images of the hosts on the IPv4 side, and the IPv4 images of those on the IPv6 side.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from xlatperf.devices.device import DeviceError, Link

TUN = "tayga0"
# TAYGA's own addresses (sources of its ICMP errors), from the documentation prefixes (RFC 5737 §3, RFC 3849): the first
# that nothing in the bench uses.
_OWN_IPV4 = ("192.0.2.1", "198.51.100.1", "203.0.113.1")
_OWN_IPV6 = ("2001:db8:7a:67a::1", "2001:db8:7a:67b::1", "2001:db8:7a:67c::1")
_WELL_KNOWN_PREFIX = ipaddress.IPv6Network("64:ff9b::/96")
_PREFIX_LENGTHS = (32, 40, 48, 56, 64, 96)  # RFC 6052 §2.2
EVERY_IPV4 = "0.0.0.0/0"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Configuration:
    """The file's text, and the networks to route to the tun interface."""

    text: str
    routes: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def configure(technology: Mapping[str, Any], describe: Mapping[str, Any], links: Iterable[Link]) -> Configuration:
    """From `technology` and `describe` of the Plan. DeviceError for what TAYGA 0.9.2 can't express."""
    ipv6_side = technology["ipv6_side"]
    ipv4_side = "right" if ipv6_side == "left" else "left"
    prefix = translation_prefix(technology)
    maps = mappings(technology)
    behind_ipv6 = foreground(describe, ipv6_side)
    behind_ipv4 = foreground(describe, ipv4_side)
    used: list[Network] = [*behind_ipv6, *behind_ipv4, *link_networks(links)]
    used += [network for pair in maps for network in pair]
    if prefix is not None:
        used.append(prefix)

    routes = _routes(prefix, maps, behind_ipv4, behind_ipv6)
    return Configuration(file_text(prefix, map_lines(maps), used), routes, prefix_remarks(prefix))


def file_text(prefix: ipaddress.IPv6Network | None, mapping: Iterable[str], used: Iterable[Network]) -> str:
    """The file: TAYGA's interface and own addresses, which nothing of `used` may contain; prefix; lines of mappings."""
    taken = list(used)
    lines = [f"tun-device {TUN}", f"ipv4-addr {_free(_OWN_IPV4, taken)}"]
    if prefix is None or prefix == _WELL_KNOWN_PREFIX:  # otherwise TAYGA takes ipv4-addr's image in the prefix
        lines.append(f"ipv6-addr {_free(_OWN_IPV6, taken)}")
    if prefix is not None:
        lines.append(f"prefix {prefix}")
    return "\n".join([*lines, *mapping]) + "\n"


def map_lines(maps: Iterable[tuple[ipaddress.IPv4Network, ipaddress.IPv6Network]]) -> list[str]:
    """Static mappings of networks of the same size."""
    return [f"map {ipv4} {ipv6}" for ipv4, ipv6 in maps]


def _routes(
    prefix: ipaddress.IPv6Network | None,
    maps: list[tuple[ipaddress.IPv4Network, ipaddress.IPv6Network]],
    behind_ipv4: list[Network],
    behind_ipv6: list[Network],
) -> tuple[str, ...]:
    """What goes to TAYGA. Each mapping is routed there on the side where its hosts are *not*."""
    routes: list[str] = []
    if prefix is not None:
        routes.append(str(prefix))
    for ipv4, ipv6 in maps:
        hosts_on_ipv4_side = any(_overlap(ipv4, network) for network in behind_ipv4)
        hosts_on_ipv6_side = any(_overlap(ipv6, network) for network in behind_ipv6)
        if hosts_on_ipv6_side or not hosts_on_ipv4_side:
            routes.append(str(ipv4))
        if hosts_on_ipv4_side or not hosts_on_ipv6_side:
            routes.append(str(ipv6))
    covered = [ipv6 for _, ipv6 in maps]
    if any(not any(_within(network, ipv6) for ipv6 in covered) for network in behind_ipv6):
        # Hosts with IPv4-embedded addresses (RFC 6052 §2.2). What isn't routed to the Tester is for TAYGA.
        routes.append(EVERY_IPV4)
    return tuple(routes)


def prefix_remarks(prefix: ipaddress.IPv6Network | None) -> tuple[str, ...]:
    """What has to be said about a translation prefix."""
    if prefix != _WELL_KNOWN_PREFIX:
        return ()
    return (f"TAYGA drops packets with {prefix} and an IPv4 address that isn't global (RFC 6052 §3.1)",)


def translation_prefix(technology: Mapping[str, Any], place: str = "technology") -> ipaddress.IPv6Network | None:
    """`prefix` of the table at `place`; None if it's absent."""
    given = technology.get("prefix")
    return possible_prefix(given, f"{place}.prefix") if given else None


def possible_prefix(given: str, place: str) -> ipaddress.IPv6Network:
    """The one that stands at `place`. DeviceError for what TAYGA can't have."""
    prefix = ipaddress.IPv6Network(given)
    if prefix.prefixlen not in _PREFIX_LENGTHS:
        allowed = ", ".join(f"/{length}" for length in _PREFIX_LENGTHS)
        raise DeviceError(f"{place}: TAYGA can't do {prefix}: {allowed} (RFC 6052 §2.2)")
    return prefix


def mappings(
    technology: Mapping[str, Any], place: str = "technology"
) -> list[tuple[ipaddress.IPv4Network, ipaddress.IPv6Network]]:
    """`eam` of the table at `place`."""
    return [_map(eam, place) for eam in technology.get("eam") or ()]


def _map(eam: Mapping[str, Any], place: str) -> tuple[ipaddress.IPv4Network, ipaddress.IPv6Network]:
    ipv4, ipv6 = ipaddress.IPv4Network(eam["ipv4"]), ipaddress.IPv6Network(eam["ipv6"])
    if 32 - ipv4.prefixlen != 128 - ipv6.prefixlen:
        # RFC 7757 §3.1 allows a longer IPv6 suffix, TAYGA 0.9.2 says "must be of the same size"
        raise DeviceError(
            f"{place}.eam: TAYGA can't map {ipv4} to {ipv6}, both must have the same size: "
            f"use a /{128 - 32 + ipv4.prefixlen} in IPv6"
        )
    return ipv4, ipv6


def foreground(describe: Mapping[str, Any], side: str) -> list[Network]:
    """The networks of the translated traffic's hosts behind the Tester on that side."""
    return [
        ipaddress.ip_network(route["prefix"]) for route in describe[side]["routes"] if route["class"] == "foreground"
    ]


def link_networks(links: Iterable[Link]) -> list[Network]:
    """The networks between Tester and DUT."""
    given = [address for link in links for address in (link.dut_ipv4, link.dut_ipv6) if address is not None]
    return [ipaddress.ip_interface(address).network for address in given]


def _free(candidates: Iterable[str], used: list[Network]) -> str:
    for candidate in candidates:
        address = ipaddress.ip_address(candidate)
        if not any(address in network for network in used if network.version == address.version):
            return candidate
    raise DeviceError(f"TAYGA needs an address of its own, but the bench uses all of {', '.join(candidates)}")


def _overlap(one: Network, other: Network) -> bool:
    return one.version == other.version and one.overlaps(other)


def _within(inner: Network, outer: ipaddress.IPv6Network) -> bool:
    return isinstance(inner, ipaddress.IPv6Network) and inner.subnet_of(outer)
