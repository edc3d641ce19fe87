"""464XLAT (RFC 6877) by Jool: a CLAT and a PLAT, each with a network namespace of one virtual machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.between import RIGHT_PREFIX, Between, clients, mtu_between, used_outside
from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.jool_instance import SIIT, JoolInstance
from xlatperf.devices.jool_nat64_keys import JoolNat64Keys
from xlatperf.devices.machine_dut import MachineDriver


class Jool464xlat(MachineDriver, JoolNat64Keys):
    """Both decrement the TTL once. The CLAT keeps no state."""

    label = "464XLAT (Jool)"
    version_fact = "jool"
    what = "CLAT (Jool's stateless translator) and PLAT (its NAT64), two namespaces of a virtual machine"
    technology: ClassVar[Mapping[str, Any]] = {"name": "nat44", "double_translation": True}
    decrements = (2, 2)
    not_on_one_port = "its two devices have one link to the Tester each"

    driver: Literal["jool-464xlat"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """Two routers in a row: one that maps clients to IPv6, one with a pool for them."""
        used_outside(self.driver, plan.describe, (plan.left, plan.right))
        bed = self.machine_bed(plan, ("plat", mtu_between(self.mtu)))
        maps = [("eamt", "add", str(ipv4), str(ipv6)) for ipv4, ipv6 in clients(plan.describe)]
        clat = JoolInstance(SIIT, bed.at["left"], str(RIGHT_PREFIX), maps)
        plat = self.nat64(bed.at["right"], str(RIGHT_PREFIX), plan.technology["pool"])
        return self.on(bed, plan, Between(plan, bed), clat, plat, translates=True)
