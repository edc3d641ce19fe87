"""DS-Lite's AFTR (RFC 6333) by the kernel of a virtual machine: ip6_tunnel and nftables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.aftr_tunnels import SYSCTLS, homes, rules, tunnels
from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.machine_nat import MachineNatAnywhere
from xlatperf.devices.many_tunnels import ManyTunnels
from xlatperf.devices.nft_ruleset import ruleset
from xlatperf.devices.source_nat import SourceNat
from xlatperf.devices.tunnel_driver import TunnelDriver


class Ip6tnlAftr(TunnelDriver, MachineNatAnywhere):
    """A tunnel to each B4, and NAT44 behind them. It decrements the TTL of the packet in the tunnel once."""

    label = "Linux AFTR"
    what = "a kernel's ip6_tunnel and nftables in a virtual machine"
    technology: ClassVar[Mapping[str, Any]] = {"name": "dslite"}

    driver: Literal["ip6tnl-aftr"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links, which ends tunnels on the left and translates what leaves on the right."""
        bed = self.bed(plan)
        to_b4s = tunnels(plan.technology)
        ends = ManyTunnels(bed.dut, self.mtu, to_b4s, rules(to_b4s), homes(to_b4s), SYSCTLS)
        return self.on(bed, plan, ends, SourceNat(self, ruleset(plan.technology), bed, bed.dut))
