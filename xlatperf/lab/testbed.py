"""A Tester and a DUT on one host: two network namespaces and two links between them.

    tester: t0 <-veth-> d0 :dut: d1 <-veth-> t1 :tester

Or a Tester and two devices in a row, each in a namespace of its own (the dual DUT setup of RFC 8219 §4.2):

    tester: t0 <-veth-> d0 :one: m0 <-veth-> m1 :other: d1 <-veth-> t1 :tester

Or the second one of two such testbeds in a row: it takes the Tester's end of one of the first one's links.

    tester: t0 <-veth-> d0 :first: d1 <-veth-> d0 :second: d1 <-veth-> t1 :tester
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xlatperf.lab import tester_ports
from xlatperf.lab.bed import DEFAULT_MTU, DUT_PORTS, INNER_PORTS, TRUNK_PORTS, quieten
from xlatperf.lab.daemon import Daemon
from xlatperf.lab.host_parameters import HostParameters
from xlatperf.lab.joint import JointEnd
from xlatperf.lab.link_addresses import DUT_MACS, INNER_MACS, TESTER_MACS
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.network import Network
from xlatperf.lab.tester_side import TESTER_PORTS, TesterSide
from xlatperf.lab.veth import End, link, silence, take, vlan_on


class Testbed(TesterSide):
    """Devices in namespaces."""

    __test__ = False  # for pytest: this isn't a test class

    def __init__(
        self,
        mtu: int = DEFAULT_MTU,
        devices: Sequence[str] = ("dut",),
        inner_mtu: int | None = None,
        vlans: Mapping[str, int] | None = None,
        *,
        one_port: bool = False,
        joint: JointEnd | None = None,
    ) -> None:
        """`devices` names one device or two, from left to right; `inner_mtu` is that of the link between the two.

        `vlans`: on these sides the devices take and send frames of this VLAN. `one_port`: one device, one link.
        `joint`: what the device, which must be one, is joined to on that side instead of the Tester.
        """
        super().__init__(mtu, one_port=one_port, joint=joint)
        self._vlans = vlans or {}
        self.inner_mtu = mtu if inner_mtu is None else inner_mtu
        self._devices = tuple(self.namespace(name) for name in devices)

    @property
    def devices(self) -> Sequence[Namespace]:
        """From left to right."""
        return self._devices

    @property
    def at(self) -> Mapping[str, Namespace]:
        """The namespace that the Tester's port of a side is joined to."""
        return {"left": self._devices[0], "right": self._devices[-1]}

    @property
    def dut(self) -> Namespace:
        """The device's namespace; of two the left one's."""
        return self._devices[0]

    @property
    def where_forwarded(self) -> str:
        """A virtual Ethernet device has no core of its own."""
        return "the kernel works on a packet where it was sent, that is on the Tester's cores"

    def daemon(
        self, name: str, command: tuple[str, ...], cores: tuple[int, ...] = (), namespace: Namespace | None = None
    ) -> Daemon:
        """A process in a device's namespace that ends with the testbed; the caller starts it."""
        daemon = Daemon(name, command, self.folder, (namespace or self.dut).prefix, cores)
        self._daemons.append(daemon)
        return daemon

    def process(self, name: str, command: Sequence[str], cores: Sequence[int], side: str) -> Daemon:
        """In the namespace of that side."""
        return self.daemon(name, tuple(command), tuple(cores), self.at[side])

    def set_host_parameter(self, name: str, value: int) -> None:
        """Put back with the testbed's removal."""
        HostParameters(self.folder).set(name, value)

    def remove(self) -> None:
        """Also puts the host's parameters back."""
        if self._folder is not None:
            HostParameters(self._folder.path).restore()
        super().remove()

    def _make_devices(self) -> None:
        for namespace in self.devices:
            self._create(namespace)
            quieten(namespace)
            with Network(namespace) as network:
                network.set_link("lo", state="up")
        if self.joint is not None:
            take(
                self.joint.tester,
                self.joint.port,
                End(self.dut, DUT_PORTS[self.joint.side], DUT_MACS[self.joint.side]),
                self.mtu,
            )
        for sides in self.links:
            self._join(sides)
        self.why_kernel_looks = tester_ports.end_here(self.tester, self.ports)
        if len(self.devices) > 1:
            left, right = (End(self.at[side], INNER_PORTS[side], INNER_MACS[side]) for side in ("left", "right"))
            link(left, right, self.inner_mtu)

    def _join(self, sides: Sequence[str]) -> None:
        """One link, on which each side with a VLAN has an interface of its own."""
        first, without = sides[0], next((side for side in sides if side not in self._vlans), None)
        port = TRUNK_PORTS[first] if without is None else DUT_PORTS[without]
        end = End(self.at[first], port, DUT_MACS[first])
        link(End(self.tester, TESTER_PORTS[first], TESTER_MACS[first]), end, self.mtu)
        if without is None:
            silence(end)
        for side in sides:
            if side in self._vlans:
                vlan_on(end, DUT_PORTS[side], self._vlans[side])
