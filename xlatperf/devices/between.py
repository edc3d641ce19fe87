"""IPv6 between two translators in a row, with IPv4 outside of both: addresses, routes, prefixes.

464XLAT (RFC 6877) is such a pair: clients have addresses of the left prefix there, servers of the right one.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from xlatperf.devices.assembled import Part
from xlatperf.devices.device import DeviceError, Link, Plan
from xlatperf.devices.tayga_configuration import Network, foreground, link_networks
from xlatperf.lab.bed import ALLOWED_MTU, INNER_PORTS, Bed
from xlatperf.lab.link_addresses import INNER_MACS
from xlatperf.technologies.translation_prefix import embedded

# The Tester sees none of them: from benchmarking (RFC 5180 §8) and documentation space (RFC 3849).
RIGHT_PREFIX = ipaddress.IPv6Network("2001:2:0:6464::/96")  # servers: RFC 6877's PLAT-side prefix
LEFT_PREFIX = ipaddress.IPv6Network("2001:db8:c1a7::/96")  # clients: its CLAT-side prefix
BETWEEN = ipaddress.IPv6Network("2001:db8:c1a8::/64")  # the link between both
BEYOND = {"left": [str(LEFT_PREFIX)], "right": [str(RIGHT_PREFIX)]}
"""Whose hosts have which addresses between both."""
ADDRESSES = {"left": str(BETWEEN[1]), "right": str(BETWEEN[2])}
# An IPv6 header is 20 bytes longer than IPv4's; a fragment has 8 bytes more (RFC 7915 §4).
_LARGER = 28


def mtu_between(mtu: int) -> int:
    """Of the link between both, in bytes: what comes in on links with this MTU gets through."""
    return min(mtu + _LARGER, ALLOWED_MTU.stop - 1)


def used_outside(driver: str, describe: Mapping[str, Any], links: Iterable[Link]) -> list[Network]:
    """The bench's networks, from `describe` of the Plan. Raises DeviceError if one is used between the two."""
    used: list[Network] = [*link_networks(links)]
    used += [ipaddress.ip_network(route["prefix"]) for side in ("left", "right") for route in describe[side]["routes"]]
    for network in (RIGHT_PREFIX, LEFT_PREFIX, BETWEEN):
        if any(network.overlaps(other) for other in used if isinstance(other, ipaddress.IPv6Network)):
            raise DeviceError(f"the driver {driver} uses {network} between its devices: the bench must not")
    return used


def clients(describe: Mapping[str, Any]) -> list[tuple[ipaddress.IPv4Network, ipaddress.IPv6Network]]:
    """Each network of clients, and the one that it is between the two."""
    networks = [network for network in foreground(describe, "left") if isinstance(network, ipaddress.IPv4Network)]
    return [(ipv4, embedded(LEFT_PREFIX, ipv4)) for ipv4 in ipaddress.collapse_addresses(networks)]


class Between(Part):
    """The link between both: addresses, neighbours, routes; also those of native IPv6 to the other's side."""

    def __init__(self, plan: Plan, bed: Bed, beyond: Mapping[str, Sequence[str]] = BEYOND) -> None:
        self._describe = plan.describe
        self._bed = bed
        self._beyond = beyond

    def make(self) -> None:
        """Raises LabError."""
        for side, other in (("left", "right"), ("right", "left")):
            port = INNER_PORTS[side]
            native = [route["prefix"] for route in self._describe[other]["routes"] if _is_ipv6(route["prefix"])]
            with self._bed.at[side].network() as network:
                network.add_address(port, f"{ADDRESSES[side]}/{BETWEEN.prefixlen}")
                network.add_neighbour(port, ADDRESSES[other], INNER_MACS[other])
                for network_there in (*self._beyond[other], *native):
                    network.add_route(network_there, port, ADDRESSES[other])

    def facts(self) -> dict[str, str]:
        """Its MTU."""
        return {"inner_mtu": str(self._bed.inner_mtu)}


def _is_ipv6(prefix: str) -> bool:
    return ipaddress.ip_network(prefix).version == 6
