"""A DUT in a network namespace of this host: what the drivers `linux` and `tayga` have in common.

Its kernel forwards IPv4 and IPv6 between the two links; the networks behind the Tester are routed to the Tester.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from typing import Any

from xlatperf.devices import kernel_counters, veth_port
from xlatperf.devices.device import Attachment, DeviceError, Link, Plan
from xlatperf.devices.options import integer, truth
from xlatperf.lab.error import LabError
from xlatperf.lab.link_addresses import TESTER_MACS
from xlatperf.lab.network import Network
from xlatperf.lab.testbed import ALLOWED_MTU, DEFAULT_MTU, DUT_PORTS, TESTER_PORTS, Testbed

OPTIONS = ("mtu", "static_neighbours")
FORWARDING = ("net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding")
_REPORTED = (*FORWARDING, "net.ipv4.conf.all.rp_filter", "net.ipv4.icmp_ratelimit", "net.ipv6.icmp.ratelimit")
_REPORTED_OF_HOST = ("net.core.netdev_max_backlog", "net.core.netdev_budget", "net.core.netdev_budget_usecs")


class KernelDut:
    """The testbed, and the kernel in its DUT namespace set up as a router between the two links."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.mtu = integer(plan.options, "mtu", DEFAULT_MTU, ALLOWED_MTU)
        self._static_neighbours = truth(plan.options, "static_neighbours", False)
        self._dropped_before = 0
        self.testbed = Testbed(self.mtu)

    def make(self) -> Attachment:
        """Testbed, forwarding, addresses, routes. Raises LabError."""
        self.testbed.make()
        self._dropped_before = kernel_counters.backlog_drops()
        for name in FORWARDING:
            self.testbed.dut.set_sysctl(name, 1)
        with Network(self.testbed.dut) as network:
            for side, link in (("left", self._plan.left), ("right", self._plan.right)):
                for address in (link.dut_ipv4, link.dut_ipv6):
                    if address is not None:
                        network.add_address(DUT_PORTS[side], address)
                self._add_neighbours(network, side, link)
            for port, prefix, via in routes(self._plan.describe):
                network.add_route(prefix, port, via)
        return Attachment(
            veth_port.name(self._plan.port_driver, 0, TESTER_PORTS["left"], self.mtu),
            veth_port.name(self._plan.port_driver, 1, TESTER_PORTS["right"], self.mtu),
            self.testbed.tester.prefix,
        )

    def facts(self) -> dict[str, str]:
        """The kernel, and its parameters that may influence performance."""
        facts = {"kernel": f"{platform.system()} {platform.release()} {platform.version()}", "mtu": str(self.mtu)}
        facts["neighbours"] = "static" if self._static_neighbours else "resolved"
        for name in _REPORTED:
            value = self.testbed.dut.sysctl(name)
            if value is not None:
                facts[name] = value
        for name in _REPORTED_OF_HOST:
            value = kernel_counters.host_sysctl(name)
            if value is not None:
                facts[name] = value
        return facts

    def diagnose(self) -> list[str]:
        """What is odd about interfaces, forwarding, routes and counters, in words."""
        if not self.testbed.dut.exists:
            return [f"the DUT's network namespace {self.testbed.dut.name} is gone"]
        lines = []
        try:
            with Network(self.testbed.dut) as network:
                there = network.links()
                for port in DUT_PORTS.values():
                    if port not in there:
                        lines.append(f"the DUT has no interface {port}")
                    elif not network.link_is_up(port):
                        lines.append(f"the DUT's interface {port} is down")
                known = {port: network.routes(port) for port in DUT_PORTS.values() if port in there}
            for port, prefix, via in routes(self._plan.describe):
                if prefix not in known.get(port, set()):
                    lines.append(f"the DUT has no route for {prefix} through {port} to {via}")
        except LabError as error:
            lines.append(str(error))
        values = {name: self.testbed.dut.sysctl(name) for name in FORWARDING}
        lines += [f"the DUT doesn't forward: {name} is {value}" for name, value in values.items() if value != "1"]
        lines += kernel_counters.remarks(self.testbed.dut)
        dropped = kernel_counters.backlog_drops() - self._dropped_before
        if dropped > 0:
            lines.append(
                f"this host's kernel dropped {dropped} frames because a core's input queue was full: "
                "lower the rate, or raise net.core.netdev_max_backlog"
            )
        return lines

    def remove(self) -> None:
        """Removes the testbed. Never raises; may be called twice."""
        self.testbed.remove()

    def _add_neighbours(self, network: Network, side: str, link: Link) -> None:
        if not self._static_neighbours:
            return
        for address in (link.tester_ipv4, link.tester_ipv6):
            if address is not None:
                network.add_neighbour(DUT_PORTS[side], address.partition("/")[0], TESTER_MACS[side])


def routes(describe: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Port of the DUT, prefix, next hop: what the engine's `describe` wants routed to the Tester."""
    for side, port in DUT_PORTS.items():
        for route in describe[side]["routes"]:
            yield port, route["prefix"], route["via"]


def make_or_explain(dut: KernelDut) -> Attachment:
    """`dut.make()`, with DeviceError for LabError."""
    try:
        return dut.make()
    except LabError as error:
        raise DeviceError(str(error)) from error
