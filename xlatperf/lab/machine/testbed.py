"""A Tester on this host and a DUT in a virtual machine, with two links between them:

tester: t0 <-tap-> d0 :machine: d1 <-tap-> t1 :tester
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xlatperf.lab import tester_ports
from xlatperf.lab.bed import DUT_PORTS, quieten
from xlatperf.lab.link_addresses import DUT_MACS, TESTER_MACS
from xlatperf.lab.machine.image import image
from xlatperf.lab.machine.machine import Interface, Machine, Settings
from xlatperf.lab.network import Network
from xlatperf.lab.shell_process import ShellProcess
from xlatperf.lab.tester_side import TESTER_PORTS, TesterSide

_LINK_S = 5.0
_FOLDER = "/run"


class MachineTestbed(TesterSide):
    """The machine runs in the Tester's namespace, where the taps are."""

    def __init__(self, mtu: int, settings: Settings, say: Callable[[str], None]) -> None:
        """`say` tells of the image, where it has to be made first."""
        super().__init__(mtu)
        self.machine = Machine(settings)
        self._say = say

    @property
    def devices(self) -> Sequence[Machine]:
        """One."""
        return (self.machine,)

    @property
    def at(self) -> Mapping[str, Machine]:
        """On both sides the same."""
        return dict.fromkeys(TESTER_PORTS, self.machine)

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
        self.machine.run(("tee", path), text=text)
        return path

    def process(self, name: str, command: Sequence[str], cores: Sequence[int], side: str) -> ShellProcess:  # noqa: ARG002
        """In the machine."""
        return ShellProcess(self.machine, name, command, _FOLDER, cores)

    def set_host_parameter(self, name: str, value: int) -> None:
        """Gone with the machine."""
        self.machine.set_sysctl(name, value)

    def remove(self) -> None:
        """The machine first."""
        self.machine.stop()
        super().remove()

    def _make_devices(self) -> None:
        made = image(self._say)
        for side, tap in TESTER_PORTS.items():
            self.tester.run(("ip", "tuntap", "add", "mode", "tap", tap))
            self.tester.run(("ip", "link", "set", tap, "address", TESTER_MACS[side], "mtu", str(self.mtu), "up"))
        self.why_kernel_looks = tester_ports.end_here(self.tester, TESTER_PORTS.values())
        interfaces = [Interface(DUT_PORTS[side], DUT_MACS[side], tap) for side, tap in TESTER_PORTS.items()]
        self.machine.start(made, self.folder, self.tester, interfaces)
        quieten(self.machine, *DUT_PORTS.values())
        with self.machine.network() as network:
            for port in DUT_PORTS.values():
                network.set_mtu(port, self.mtu)
                network.set_up(port)
        with Network(self.tester) as network:
            for tap in TESTER_PORTS.values():
                network.wait_for_link(tap, _LINK_S)
