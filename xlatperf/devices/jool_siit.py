"""Jool's SIIT (RFC 7915, RFC 6052, EAM of RFC 7757) in the kernel of a virtual machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.jool_instance import SIIT, JoolInstance, needed_for
from xlatperf.devices.machine_anywhere import MachineAnywhere
from xlatperf.lab.remote.testbed import Needed


class JoolSiit(MachineAnywhere):
    """An instance of Jool that sees all packets (netfilter). It decrements the hop limit once."""

    label = "Jool SIIT"
    version_fact = "jool"
    what = "Jool's stateless translator in a virtual machine"
    technology: ClassVar[Mapping[str, Any]] = {"name": "siit"}
    decrements = (1, 1)

    driver: Literal["jool-siit"] = driver_key()

    def needed_there(self) -> Needed:
        """Also Jool."""
        return needed_for(SIIT)

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links, in which Jool translates what its prefix and its mappings match."""
        bed = self.bed(plan)
        prefix = plan.technology.get("prefix")
        instance = JoolInstance(SIIT, bed.dut, prefix, tuple(_mappings(plan.technology)))
        return self.on(bed, plan, instance, translates=True)


def _mappings(technology: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Explicit address mappings (RFC 7757 §3.1)."""
    return [("eamt", "add", eam["ipv4"], eam["ipv6"]) for eam in technology.get("eam") or ()]
