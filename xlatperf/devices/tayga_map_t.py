"""MAP-T's CE with NAPT44, and its border relay for a few CEs (RFC 7599): TAYGA, and nftables for the ports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.assembled import Part
from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.port_set_rules import port_set_rules
from xlatperf.devices.source_nat import NatAnywhere, SourceNat
from xlatperf.devices.tayga_anywhere import TaygaAnywhere
from xlatperf.devices.tayga_configuration import TUN
from xlatperf.devices.tayga_map_t_configuration import configure_border, configure_ce
from xlatperf.devices.tayga_process import TaygaProcess
from xlatperf.keys.model import Truth, key
from xlatperf.lab.transport import Transport


class TaygaMapTCe(TaygaAnywhere, NatAnywhere):
    """NAT44 into the CE's ports, and TAYGA behind it. It decrements the TTL three times: the kernel, TAYGA, the kernel.

    Of its processor time, the NAT of what arrives on the left is in TAYGA's, as TAYGA takes it from there.
    """

    label = "TAYGA MAP-T CE"
    what = "NAT44 by the kernel into the CE's ports, whose ranges take turns, and TAYGA behind it"
    technology: ClassVar[Mapping[str, Any]] = {"name": "map-t-ce", "mesh": False}
    decrements = (3, 1)

    driver: Literal["tayga-map-t-ce"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links, with TAYGA beside it for all IPv4 and for the CE's address."""
        configuration, shared = configure_ce(plan.technology, plan.describe, (plan.left, plan.right))
        bed = self.bed(plan)
        own = _OwnAddress(bed.dut, str(shared.address))
        nat = SourceNat(self, port_set_rules(shared, TUN), bed, bed.dut)
        tayga = TaygaProcess(self, plan, configuration, (bed, "right"))
        return self.on(bed, plan, own, nat, tayga, translates=True)


class TaygaMapTBr(TaygaAnywhere):
    """Rules before and behind TAYGA, without state. It decrements the hop limit three times: kernel, TAYGA, kernel."""

    label = "TAYGA MAP-T BR"
    what = "TAYGA, and rules of the kernel that put ports to CEs, for a few of them"
    technology: ClassVar[Mapping[str, Any]] = {"name": "map-t", "role": "br"}
    decrements = (3, 1)

    driver: Literal["tayga-map-t-br"] = driver_key()
    check_ports: Truth = key(
        True,
        "the rules let a packet of a CE pass only if its source port is the CE's; false shows what a border relay "
        "without that check looks like",
        source="RFC 7599 §8.3",
    )

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links, with TAYGA beside it for what is under the default mapping rule."""
        configuration, rules = configure_border(
            plan.technology, plan.describe, (plan.left, plan.right), check_ports=self.check_ports
        )
        bed = self.bed(plan)
        tayga = TaygaProcess(self, plan, configuration, (bed, "left"))
        return self.on(bed, plan, _PortRules(bed.dut, rules), tayga, translates=True)


class _OwnAddress(Part):
    """The public one, as a router's WAN side has it: else the kernel would send errors from a private one."""

    def __init__(self, device: Transport, address: str) -> None:
        self._device = device
        self._address = address

    def make(self) -> None:
        """Raises LabError."""
        with self._device.network() as network:
            network.add_address("lo", f"{self._address}/32")


class _PortRules(Part):
    """They are gone with the testbed."""

    def __init__(self, device: Transport, rules: str) -> None:
        self._device = device
        self._rules = rules

    def make(self) -> None:
        """Raises LabError."""
        self._device.run(("nft", "-f", "-"), text=self._rules)

    def facts(self) -> dict[str, str]:
        """As they were set."""
        return {"nft.rules": self._rules}
