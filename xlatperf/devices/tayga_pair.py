"""Two TAYGAs on this host, each a device of its own in a network namespace, with a link that carries IPv6 between them.

The Tester sees IPv4 on both sides (the dual DUT setup of RFC 8219 §4.2).
"""

from __future__ import annotations

import ipaddress
from contextlib import ExitStack

from xlatperf.devices.assembled import Assembled, Part
from xlatperf.devices.device import Plan
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.tayga_pair_configuration import ADDRESSES, BETWEEN, LEFT_PREFIX, RIGHT_PREFIX, configure
from xlatperf.devices.tayga_process import TaygaDriver, TaygaProcess
from xlatperf.lab.bed import ALLOWED_MTU
from xlatperf.lab.link_addresses import INNER_MACS
from xlatperf.lab.testbed import INNER_PORTS, Testbed

# An IPv6 header is 20 bytes longer than IPv4's; a fragment has 8 bytes more (RFC 7915 §4).
_LARGER = 28


class TaygaPairDriver(TaygaDriver):
    """Drivers of two TAYGAs. They decrement the TTL six times: kernel, TAYGA, kernel, twice."""

    decrements = (6, 2)

    def bed(self, plan: Plan, names: tuple[str, str]) -> Testbed:
        """A namespace for the left device and one for the right. Raises DeviceError."""
        self.check_technology(plan.technology)
        return Testbed(self.mtu, names, min(self.mtu + _LARGER, ALLOWED_MTU.stop - 1))

    def pair(self, plan: Plan, undo: ExitStack, names: tuple[str, str], bed: Testbed, *parts: Part) -> Assembled:
        """Two routers in a row, with a TAYGA of that name beside each, and further parts. Raises DeviceError."""
        kernels = KernelDut(self, plan, bed, translates=True)
        made = configure(self.driver, plan.describe, (plan.left, plan.right))
        right = TaygaProcess(self, plan, made.right, (bed, "right"), name=names[1])
        left = TaygaProcess(self, plan, made.left, (bed, "left"), name=names[0])
        return self.assembled(plan, undo, kernels, _Between(plan, bed), *parts, right, left)


class _Between(Part):
    """The link between both: addresses, neighbours, routes; also those of native IPv6 to the other's side."""

    def __init__(self, plan: Plan, bed: Testbed) -> None:
        self._describe = plan.describe
        self._bed = bed

    def make(self) -> None:
        """Raises LabError."""
        for side, other, prefix in (("left", "right", RIGHT_PREFIX), ("right", "left", LEFT_PREFIX)):
            port = INNER_PORTS[side]
            native = [route["prefix"] for route in self._describe[other]["routes"] if _is_ipv6(route["prefix"])]
            with self._bed.at[side].network() as network:
                network.add_address(port, f"{ADDRESSES[side]}/{BETWEEN.prefixlen}")
                network.add_neighbour(port, ADDRESSES[other], INNER_MACS[other])
                for network_there in (str(prefix), *native):
                    network.add_route(network_there, port, ADDRESSES[other])

    def facts(self) -> dict[str, str]:
        """Its MTU."""
        return {"inner_mtu": str(self._bed.inner_mtu)}


def _is_ipv6(prefix: str) -> bool:
    return ipaddress.ip_network(prefix).version == 6
