"""A Tester on this host and a DUT in a virtual machine, with two links between them:

tester: t0 <-tap-> d0 :machine: d1 <-tap-> t1 :tester

Or two devices in a row there, the right one in a network namespace of it (the dual DUT setup of RFC 8219 §4.2):

tester: t0 <-tap-> d0 :machine: m0 <-veth-> m1 :namespace: d1 <-tap-> t1 :tester
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xlatperf.lab import tester_ports
from xlatperf.lab.bed import DUT_PORTS, INNER_PORTS, TRUNK_PORTS, quieten
from xlatperf.lab.link_addresses import DUT_MACS, INNER_MACS, TESTER_MACS
from xlatperf.lab.machine.image import image
from xlatperf.lab.machine.machine import Interface, Machine, Settings
from xlatperf.lab.network import Network
from xlatperf.lab.shell_namespace import ShellNamespace
from xlatperf.lab.shell_process import ShellProcess
from xlatperf.lab.shell_transport import ShellTransport
from xlatperf.lab.tester_side import TESTER_PORTS, TesterSide

_LINK_S = 5.0
_FOLDER = "/run"


class MachineTestbed(TesterSide):
    """The machine runs in the Tester's namespace, where the taps are."""

    def __init__(
        self,
        mtu: int,
        settings: Settings,
        say: Callable[[str], None],
        second: tuple[str, int] | None = None,
        vlans: Mapping[str, int] | None = None,
        *,
        one_port: bool = False,
    ) -> None:
        """`say` tells of the image, where it has to be made first; `second`: a second device, and the MTU before it.

        `vlans`: on these sides the devices take and send frames of this VLAN. `one_port`: one device, one link.
        """
        super().__init__(mtu, one_port=one_port)
        self._vlans = vlans or {}
        self.machine = Machine(settings)
        self._second = None if second is None else ShellNamespace(self.machine, second[0], second[0])
        if second is not None:
            self.inner_mtu = second[1]
        self._say = say

    @property
    def devices(self) -> Sequence[ShellTransport]:
        """One or two."""
        return (self.machine,) if self._second is None else (self.machine, self._second)

    @property
    def at(self) -> Mapping[str, ShellTransport]:
        """Of one device on both sides the same."""
        return {"left": self.machine, "right": self._second or self.machine}

    @property
    def dut(self) -> Machine:
        """The machine."""
        return self.machine

    @property
    def where_forwarded(self) -> str:
        """An interface of the machine interrupts one of its cores."""
        return "the kernel works on a packet on the core of the virtual machine that its interface interrupts"

    def file(self, name: str, text: str) -> str:
        """In the machine."""
        path = f"{_FOLDER}/{name}"
        self.machine.write(path, text)
        return path

    def process(self, name: str, command: Sequence[str], cores: Sequence[int], side: str) -> ShellProcess:
        """In the machine, or in its second device's namespace."""
        return ShellProcess(self.at[side], name, command, _FOLDER, cores)

    def set_host_parameter(self, name: str, value: int) -> None:
        """Gone with the machine."""
        self.machine.set_sysctl(name, value)

    def remove(self) -> None:
        """The machine first."""
        self.machine.stop()
        super().remove()

    def _make_devices(self) -> None:
        made = image(self._say)
        sides = [together[0] for together in self.links]
        for side, tap in zip(sides, self.ports, strict=True):
            self.tester.run(("ip", "tuntap", "add", "mode", "tap", tap))
            self.tester.run(("ip", "link", "set", tap, "address", TESTER_MACS[side], "mtu", str(self.mtu), "up"))
        self.why_kernel_looks = tester_ports.end_here(self.tester, self.ports)
        interfaces = [Interface(DUT_PORTS[side], DUT_MACS[side], TESTER_PORTS[side]) for side in sides]
        self.machine.start(made, self.folder, self.tester, interfaces)
        quieten(self.machine)
        quieten(self.machine, [DUT_PORTS[side] for side in sides])
        if self._second is not None:
            self._make_second(self._second)
        for together in self.links:
            self._make_vlans(together)
        for side, port in DUT_PORTS.items():
            with self.at[side].network() as network:
                network.set_mtu(port, self.mtu)
                network.set_up(port)
        with Network(self.tester) as network:
            for tap in self.ports:
                network.wait_for_link(tap, _LINK_S)

    def _make_vlans(self, sides: Sequence[str]) -> None:
        """Each side with a VLAN has an interface of its own on the link, which says nothing itself then."""
        first, without = sides[0], next((side for side in sides if side not in self._vlans), None)
        device, trunk = self.at[first], TRUNK_PORTS[first] if without is None else DUT_PORTS[without]
        if trunk != DUT_PORTS[first]:
            device.run(("ip", "link", "set", DUT_PORTS[first], "name", trunk))
        if without is None:
            device.set_sysctl(f"net.ipv6.conf.{trunk}.disable_ipv6", 1)
        device.run(("ip", "link", "set", trunk, "mtu", str(self.mtu), "up"))
        for side in sides:
            if side not in self._vlans:
                continue
            of_vlan = ("address", DUT_MACS[first], "type", "vlan", "id", str(self._vlans[side]))
            device.run(("ip", "link", "add", "link", trunk, "name", DUT_PORTS[side], *of_vlan))
            quieten(device, [DUT_PORTS[side]])

    def _make_second(self, second: ShellNamespace) -> None:
        second.create()
        quieten(second)
        left, right = (f"{INNER_PORTS[side]} address {INNER_MACS[side]}" for side in ("left", "right"))
        self.machine.script(
            f"set -e; ip link set {DUT_PORTS['right']} netns {second.name}\n"
            f"ip link add {left} type veth peer name {right} netns {second.name}"
        )
        for side in ("left", "right"):
            self.at[side].run(("ethtool", "-K", INNER_PORTS[side], "gro", "off"))
            with self.at[side].network() as network:
                network.set_mtu(INNER_PORTS[side], self.inner_mtu)
                network.set_up(INNER_PORTS[side])
        quieten(second, [DUT_PORTS["right"]])
