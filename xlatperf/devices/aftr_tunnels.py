"""Tunnels to B4s, and what tells the connections of one from those of another: a part of an AFTR (RFC 6333)."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from typing import Any

from xlatperf.devices.assembled import Part
from xlatperf.devices.device import DeviceError
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.lab.bed import DUT_PORTS
from xlatperf.lab.machine import ip6_tunnels
from xlatperf.lab.machine.ip6_tunnels import OUTER_BYTES, Tunnel
from xlatperf.lab.shell_transport import ShellTransport

MOST_B4S = 64
"""Each has an interface, a routing table and a rule, which the kernel looks through one by one."""
_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "192.0.0.0/29")
"""RFC 6333 §11: of clients (RFC 1918) and of B4s themselves (§5.7)."""


class AftrTunnels(Part):
    """One interface of the device's for each B4; its connections are in a zone of their own (RFC 6333 §6.6).

    So the same client address may be behind each. A frame from the Internet finds its connection by the pool's address
    and port, and the connection's mark says into which tunnel it goes.
    """

    def __init__(self, technology: Mapping[str, Any], device: ShellTransport, link_mtu: int) -> None:
        """Raises DeviceError for more B4s than it can have."""
        self.device = device
        self._aftr = technology["aftr"]
        self._mtu = link_mtu - OUTER_BYTES
        self._tunnels = tunnels(technology)
        self.rules = rules(self._tunnels)

    def make(self) -> None:
        """Raises LabError."""
        with self.device.network() as network:
            network.add_address("lo", f"{self._aftr}/128")
        ip6_tunnels.add(self.device, self._tunnels, self._mtu)
        ip6_tunnels.route_by_mark(self.device, self._tunnels)
        self.device.run(("nft", "-f", "-"), text=self.rules)

    def facts(self) -> dict[str, str]:
        """How the tunnels are made."""
        return {
            "tunnels": str(len(self._tunnels)),
            "tunnels.first": ip6_tunnels.shown(self.device, self._tunnels[0]),
            "nft.b4s": self.rules,
        }

    def diagnose(self) -> list[str]:
        """Is each there? Raises LabError."""
        with self.device.network() as network:
            there = set(network.links())
        return [
            f"the DUT has no tunnel {one.name} to the B4 {one.remote}" for one in self._tunnels if one.name not in there
        ]


def tunnels(technology: Mapping[str, Any]) -> Sequence[Tunnel]:
    """To each B4 of `technology.b4s`. Raises DeviceError for too many."""
    b4s = technology["b4s"]
    if b4s["count"] > MOST_B4S:
        allowed = f"1 to {MOST_B4S}, as the kernel has an interface for each"
        raise DeviceError(not_allowed("technology.b4s.count", b4s["count"], allowed))
    first = int(ipaddress.IPv6Address(b4s["first"]))
    step = 1 << (128 - b4s["network_length"])
    return [
        Tunnel(f"b4-{number}", technology["aftr"], str(ipaddress.IPv6Address(first + (number - 1) * step)))
        for number in range(1, b4s["count"] + 1)
    ]


def rules(of: Sequence[Tunnel]) -> str:
    """nftables' (nft(8)): the zone of a tunnel's connections, their marks, and no source that isn't private."""
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
    }}
    chain sources {{
        type filter hook forward priority filter;
        iifname {{ {names} }} ip saddr != {{ {", ".join(_PRIVATE)} }} drop
    }}
}}
"""
