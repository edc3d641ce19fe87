"""MAP-T (RFC 7599) by TAYGA and nftables: TAYGA's mappings, and the rules that put ports to CEs. Pure: no I/O.

TAYGA translates addresses alone. A CE's MAP address is mapped to an IPv4 address of the CE's own, which in a CE is the
shared one, and in a border relay one that only its kernel sees; what is under the default mapping rule is translated by
it (RFC 7599 §5.1, for /64 and /96 as RFC 6052 §2.2 has it).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from xlatperf.devices.device import DeviceError, Link
from xlatperf.devices.map_t_border_rules import rules
from xlatperf.devices.shared_address import SharedAddress
from xlatperf.devices.tayga_configuration import (
    EVERY_IPV4,
    Configuration,
    Network,
    file_text,
    foreground,
    link_networks,
    map_lines,
    possible_prefix,
    prefix_remarks,
)
from xlatperf.devices.tayga_nat64_configuration import MOST_MAPS, free_range
from xlatperf.keys.not_allowed import not_allowed


def configure_ce(
    technology: Mapping[str, Any], describe: Mapping[str, Any], links: Iterable[Link]
) -> tuple[Configuration, SharedAddress]:
    """Of the technology's only domain, and what the CE has. `describe`: of the Plan. Raises DeviceError."""
    (domain,) = technology["domains"]
    shared = SharedAddress.of_ce(domain)
    prefix = _default_rule(technology["domains"])
    maps = [_map(shared.address, shared)]
    used = [*_used(describe, links, technology), prefix]
    routes = (EVERY_IPV4, *(str(ipv6) for _, ipv6 in maps))
    return Configuration(file_text(prefix, map_lines(maps), used), routes, prefix_remarks(prefix)), shared


def configure_border(
    technology: Mapping[str, Any], describe: Mapping[str, Any], links: Iterable[Link], *, check_ports: bool = True
) -> tuple[Configuration, str]:
    """For all CEs that the rules can have; and nftables' rules. `describe`: of the Plan. Raises DeviceError."""
    domains = technology["domains"]
    ces = SharedAddress.of_ces(domains, MOST_MAPS, "as TAYGA looks through them one by one")
    prefix = _default_rule(domains)
    used = [*_used(describe, links, technology), prefix]
    inside = free_range(used)
    each = [(inside.network_address + number, one) for number, (_, one) in enumerate(ces)]
    lines = map_lines(_map(address, one) for address, one in each)
    text = file_text(prefix, lines, [*used, inside])
    configuration = Configuration(text, (str(prefix), str(inside)), prefix_remarks(prefix))
    return configuration, rules(each, inside, check_ports=check_ports)


def _map(address: ipaddress.IPv4Address, shared: SharedAddress) -> tuple[ipaddress.IPv4Network, ipaddress.IPv6Network]:
    return ipaddress.IPv4Network(address), ipaddress.IPv6Network(shared.tunnel)


def _default_rule(domains: Sequence[Mapping[str, Any]]) -> ipaddress.IPv6Network:
    """The default mapping rule of all domains."""
    dmr = domains[0]["dmr"]
    for index, domain in enumerate(domains):
        if domain["dmr"] != dmr:
            place = f"technology.domains[{index}].dmr"
            raise DeviceError(not_allowed(place, domain["dmr"], f"{dmr}: TAYGA has one prefix"))
    return possible_prefix(dmr, "technology.domains[0].dmr")


def _used(describe: Mapping[str, Any], links: Iterable[Link], technology: Mapping[str, Any]) -> list[Network]:
    rules = [ipaddress.ip_network(domain["ipv4"]) for domain in technology["domains"]]
    return [*foreground(describe, "left"), *foreground(describe, "right"), *link_networks(links), *rules]
