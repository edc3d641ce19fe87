"""TAYGA's configuration for stateful NAT64, where NAT44 follows behind it. Pure: no I/O.

TAYGA itself is stateless: each client gets an IPv4 address of its own in a range that only the kernel behind it sees.
That's either a static mapping of the clients' networks or, where they are too many or too large for that (RFC 9693 §3.2
varies bits 96 to 111), an address of TAYGA's dynamic pool, which a client keeps for two hours after its last packet.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from typing import Any

from xlatperf.devices.device import DeviceError, Link
from xlatperf.devices.tayga_configuration import (
    Configuration,
    Network,
    file_text,
    foreground,
    link_networks,
    map_lines,
    prefix_remarks,
    translation_prefix,
)

# For the addresses between TAYGA and NAT44: shared address space (RFC 6598), private (RFC 1918).
_RANGES = ("100.64.0.0/10", "10.0.0.0/8", "172.16.0.0/12")
MOST_MAPS = 256
"""TAYGA searches its static mappings one by one."""


def configure(technology: Mapping[str, Any], describe: Mapping[str, Any], links: Iterable[Link]) -> Configuration:
    """From `technology` and `describe` of the Plan. Raises DeviceError."""
    prefix = translation_prefix(technology)
    if prefix is None:
        raise DeviceError("technology.prefix is missing: NAT64 needs one (RFC 6146 §2)")
    clients = foreground(describe, "left")
    used: list[Network] = [*clients, *foreground(describe, "right"), *link_networks(links), prefix]
    used.append(ipaddress.ip_network(technology["pool"]["first"]))
    between = free_range(used)
    maps = static_maps(clients, between)
    mapping = [f"dynamic-pool {between}"] if maps is None else map_lines(maps)
    return Configuration(
        file_text(prefix, mapping, [*used, between]), (str(prefix), str(between)), prefix_remarks(prefix)
    )


def static_maps(
    clients: Iterable[Network], between: ipaddress.IPv4Network
) -> list[tuple[ipaddress.IPv4Network, ipaddress.IPv6Network]] | None:
    """A part of `between` for each network of clients; None if it's too small or they are too many."""
    ipv6 = (network for network in clients if isinstance(network, ipaddress.IPv6Network))
    networks = sorted(ipaddress.collapse_addresses(ipv6), key=lambda network: network.num_addresses, reverse=True)
    if len(networks) > MOST_MAPS or sum(network.num_addresses for network in networks) > between.num_addresses:
        return None
    maps = []
    start = between.network_address
    for network in networks:  # the largest first: so each starts where a network of its size can
        maps.append((ipaddress.IPv4Network((start, 32 - (128 - network.prefixlen))), network))
        start += network.num_addresses
    return maps


def free_range(used: Iterable[Network]) -> ipaddress.IPv4Network:
    """For the addresses between TAYGA and a translator behind it. Raises DeviceError if the bench uses all."""
    taken = [network for network in used if isinstance(network, ipaddress.IPv4Network)]
    for text in _RANGES:
        candidate = ipaddress.IPv4Network(text)
        if not any(candidate.overlaps(network) for network in taken):
            return candidate
    raise DeviceError(f"TAYGA needs IPv4 addresses for the clients, but the bench uses all of {', '.join(_RANGES)}")
