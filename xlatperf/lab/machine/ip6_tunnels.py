"""Tunnels of IPv4 in IPv6 (RFC 2473) by ip6_tunnel: a virtual machine's or another host's, never this kernel's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xlatperf.lab.shell_transport import ShellTransport

OUTER_BYTES = 40
HOP_LIMIT = 64


@dataclass(frozen=True)
class Tunnel:
    """An interface of the device: what is routed into it goes to `remote`. `local` is an address of the device."""

    name: str
    local: str
    remote: str


def add(device: ShellTransport, tunnels: Sequence[Tunnel], mtu: int) -> None:
    """All of them, up; `mtu`: of what is in them, in bytes. Raises LabError.

    The traffic class is copied to the outer header and from there (RFC 2983's uniform model), and there is no option
    that limits encapsulation, which RFC 6333 §5.3 and RFC 7597 §5 don't ask for.
    """
    lines = [
        line
        for one in tunnels
        for line in (
            f"link add {one.name} type ip6tnl mode ipip6 local {one.local} remote {one.remote} "
            f"encaplimit none hoplimit {HOP_LIMIT} tclass inherit",
            f"link set {one.name} mtu {mtu} up",
        )
    ]
    device.run(("ip", "-batch", "-"), text="\n".join(lines))


def shown(device: ShellTransport, tunnel: Tunnel) -> str:
    """All that the kernel says of it, on one line. Raises LabError."""
    return " ".join(device.run(("ip", "-d", "link", "show", tunnel.name)).split())


def route_by_mark(device: ShellTransport, tunnels: Sequence[Tunnel]) -> None:
    """IPv4 packets with mark 1 go into the first tunnel, with mark 2 into the second. Raises LabError."""
    lines = [
        line
        for mark, one in enumerate(tunnels, 1)
        for line in (
            f"route add default dev {one.name} table {_FIRST_TABLE + mark}",
            f"rule add fwmark {mark} lookup {_FIRST_TABLE + mark}",
        )
    ]
    device.run(("ip", "-4", "-batch", "-"), text="\n".join(lines))


def route(device: ShellTransport, to: Mapping[str, str]) -> None:
    """IPv4 packets to each address go into the tunnel of that name, if no mark says otherwise. Raises LabError."""
    lines = [f"route add {address} dev {name}" for address, name in to.items()]
    device.run(("ip", "-4", "-batch", "-"), text="\n".join(lines))


_FIRST_TABLE = 1000
