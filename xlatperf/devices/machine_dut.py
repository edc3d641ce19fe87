"""A DUT in a virtual machine of this host: what the drivers have in common that need another kernel than the host's."""

from __future__ import annotations

from contextlib import ExitStack

from xlatperf.devices.assembled import Assembled, Part
from xlatperf.devices.cores import CORES_ALLOWED, Cores
from xlatperf.devices.device import Plan
from xlatperf.devices.machine_keys import MachineKeys
from xlatperf.keys.model import key
from xlatperf.lab.bed import Bed


class MachineDriver(MachineKeys):
    """Drivers of DUTs that are in a virtual machine if they are on this host."""

    cores: Cores = key(
        (),
        "cores of this host that the virtual machine may use, without it all but tester.cores",
        allowed=CORES_ALLOWED,
    )

    @property
    def in_machine(self) -> bool:
        """Unless it's on another host."""
        return not self.users_own

    @property
    def qemu_cores(self) -> tuple[str, tuple[int, ...]]:
        """The key `cores`."""
        return "cores", self.cores

    def on(self, bed: Bed, plan: Plan, undo: ExitStack, *parts: Part, translates: bool = False) -> Assembled:
        """The kernel there with these parts on it; `translates`: one of them does the work. Raises DeviceError."""
        return self.assembled(plan, undo, self.kernel(plan, bed, translates=translates), *parts)
