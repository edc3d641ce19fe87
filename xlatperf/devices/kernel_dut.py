"""A DUT in a network namespace of this host, or two in a row: what the drivers with a kernel of this host share.

Its kernel forwards IPv4 and IPv6 between the two links; the networks behind the Tester are routed to the Tester.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack

from xlatperf.devices import kernel_counters, veth_port
from xlatperf.devices.assembled import Assembled, Part, assemble, explained
from xlatperf.devices.cores import CORES_ALLOWED, Cores, of_this_host
from xlatperf.devices.device import Attachment, Making, Neighbor, Plan
from xlatperf.devices.driver import Driver
from xlatperf.keys.model import Truth, Whole, key
from xlatperf.lab import processor_time, receive_steering, tester_side
from xlatperf.lab.bed import ALLOWED_MTU, DEFAULT_MTU, DUT_PORTS, Bed
from xlatperf.lab.cable import veth_cable
from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.programs import OF_TESTBEDS, Program
from xlatperf.lab.testbed import Testbed
from xlatperf.lab.tester_side import TESTER_PORTS, TesterSide
from xlatperf.lab.transport import Transport

FORWARDING = ("net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding")
TESTER_PORTS_FACT = "tester_ports"
"""Only where the kernel works on the Tester's frames too: why."""
_REPORTED = (*FORWARDING, "net.ipv4.conf.all.rp_filter", "net.ipv4.icmp_ratelimit", "net.ipv6.icmp.ratelimit")
_REPORTED_OF_HOST = ("net.core.netdev_max_backlog", "net.core.netdev_budget", "net.core.netdev_budget_usecs")


class RouterDriver(Driver):
    """Drivers of DUTs whose Linux kernel is a router between the two links."""

    mtu: Whole = key(
        DEFAULT_MTU,
        "MTU of the links to the Tester",
        ge=ALLOWED_MTU.start,
        le=ALLOWED_MTU.stop - 1,
        source="RFC 8200 §5: at least 1280",
    )
    static_neighbours: Truth = key(
        False,
        "the device is told the Tester's MAC addresses; otherwise it asks by ARP and Neighbor Discovery",
    )

    def programs(self) -> tuple[Program, ...]:
        """Of network namespaces."""
        return OF_TESTBEDS

    def missing(self) -> list[str]:
        """Also root."""
        return tester_side.missing() + super().missing()

    def kernel(self, plan: Plan, bed: Bed, *, translates: bool = False) -> KernelDut:
        """Of that testbed; `translates`: another part does the work, and its process has most of the kernel's in it."""
        return KernelDut(self, plan, bed, translates=translates)

    def on(self, bed: Bed, plan: Plan, *parts: Part, translates: bool = False) -> Making:
        """That kernel with these parts on it."""
        kernel = self.kernel(plan, bed, translates=translates)
        return lambda undo: self.assembled(plan, undo, kernel, *parts)

    def assembled(self, plan: Plan, undo: ExitStack, kernel: KernelDut, *parts: Part) -> Assembled:
        """The kernel with these parts on it. Raises DeviceError."""
        bed = kernel.testbed
        if not isinstance(bed, TesterSide):
            raise TypeError(f"{self.driver} has no ports beside {type(bed).__name__}")
        return assemble(self, plan, undo, attached(plan, self.mtu, bed.tester), kernel, *parts)


class KernelDriver(RouterDriver):
    """Drivers of DUTs in network namespaces: the kernel is this host's."""

    kernel_cores: Cores = key(
        (),
        "the kernel forwards on these cores (RPS); without, where a frame is sent, on the Tester's cores, and the "
        "Tester is slower than without a device",
        allowed=CORES_ALLOWED,
    )

    def assembled(self, plan: Plan, undo: ExitStack, kernel: KernelDut, *parts: Part) -> Assembled:
        """Also sets the kernel's cores, if it's this host's."""
        kernel_cores = of_this_host("kernel_cores", self.kernel_cores)
        device = super().assembled(plan, undo, kernel, *parts)
        if kernel_cores and isinstance(kernel.testbed, Testbed):
            with explained("device.kernel_cores: "):
                kernel.use_cores(kernel_cores)
        return device

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment] | None:
        """Two ends of one veth pair."""
        return veth(plan, self.mtu)


