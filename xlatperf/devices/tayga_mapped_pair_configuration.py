"""Two TAYGAs in a row with the addresses that `technology.left` and `right` say: configurations and routes. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from xlatperf.devices.between import BETWEEN
from xlatperf.devices.device import DeviceError, Link
from xlatperf.devices.tayga_configuration import (
    EVERY_IPV4,
    Configuration,
    Network,
    file_text,
    foreground,
    link_networks,
    map_lines,
    mappings,
    prefix_remarks,
    translation_prefix,
)
from xlatperf.devices.tayga_pair_configuration import Pair
from xlatperf.technologies.translation_prefix import embedded

_SIDES = ("left", "right")


def configure_mapped(technology: Mapping[str, Any], describe: Mapping[str, Any], links: Iterable[Link]) -> Pair:
    """From `technology` and `describe` of the Plan. Raises DeviceError for what two TAYGAs can't be."""
    prefixes = {side: translation_prefix(technology[side], f"technology.{side}") for side in _SIDES}
    maps = {side: mappings(technology[side], f"technology.{side}") for side in _SIDES}
    hosts = {
        side: [one for one in foreground(describe, side) if isinstance(one, ipaddress.IPv4Network)] for side in _SIDES
    }
    between = {side: _between(side, hosts[side], prefixes[side], maps[side]) for side in _SIDES}
    for left in between["left"]:
        for right in between["right"]:
            if left.overlaps(right):
                both = left if left.subnet_of(right) else right
                raise DeviceError(
                    f"technology: the hosts of both sides are in {both} between the two: nobody can know whose is "
                    "whose; give left.eam or right.eam"
                )
    used: list[Network] = [BETWEEN, *link_networks(links)]
    for side in _SIDES:
        used += hosts[side]
        used += [network for pair in maps[side] for network in pair]
        prefix = prefixes[side]
        used += [] if prefix is None else [prefix]
    made = {
        side: Configuration(
            file_text(prefixes[side], map_lines(maps[side]), used),
            # what isn't routed to the Tester is for TAYGA
            (EVERY_IPV4, *map(str, between[side])),
            prefix_remarks(prefixes[side]),
        )
        for side in _SIDES
    }
    return Pair(**made, between={side: [str(one) for one in between[side]] for side in _SIDES})


def _between(
    side: str,
    hosts: Sequence[ipaddress.IPv4Network],
    prefix: ipaddress.IPv6Network | None,
    maps: Sequence[tuple[ipaddress.IPv4Network, ipaddress.IPv6Network]],
) -> list[ipaddress.IPv6Network]:
    """The IPv6 networks that hosts of a side have between the two."""
    found = [ipv6 for ipv4, ipv6 in maps if any(ipv4.overlaps(one) for one in hosts)]
    for one in hosts:
        if any(one.subnet_of(ipv4) for ipv4, _ in maps):
            continue
        if prefix is None:
            raise DeviceError(f"technology.{side}: no mapping covers {one}, and there is no prefix")
        found.append(embedded(prefix, one) if prefix.prefixlen == 96 else prefix)
    return list(ipaddress.collapse_addresses(found))
