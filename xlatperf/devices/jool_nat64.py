"""Jool's stateful NAT64 (RFC 6146) in the kernel of a virtual machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.jool_instance import NAT64, needed_for
from xlatperf.devices.jool_nat64_keys import JoolNat64Keys
from xlatperf.devices.machine_anywhere import MachineAnywhere
from xlatperf.lab.remote.testbed import Needed


class JoolNat64(MachineAnywhere, JoolNat64Keys):
    """An instance of Jool that sees all packets (netfilter). It decrements the hop limit once."""

    label = "Jool NAT64"
    version_fact = "jool"
    what = "Jool's stateful translator in a virtual machine"
    technology: ClassVar[Mapping[str, Any]] = {"name": "nat64"}
    decrements = (1, 1)

    driver: Literal["jool-nat64"] = driver_key()

    def needed_there(self) -> Needed:
        """Also Jool."""
        return needed_for(NAT64)

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links, in which Jool translates what its prefix and its pool match."""
        bed = self.bed(plan)
        instance = self.nat64(bed.dut, plan.technology["prefix"], plan.technology["pool"])
        return self.on(bed, plan, instance, translates=True)