class KernelDut(Part):
    """The testbed, and the kernel in its DUT namespaces set up as a router between the two links."""

    testbed: Bed

    def __init__(
        self,
        driver: RouterDriver,
        plan: Plan,
        bed: Bed,
        *,
        translates: bool = False,
    ) -> None:
        """See `RouterDriver.kernel`."""
        self._plan = plan
        self._cores: tuple[int, ...] = ()
        self._softirqs_before_s = 0.0
        self._static_neighbours = driver.static_neighbours
        self._translates = translates
        self._dropped_before = 0
        self._counted_before: dict[str, dict[str, int]] = {}
        self.mtu = driver.mtu
        self.testbed = bed

    def make(self) -> None:
        """Testbed, forwarding, addresses, routes. Raises LabError."""
        self.testbed.make()
        self._dropped_before = kernel_counters.backlog_drops(self.testbed.dut)
        for device in self.testbed.devices:
            for name in FORWARDING:
                device.set_sysctl(name, 1)
        for side, link in (("left", self._plan.left), ("right", self._plan.right)):
            with self.testbed.at[side].network() as network:
                for address in (link.dut_ipv4, link.dut_ipv6):
                    if address is not None:
                        network.add_address(DUT_PORTS[side], address)
                for prefix, via in self._plan.routes(side):
                    network.add_route(prefix, DUT_PORTS[side], via)
        # what the kernels say to each other when their links come up isn't of interest
        self._counted_before = {device.name: kernel_counters.read(device) for device in self.testbed.devices}

    def facts(self) -> dict[str, str]:
        """The kernel, and its parameters that may influence performance."""
        facts = {"kernel": self.testbed.dut.kernel(), "mtu": str(self.mtu)}
        facts["cores"] = self._cores_in_words()
        if self.testbed.why_kernel_looks is not None:
            facts[TESTER_PORTS_FACT] = f"the kernel works on the Tester's frames too: {self.testbed.why_kernel_looks}"
        facts["neighbours"] = "static" if self._static_neighbours else "resolved"
        for name in _REPORTED:
            value = self.testbed.dut.sysctl(name)
            if value is not None:
                facts[name] = value
        for name in _REPORTED_OF_HOST:
            value = self.testbed.dut.host_sysctl(name)
            if value is not None:
                facts[name] = value
        return facts

    def diagnose(self) -> list[str]:
        """What is odd about interfaces, forwarding, routes and counters, in words."""
        if gone := [why for device in self.testbed.devices if (why := device.why_gone())]:
            return gone
        lines = []
        try:
            for side in DUT_PORTS:
                lines += self._diagnose_side(side)
        except LabError as error:
            lines.append(str(error))
        for device in self.testbed.devices:
            values = {name: device.sysctl(name) for name in FORWARDING}
            lines += [f"the DUT doesn't forward: {name} is {value}" for name, value in values.items() if value != "1"]
            lines += kernel_counters.remarks(device, self._counted_before.get(device.name, {}))
        dropped = kernel_counters.backlog_drops(self.testbed.dut) - self._dropped_before
        if dropped > 0:
            lines.append(
                f"{self.testbed.dut.whose_kernel} dropped {dropped} frames because a core's input queue was full: "
                "lower the rate, or raise net.core.netdev_max_backlog"
            )
        return lines

    def why_not_alive(self) -> str:
        """Its namespaces and its interfaces are there."""
        if why := "; ".join(filter(None, (device.why_gone() for device in self.testbed.devices))):
            return why
        try:
            gone = [port for side, port in DUT_PORTS.items() if port not in _interfaces(self.testbed.at[side])]
        except LabError as error:
            return str(error)
        return f"it has no interface {' and no interface '.join(gone)}" if gone else ""

    def set_neighbors(self, left: Neighbor, right: Neighbor) -> None:
        """With static neighbours it doesn't ask for the Tester."""
        if not self._static_neighbours:
            return
        for side, neighbor in (("left", left), ("right", right)):
            with self.testbed.at[side].network() as network:
                for address in filter(None, (neighbor.ipv4, neighbor.ipv6)):
                    network.add_neighbour(DUT_PORTS[side], address, neighbor.mac)

    def use_cores(self, cores: tuple[int, ...]) -> None:
        """The kernel works on received packets there, by RPS: a connection's of one direction stay on one core."""
        for device in self.testbed.devices:
            receive_steering.steer(device, cores)
        self._cores = cores
        self._softirqs_before_s = processor_time.of_softirqs(cores)

    def cpu_s(self) -> dict[str, float]:
        """Of the kernel on the DUT's cores since they were set; nothing if the Tester works there too."""
        if not self._has_cores():
            return {}
        return {"kernel": processor_time.of_softirqs(self._cores) - self._softirqs_before_s}

    def idle_s(self) -> dict[str, float]:
        """Of these cores."""
        idle_s = processor_time.idle_of_cores(self._cores if self._has_cores() else ())
        return {f"kernel {core}": one for core, one in idle_s.items()}

    def _has_cores(self) -> bool:
        """Of its own."""
        return bool(self._cores) and not self._translates and not set(self._cores) & set(self._plan.tester_cores)

    def remove(self) -> None:
        """Removes the testbed; the host's limits are as before."""
        self.testbed.remove()

    def _cores_in_words(self) -> str:
        if not self._cores:
            return self.testbed.where_forwarded
        return f"the kernel works on received packets on cores {', '.join(map(str, self._cores))} (RPS)"

    def _diagnose_side(self, side: str) -> list[str]:
        port = DUT_PORTS[side]
        with self.testbed.at[side].network() as network:
            if port not in network.links():
                return [f"the DUT has no interface {port}"]
            lines = [] if network.link_is_up(port) else [f"the DUT's interface {port} is down"]
            known = network.routes(port)
        return lines + [
            f"the DUT has no route for {prefix} through {port} to {via}"
            for prefix, via in self._plan.routes(side)
            if prefix not in known
        ]


def _interfaces(device: Transport) -> set[str]:
    return {line.partition(":")[0].strip() for line in device.proc_net("dev").splitlines()}


@contextlib.contextmanager
def veth(plan: Plan, mtu: int) -> Iterator[Attachment]:
    """The Tester's two ports joined by one veth pair, as long as it lasts. Raises DeviceError."""
    with ExitStack() as stack:
        with explained():
            namespace = stack.enter_context(veth_cable(mtu))
        yield attached(plan, mtu, namespace)


def attached(plan: Plan, mtu: int, namespace: Namespace) -> Attachment:
    """The Tester's ports in this namespace. Raises DeviceError."""
    left, right = (
        veth_port.name(plan.port_driver, number, TESTER_PORTS[side], mtu, plan.tester_queues, plan.asked_fps)
        for number, side in enumerate(("left", "right"))
    )
    return Attachment(left, left if plan.one_port else right, namespace.prefix)
