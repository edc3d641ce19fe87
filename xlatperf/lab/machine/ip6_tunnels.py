"""Tunnels of IPv4 in IPv6 (RFC 2473) by a virtual machine's kernel (ip6_tunnel): this host's isn't asked for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xlatperf.lab.machine.machine import Machine

OUTER_BYTES = 40
HOP_LIMIT = 64


@dataclass(frozen=True)
class Tunnel:
    """An interface of the machine: what is routed into it goes to `remote`. `local` is an address of the machine."""

    name: str
    local: str
    remote: str


def add(machine: Machine, tunnels: Sequence[Tunnel], mtu: int) -> None:
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
    machine.run(("ip", "-batch", "-"), text="\n".join(lines))


def shown(machine: Machine, tunnel: Tunnel) -> str:
    """All that the kernel says of it, on one line. Raises LabError."""
    return " ".join(machine.run(("ip", "-d", "link", "show", tunnel.name)).split())


def route_by_mark(machine: Machine, tunnels: Sequence[Tunnel]) -> None:
    """IPv4 packets with mark 1 go into the first tunnel, with mark 2 into the second. Raises LabError."""
    lines = [
        line
        for mark, one in enumerate(tunnels, 1)
        for line in (
            f"route add default dev {one.name} table {_FIRST_TABLE + mark}",
            f"rule add fwmark {mark} lookup {_FIRST_TABLE + mark}",
        )
    ]
    machine.run(("ip", "-4", "-batch", "-"), text="\n".join(lines))


_FIRST_TABLE = 1000
