"""nftables' rules (nft(8)) for source NAT into the pool of a bench, or to the device's own address. Pure: no I/O."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

from xlatperf.devices.device import DeviceError, Link
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.lab.bed import DUT_PORTS

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_FAMILIES = {4: ("ip", "icmp", "{}"), 6: ("ip6", "icmpv6", "[{}]")}
"""In nftables' words: the family, its ICMP, and an address before a port.

With TCP, UDP and ICMP the kernel takes ports, or identifiers, from the range; others have none.
"""


def ruleset(technology: Mapping[str, Any]) -> str:
    """From `technology.pool` of the Plan, of its IP version. Raises DeviceError for a pool that goes too far.

    Which port a connection gets is the kernel's choice (net/netfilter/nf_nat_core.c): the mapping that the same source
    has towards other destinations, if it's free here; else the source's own port, if it's in the range and free; else
    one at random, and after some 240 that aren't free the packet is dropped: so the last 2 % of a range aren't found.
    Of several addresses it takes one by a hash of source and destination address.

    A packet for the pool that belongs to no connection would be routed, and take an entry in the table: it's dropped.
    """
    first, last = _addresses(technology["pool"])
    _, _, with_port = _FAMILIES[first.version]
    with_ports = f"{_range(first, last, with_port)}:{_ports(technology['pool'])}"
    return _table(first, last, f"snat to {with_ports}", f"snat to {_range(first, last)}")


def masquerade(technology: Mapping[str, Any], right: Link) -> str:
    """To the address of the interface on the right, which `technology.pool` of the Plan has to be.

    DeviceError for another one. Ports are chosen as `ruleset` says.
    """
    pool = technology["pool"]
    first, last = _addresses(pool)
    own = right.dut_ipv4 if first.version == 4 else right.dut_ipv6
    if own is None or first != ipaddress.ip_interface(own).ip:
        address = "its address there" if own is None else str(ipaddress.ip_interface(own).ip)
        allowed = f"{address}: a router that masquerades translates to the address of its right interface"
        raise DeviceError(not_allowed("technology.pool.first", pool["first"], allowed))
    if first != last:
        allowed = "1: a router that masquerades has one address"
        raise DeviceError(not_allowed("technology.pool.addresses", pool["addresses"], allowed))
    return _table(first, last, f"masquerade to :{_ports(pool)}", "masquerade")


def _table(first: _Address, last: _Address, with_ports: str, without: str) -> str:
    """`with_ports`, `without`: the statements for packets that have ports, and for others."""
    family, icmp, _ = _FAMILIES[first.version]
    right = DUT_PORTS["right"]
    return f"""table {family} xlatperf {{
    chain unknown {{
        type filter hook prerouting priority mangle;
        iifname "{right}" {family} daddr {_range(first, last)} ct state new drop
    }}
    chain translate {{
        type nat hook postrouting priority srcnat;
        oifname "{right}" meta l4proto {{ tcp, udp, {icmp} }} {with_ports}
        oifname "{right}" {without}
    }}
}}
"""


def _addresses(pool: Mapping[str, Any]) -> tuple[_Address, _Address]:
    refuse_port_set(pool)
    try:
        first = ipaddress.ip_address(pool["first"])
        return first, first + (pool["addresses"] - 1)
    except ValueError as error:
        raise DeviceError(
            f"technology.pool: {pool['addresses']} addresses from {pool['first']} are not allowed: {error}"
        ) from error


def refuse_port_set(pool: Mapping[str, Any]) -> None:
    """Of a device that takes a range of ports. Raises DeviceError."""
    if pool.get("psid_length"):
        allowed = "0: this device translates to a range of ports"
        raise DeviceError(not_allowed("technology.pool.psid_length", pool["psid_length"], allowed))


def _range(first: _Address, last: _Address, each: str = "{}") -> str:
    return "-".join(each.format(one) for one in dict.fromkeys((first, last)))


def _ports(pool: Mapping[str, Any]) -> str:
    first, last = pool["first_port"], pool["last_port"]
    return str(first) if first == last else f"{first}-{last}"
