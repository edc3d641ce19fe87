"""464XLAT (RFC 6877) of two devices on this host: a CLAT (TAYGA) and a PLAT (TAYGA, and the kernel's NAT44 behind it).

Each is in a network namespace of its own, with a link between them. The Tester sees one NAT44 (RFC 9693 §4.1, §7).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from xlatperf.devices import kernel_dut, source_nat, tayga_process
from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.options import check_names
from xlatperf.devices.source_nat import SourceNat
from xlatperf.devices.tayga_process import TaygaProcess, own_cores
from xlatperf.devices.xlat464_configuration import (
    BETWEEN,
    CLAT_ADDRESS,
    CLAT_PREFIX,
    PLAT_ADDRESS,
    PLAT_PREFIX,
    configure,
)
from xlatperf.lab import testbed
from xlatperf.lab.error import LabError
from xlatperf.lab.link_addresses import INNER_MACS
from xlatperf.lab.network import Network
from xlatperf.lab.testbed import INNER_PORTS

OPTIONS = (*kernel_dut.OPTIONS, *tayga_process.OPTIONS, tayga_process.MENDING_OPTION, *source_nat.OPTIONS)
# An IPv6 header is 20 bytes longer than IPv4's; a fragment has 8 bytes more (RFC 7915 §4).
_LARGER = 28


class Xlat464:
    """Driver of CLAT and PLAT. They decrement the TTL six times: in each the kernel, TAYGA, the kernel."""

    name = "464xlat"

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._dut: KernelDut | None = None
        self._nat: SourceNat | None = None
        self._taygas: tuple[TaygaProcess, ...] = ()

    def missing(self) -> list[str]:
        """What this host lacks for namespaces, TAYGA and NAT."""
        return testbed.missing() + tayga_process.missing() + source_nat.missing()

    def prepare(self, plan: Plan) -> Attachment:
        """Two routers in a row, with TAYGA beside each; the right one translates what leaves on the right."""
        check_names(self.name, plan.options, OPTIONS)
        source_nat.check_technology(self.name, plan.technology, "nat44")
        pair = configure(plan.describe, (plan.left, plan.right))
        self._plan = plan
        clat = TaygaProcess(plan, "clat", pair.clat, mend_by_default=True)
        plat = TaygaProcess(plan, "plat", pair.plat, mend_by_default=True)
        self._dut = KernelDut(plan, ("clat", "plat"), _LARGER)
        bed = self._dut.testbed
        self._nat = SourceNat(plan, bed, bed.at["right"])
        attachment = kernel_dut.make_or_explain(self._dut)
        self._taygas = (clat, plat)
        try:
            self._connect(self._dut, plan.describe)
            self._nat.make()
            clat.start(bed, bed.at["left"], self._dut.inner_mtu, pair.clat.routes)
            plat.start(bed, bed.at["right"], self._dut.inner_mtu, pair.plat.routes)
        except LabError as error:
            raise DeviceError(str(error)) from error
        return attachment

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment]:
        """Two ends of one veth pair."""
        return kernel_dut.cable(plan)

    def clear_state(self) -> None:
        """Empties the PLAT's connection tracking table: the CLAT has no state."""
        if self._nat is None:
            raise DeviceError("the device isn't prepared")
        self._nat.clear_state()

    def count_state(self) -> int | None:
        """Entries in the PLAT's connection tracking table."""
        return None if self._nat is None else self._nat.count_state()

    def cpu_s(self) -> dict[str, float]:
        """Both processes, with what the kernel did in them: for a packet from one also the way to the other."""
        return {tayga.name: tayga.cpu_s for tayga in self._taygas}

    def alive(self) -> bool:
        """Both processes run, namespaces and interfaces are there."""
        return self._dut is not None and self._dut.alive() and all(tayga.running for tayga in self._taygas)

    def set_cores(self, count: int) -> None:
        """For the kernel's work in both, by RPS, and for the two processes, each of which uses one at a time."""
        if self._dut is None or self._plan is None:
            raise DeviceError("the device isn't prepared")
        on_cores = self._dut.set_cores(count, own_cores(self._plan) or None)
        for tayga in self._taygas:
            tayga.pin(on_cores)

    def restart(self) -> None:
        """Ends both processes and starts them again (RFC 6201 §4.2.2); the kernel's state stays."""
        if not self._taygas:
            raise DeviceError("the device isn't prepared")
        for tayga in self._taygas:
            tayga.restart()

    def facts(self) -> dict[str, str]:
        """Versions, configurations, rules, the table's parameters, the kernel and its parameters."""
        if self._dut is None or self._nat is None:
            return {}
        of_taygas = {name: value for tayga in self._taygas for name, value in tayga.facts().items()}
        return {**of_taygas, "inner_mtu": str(self._dut.inner_mtu), **self._nat.facts(), **self._dut.facts()}

    def diagnose(self) -> list[str]:
        """Both processes; rules and table; then what the kernel has to say."""
        if self._dut is None or self._nat is None:
            return ["the device isn't prepared"]
        lines = []
        for tayga in self._taygas:
            try:
                lines += [f"{tayga.name.upper()}: {line}" for line in tayga.diagnose()]
            except LabError as error:
                lines.append(str(error))
        return lines + self._nat.diagnose() + self._dut.diagnose()

    def remove(self) -> None:
        """Ends both processes, removes the namespaces; the host's limits are as before."""
        if self._dut is not None:
            self._dut.remove()
        self._dut = self._nat = self._plan = None
        self._taygas = ()

    @staticmethod
    def _connect(dut: KernelDut, describe: Mapping[str, Any]) -> None:
        """The link between both: addresses, neighbours, routes; also those of native IPv6 to the other's side."""
        address = {"left": CLAT_ADDRESS, "right": PLAT_ADDRESS}
        for side, other, prefix in (("left", "right", PLAT_PREFIX), ("right", "left", CLAT_PREFIX)):
            port = INNER_PORTS[side]
            native = [route["prefix"] for route in describe[other]["routes"] if _is_ipv6(route["prefix"])]
            with Network(dut.testbed.at[side]) as network:
                network.add_address(port, f"{address[side]}/{BETWEEN.prefixlen}")
                network.add_neighbour(port, address[other], INNER_MACS[other])
                for network_there in (str(prefix), *native):
                    network.add_route(network_there, port, address[other])


def _is_ipv6(prefix: str) -> bool:
    return ipaddress.ip_network(prefix).version == 6
