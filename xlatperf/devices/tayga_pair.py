"""Two TAYGAs on this host, each a device of its own in a network namespace, with a link that carries IPv6 between them.

The Tester sees IPv4 on both sides (the dual DUT setup of RFC 8219 §4.2).
"""

from __future__ import annotations

from xlatperf.devices.assembled import Part
from xlatperf.devices.between import Between, mtu_between
from xlatperf.devices.device import Making, Plan
from xlatperf.devices.tayga_mapped_pair_configuration import configure_mapped
from xlatperf.devices.tayga_pair_configuration import configure
from xlatperf.devices.tayga_process import TaygaDriver, TaygaProcess
from xlatperf.lab.testbed import Testbed


class TaygaPairDriver(TaygaDriver):
    """Drivers of two TAYGAs. They decrement the TTL six times: kernel, TAYGA, kernel, twice."""

    decrements = (6, 2)
    not_on_one_port = "its two devices have one link to the Tester each"

    def bed(self, plan: Plan, names: tuple[str, str]) -> Testbed:
        """A namespace for the left device and one for the right. Raises DeviceError."""
        return Testbed(self.mtu, names, mtu_between(self.mtu), plan.vlans)

    def pair(self, plan: Plan, names: tuple[str, str], bed: Testbed, *parts: Part) -> Making:
        """Two routers in a row, with a TAYGA of that name beside each, and further parts. Raises DeviceError."""
        links = (plan.left, plan.right)
        if "left" in plan.technology:
            made = configure_mapped(plan.technology, plan.describe, links)
        else:
            made = configure(self.driver, plan.describe, links)
        right = TaygaProcess(self, plan, made.right, (bed, "right"), name=names[1])
        left = TaygaProcess(self, plan, made.left, (bed, "left"), name=names[0])
        return self.on(bed, plan, Between(plan, bed, made.between), *parts, right, left, translates=True)
