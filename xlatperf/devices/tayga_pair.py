"""Two TAYGAs on this host, each a device of its own in a network namespace, with a link that carries IPv6 between them.

The Tester sees IPv4 on both sides (the dual DUT setup of RFC 8219 §4.2).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from xlatperf.devices import kernel_dut, tayga_process
from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.tayga_pair_configuration import ADDRESSES, BETWEEN, LEFT_PREFIX, RIGHT_PREFIX, configure
from xlatperf.devices.tayga_process import TaygaProcess, own_cores
from xlatperf.lab import testbed
from xlatperf.lab.error import LabError
from xlatperf.lab.link_addresses import INNER_MACS
from xlatperf.lab.network import Network
from xlatperf.lab.testbed import INNER_PORTS

OPTIONS = (*kernel_dut.OPTIONS, *tayga_process.OPTIONS, tayga_process.MENDING_OPTION)
# An IPv6 header is 20 bytes longer than IPv4's; a fragment has 8 bytes more (RFC 7915 §4).
_LARGER = 28


class TaygaPair:
    """What drivers of two TAYGAs have in common. They decrement the TTL six times: kernel, TAYGA, kernel, twice."""

    name: str
    names: tuple[str, str]
    """Of the left device and the right one."""

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._dut: KernelDut | None = None
        self._taygas: tuple[TaygaProcess, ...] = ()

    def missing(self) -> list[str]:
        """What this host lacks for namespaces and TAYGA."""
        return testbed.missing() + tayga_process.missing()

    def _check(self, plan: Plan) -> KernelDut:
        """The first half of `prepare`: nothing is made yet. Raises DeviceError."""
        if not plan.technology.get("double_translation"):
            raise DeviceError(
                f"technology.double_translation: the driver {self.name} needs true, as it translates twice"
            )
        pair = configure(self.name, plan.describe, (plan.left, plan.right))
        self._plan = plan
        self._taygas = tuple(
            TaygaProcess(plan, name, configuration, mend_by_default=True)
            for name, configuration in zip(self.names, (pair.left, pair.right), strict=True)
        )
        self._dut = KernelDut(plan, self.names, _LARGER)
        return self._dut

    def _make(self, dut: KernelDut, plan: Plan) -> Attachment:
        """The second half: two routers in a row, with TAYGA beside each. Raises DeviceError."""
        attachment = kernel_dut.make_or_explain(dut)
        try:
            _connect(dut, plan.describe)
            for tayga, side in zip(self._taygas, ("left", "right"), strict=True):
                tayga.start(dut.testbed, dut.testbed.at[side], dut.inner_mtu, tayga.configuration.routes)
        except LabError as error:
            raise DeviceError(str(error)) from error
        return attachment

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment]:
        """Two ends of one veth pair."""
        return kernel_dut.cable(plan)

    def clear_state(self) -> None:
        """TAYGA with static mappings keeps no state."""

    def count_state(self) -> int | None:
        """TAYGA with static mappings keeps no state."""
        return None

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
        """Versions, configurations, the kernel and its parameters."""
        if self._dut is None:
            return {}
        of_taygas = {name: value for tayga in self._taygas for name, value in tayga.facts().items()}
        return {**of_taygas, "inner_mtu": str(self._dut.inner_mtu), **self._dut.facts()}

    def diagnose(self) -> list[str]:
        """Both processes; then what the kernel has to say."""
        if self._dut is None:
            return ["the device isn't prepared"]
        lines = []
        for tayga in self._taygas:
            try:
                lines += [f"{tayga.name.upper()}: {line}" for line in tayga.diagnose()]
            except LabError as error:
                lines.append(str(error))
        return lines + self._dut.diagnose()

    def remove(self) -> None:
        """Ends both processes, removes the namespaces."""
        if self._dut is not None:
            self._dut.remove()
        self._dut = self._plan = None
        self._taygas = ()


def _connect(dut: KernelDut, describe: Mapping[str, Any]) -> None:
    """The link between both: addresses, neighbours, routes; also those of native IPv6 to the other's side."""
    for side, other, prefix in (("left", "right", RIGHT_PREFIX), ("right", "left", LEFT_PREFIX)):
        port = INNER_PORTS[side]
        native = [route["prefix"] for route in describe[other]["routes"] if _is_ipv6(route["prefix"])]
        with Network(dut.testbed.at[side]) as network:
            network.add_address(port, f"{ADDRESSES[side]}/{BETWEEN.prefixlen}")
            network.add_neighbour(port, ADDRESSES[other], INNER_MACS[other])
            for network_there in (str(prefix), *native):
                network.add_route(network_there, port, ADDRESSES[other])


def _is_ipv6(prefix: str) -> bool:
    return ipaddress.ip_network(prefix).version == 6
