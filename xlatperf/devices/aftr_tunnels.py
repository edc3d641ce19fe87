"""Tunnels to B4s, and what tells the connections of one from those of another: a part of an AFTR (RFC 6333).

The connections of each are in a zone of their own (§6.6), so the same client address may be behind each. A frame from
the Internet finds its connection by the pool's address and port, and its mark says into which tunnel the frame goes.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from typing import Any

from xlatperf.devices.many_tunnels import refuse_too_many
from xlatperf.lab.bed import DUT_PORTS
from xlatperf.lab.machine.ip6_tunnels import Tunnel

_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "192.0.0.0/29")
"""RFC 6333 §11: of clients (RFC 1918) and of B4s themselves (§5.7)."""


_CAME = 0x100
"""In the mark of a packet that came in a tunnel."""
SYSCTLS = {"net.ipv4.fwmark_reflect": 1}


def homes(of: Sequence[Tunnel]) -> Mapping[str, str]:
    """Private networks, and a tunnel: without a route the kernel tells clients of no error."""
    return dict.fromkeys(_PRIVATE, of[0].name)


def tunnels(technology: Mapping[str, Any]) -> Sequence[Tunnel]:
    """To each B4 of `technology.b4s`. Raises DeviceError for too many."""
    b4s = technology["b4s"]
    refuse_too_many(b4s["count"], "technology.b4s.count", b4s["count"], "B4s,")
    first = int(ipaddress.IPv6Address(b4s["first"]))
    step = 1 << (128 - b4s["network_length"])
    return [
        Tunnel(f"b4-{number}", technology["aftr"], str(ipaddress.IPv6Address(first + (number - 1) * step)))
        for number in range(1, b4s["count"] + 1)
    ]


def rules(of: Sequence[Tunnel]) -> str:
    """nftables' (nft(8)): the zone of a tunnel's connections, their marks, and no source that isn't private.

    The kernel's own errors have the mark of the packet that they are about (`SYSCTLS`), and go back into its tunnel.
    What has a private address' route (`homes`) and no connection is dropped.
    """
    numbers = ", ".join(f'"{one.name}" : {number}' for number, one in enumerate(of, 1))
    names = ", ".join(f'"{one.name}"' for one in of)
    return f"""table ip b4s {{
    chain zones {{
        type filter hook prerouting priority raw;
        ct original zone set iifname map {{ {numbers} }}
    }}
    chain marks {{
        type filter hook prerouting priority mangle;
        ct mark set iifname map {{ {numbers} }}
        iifname "{DUT_PORTS["right"]}" meta mark set ct mark
        iifname {{ {names} }} meta mark set ct mark or {_CAME}
    }}
    chain own {{
        type route hook output priority mangle;
        meta mark and {_CAME} == 0 meta mark set 0
        meta mark and {_CAME} != 0 meta mark set meta mark and {_CAME - 1}
    }}
    chain sources {{
        type filter hook forward priority filter;
        iifname {{ {names} }} ip saddr != {{ {", ".join(_PRIVATE)} }} drop
        oifname {{ {names} }} iifname != "{DUT_PORTS["right"]}" drop
        oifname {{ {names} }} meta mark 0 drop
    }}
}}
"""
