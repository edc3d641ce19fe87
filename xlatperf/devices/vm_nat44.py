"""Stateful NAT44 by the kernel of a virtual machine (nftables): the same as `nft-nat44`, with another kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.machine_nat import MachineNat
from xlatperf.devices.nft_ruleset import ruleset
from xlatperf.devices.source_nat import SourceNat


class VmNat44(MachineNat):
    """A kernel's NAT44. It decrements the TTL once."""

    label = "Linux NAT44 in a virtual machine"
    what = "a kernel with nftables in a virtual machine"
    technology: ClassVar[Mapping[str, Any]] = {"name": "nat44"}
    decrements = (1, 1)

    driver: Literal["vm-nat44"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links that translates what leaves on the right, and nothing beside it."""
        bed = self.machine_bed(plan)
        return self.on(bed, plan, SourceNat(self, ruleset(plan.technology), bed, bed.dut))
