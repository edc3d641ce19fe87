"""MAP-E's border relay and Lw4o6's lwAFTR by the kernel of a virtual machine, for a handful of subscribers: ip6_tunnel,
and rules of nftables without NAT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar, Literal

from xlatperf.devices.binding_formats import Row, rows_of
from xlatperf.devices.border_tunnels import Subscriber, homes, rules, tunnels
from xlatperf.devices.device import DeviceError, Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.many_tunnels import MOST_TUNNELS, WHY_SO_FEW, ManyTunnels, refuse_too_many
from xlatperf.devices.shared_address import SharedAddress
from xlatperf.devices.tunnel_driver import TunnelDriver
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.lab.programs import IP, NFT
from xlatperf.lab.remote.testbed import Needed


class _Border(TunnelDriver):
    """The provider's end of tunnels. It decrements the TTL of the packet in the tunnel once."""

    what = "a kernel's ip6_tunnel and nftables in a virtual machine"

    def needed_there(self) -> Needed:
        """Also what tells whose a packet is."""
        return replace(super().needed_there(), programs=(IP, NFT))

    def _with(self, plan: Plan, subscribers: Sequence[Subscriber]) -> Making:
        bed = self.bed(plan)
        return self.on(
            bed,
            plan,
            ManyTunnels(bed.dut, self.mtu, tunnels(subscribers), rules(subscribers), homes(subscribers)),
        )


class Ip6tnlBr(_Border):
    """RFC 7597."""

    label = "Linux MAP-E BR"
    technology: ClassVar[Mapping[str, Any]] = {"name": "map-e", "role": "br"}

    driver: Literal["ip6tnl-br"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links, with a tunnel to each CE that the rules can have."""
        return self._with(plan, ces(plan.technology["domains"]))


def ces(domains: Sequence[Mapping[str, Any]]) -> Sequence[Subscriber]:
    """Of all domains, whichever of them send. Raises DeviceError for too many."""
    each = SharedAddress.of_ces(domains, MOST_TUNNELS, WHY_SO_FEW)
    return [Subscriber(domain["br"], shared) for domain, shared in each]


class Ip6tnlLwaftr(_Border):
    """RFC 7596."""

    label = "Linux lwAFTR"
    technology: ClassVar[Mapping[str, Any]] = {"name": "lw4o6", "role": "lwaftr"}

    driver: Literal["ip6tnl-lwaftr"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links, with a tunnel to each lwB4 of the binding table."""
        if plan.softwires is None:
            raise TypeError("the plan of Lw4o6 has a binding table")
        with plan.softwires.open(encoding="utf-8") as lines:
            found = lwb4s(list(islice(rows_of(lines), MOST_TUNNELS + 1)), plan.technology["softwires"])
        return self._with(plan, found)


def lwb4s(rows: Sequence[Row], softwires: Mapping[str, Any]) -> Sequence[Subscriber]:
    """`rows`: of the binding table that `softwires` is. Raises DeviceError for too many, or too many of one lwB4."""
    key = "count" if "count" in softwires else "table"
    refuse_too_many(len(rows), f"technology.softwires.{key}", softwires[key], "softwires,")
    ends = Counter((row.ipv6, row.lwaftr) for row in rows)
    for (lwb4, lwaftr), count in ends.items():
        if count > 1:
            allowed = f"one from {lwb4} to {lwaftr}, as the kernel has one tunnel between two addresses"
            raise DeviceError(not_allowed("technology.softwires", f"{count} softwires", allowed))
    return [Subscriber(row.lwaftr, SharedAddress.of_row(row)) for row in rows]
