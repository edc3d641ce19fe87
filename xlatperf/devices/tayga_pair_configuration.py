"""Two TAYGAs in a row, IPv4 outside and IPv6 between them: their configurations and routes. Pure: no I/O.

The left one (464XLAT's CLAT, RFC 6877) translates a client's IPv4 address to one in its own prefix, and the right one
(before the PLAT's NAT44) translates it back to the same address; a server's address likewise with the other prefix.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from xlatperf.devices.device import DeviceError, Link
from xlatperf.devices.tayga_configuration import (
    EVERY_IPV4,
    Configuration,
    Network,
    file_text,
    foreground,
    link_networks,
    map_lines,
)

# The Tester sees none of them: from benchmarking (RFC 5180 §8) and documentation space (RFC 3849).
RIGHT_PREFIX = ipaddress.IPv6Network("2001:2:0:6464::/96")  # servers: RFC 6877's PLAT-side prefix
LEFT_PREFIX = ipaddress.IPv6Network("2001:db8:c1a7::/96")  # clients: its CLAT-side prefix
BETWEEN = ipaddress.IPv6Network("2001:db8:c1a8::/64")  # the link between both
ADDRESSES = {"left": str(BETWEEN[1]), "right": str(BETWEEN[2])}


@dataclass(frozen=True)
class Pair:
    """Both devices."""

    left: Configuration
    right: Configuration


def configure(driver: str, describe: Mapping[str, Any], links: Iterable[Link]) -> Pair:
    """From `describe` of the Plan. Raises DeviceError."""
    clients = [network for network in foreground(describe, "left") if isinstance(network, ipaddress.IPv4Network)]
    used: list[Network] = [*link_networks(links)]
    used += [ipaddress.ip_network(route["prefix"]) for side in ("left", "right") for route in describe[side]["routes"]]
    for network in (RIGHT_PREFIX, LEFT_PREFIX, BETWEEN):
        if any(network.overlaps(other) for other in used if isinstance(other, ipaddress.IPv6Network)):
            raise DeviceError(f"the driver {driver} uses {network} between its devices: the bench must not")
    maps = [(ipv4, _embedded(ipv4)) for ipv4 in ipaddress.collapse_addresses(clients)]
    text = file_text(RIGHT_PREFIX, map_lines(maps), used)
    return Pair(
        # what isn't routed to the Tester is for TAYGA
        left=Configuration(text, (EVERY_IPV4, str(LEFT_PREFIX))),
        right=Configuration(text, (str(RIGHT_PREFIX), *(str(ipv4) for ipv4, _ in maps))),
    )


def _embedded(network: ipaddress.IPv4Network) -> ipaddress.IPv6Network:
    """RFC 6052 §2.2 with a /96."""
    low = int(network.network_address)
    return ipaddress.IPv6Network((int(LEFT_PREFIX.network_address) | low, 96 + network.prefixlen))
