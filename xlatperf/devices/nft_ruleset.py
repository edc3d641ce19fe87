"""nftables' rules (nft(8)) for source NAT into the pool of a bench. Pure: no I/O."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

from xlatperf.devices.device import DeviceError
from xlatperf.lab.testbed import DUT_PORTS

# With these the kernel takes ports, or ICMP's identifiers, from the range; others have none.
_WITH_PORTS = "{ tcp, udp, icmp }"


def ruleset(technology: Mapping[str, Any]) -> str:
    """From `technology.pool` of the Plan. Raises DeviceError for a pool that isn't IPv4.

    Which port a connection gets is the kernel's choice (net/netfilter/nf_nat_core.c): the mapping that the same source
    has towards other destinations, if it's free here; else the source's own port, if it's in the range and free; else
    one at random, and after some 240 that aren't free the packet is dropped: so the last 2 % of a range aren't found.
    Of several addresses it takes one by a hash of source and destination address.

    A packet for the pool that belongs to no connection would be routed, and take an entry in the table: it's dropped.
    """
    addresses, ports = _addresses(technology["pool"]), _ports(technology["pool"])
    right = DUT_PORTS["right"]
    return f"""table ip xlatperf {{
    chain unknown {{
        type filter hook prerouting priority mangle;
        iifname "{right}" ip daddr {addresses} ct state new drop
    }}
    chain translate {{
        type nat hook postrouting priority srcnat;
        oifname "{right}" meta l4proto {_WITH_PORTS} snat to {addresses}:{ports}
        oifname "{right}" snat to {addresses}
    }}
}}
"""


def _addresses(pool: Mapping[str, Any]) -> str:
    try:
        first = ipaddress.IPv4Address(pool["first"])
        last = first + (pool["addresses"] - 1)
    except ValueError as error:
        raise DeviceError(
            f"technology.pool: {pool['addresses']} addresses from {pool['first']} are not allowed: IPv4 ({error})"
        ) from error
    return str(first) if first == last else f"{first}-{last}"


def _ports(pool: Mapping[str, Any]) -> str:
    first, last = pool["first_port"], pool["last_port"]
    return str(first) if first == last else f"{first}-{last}"
