"""DS-Lite's B4 (RFC 6333 §5) by the kernel of a virtual machine: ip6_tunnel, without any translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.edge_tunnel import EdgeTunnel
from xlatperf.devices.tunnel_driver import TunnelDriver


class Ip6tnlB4(TunnelDriver):
    """It decrements the TTL of the packet in the tunnel once."""

    label = "Linux B4"
    what = "a kernel's ip6_tunnel in a virtual machine"
    technology: ClassVar[Mapping[str, Any]] = {"name": "dslite-b4"}

    driver: Literal["ip6tnl-b4"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """A router whose IPv4 goes to the AFTR."""
        bed = self.bed(plan)
        tunnel = EdgeTunnel(bed.dut, self.mtu, plan.technology["b4"], plan.technology["aftr"])
        return self.on(bed, plan, tunnel)
