"""MAP-E's CE and Lw4o6's lwB4 by the kernel of a virtual machine: ip6_tunnel, and NAT44 by nftables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.edge_tunnel import TUNNEL, EdgeTunnel
from xlatperf.devices.machine_nat import MachineNatAnywhere
from xlatperf.devices.port_set_rules import port_set_rules
from xlatperf.devices.shared_address import SharedAddress
from xlatperf.devices.source_nat import SourceNat
from xlatperf.devices.tunnel_driver import TunnelDriver


class _Edge(TunnelDriver, MachineNatAnywhere):
    """A customer's router that shares an IPv4 address. It decrements the TTL of the packet in the tunnel once."""

    what = "a kernel's ip6_tunnel and nftables in a virtual machine"

    def _with(self, plan: Plan, shared: SharedAddress, remote: str) -> Making:
        bed = self.bed(plan)
        tunnel = EdgeTunnel(bed.dut, self.mtu, str(shared.tunnel), remote, str(shared.address))
        nat = SourceNat(self, port_set_rules(shared, TUNNEL), bed, bed.dut)
        return self.on(bed, plan, tunnel, nat)


class Ip6tnlCe(_Edge):
    """RFC 7597."""

    label = "Linux MAP-E CE"
    technology: ClassVar[Mapping[str, Any]] = {"name": "map-e-ce", "mesh": False}

    driver: Literal["ip6tnl-ce"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """The CE of the technology's only domain."""
        (domain,) = plan.technology["domains"]
        return self._with(plan, SharedAddress.of_ce(domain), domain["br"])


class Ip6tnlLwb4(_Edge):
    """RFC 7596."""

    label = "Linux lwB4"
    technology: ClassVar[Mapping[str, Any]] = {"name": "lw4o6-b4"}

    driver: Literal["ip6tnl-lwb4"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """The lwB4 with the softwire's number."""
        softwires = plan.technology["softwires"]
        return self._with(plan, SharedAddress.of_lwb4(softwires), softwires["lwaftr"])
