"""A DUT in a virtual machine of this host: what the drivers have in common that need another kernel than the host's."""

from __future__ import annotations

from xlatperf.devices.cores import CORES_ALLOWED, Cores
from xlatperf.devices.machine_keys import MachineKeys
from xlatperf.keys.model import key


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
