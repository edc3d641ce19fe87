"""A DUT in a virtual machine of this host: what the drivers have in common that need another kernel than the host's."""

from __future__ import annotations

from typing import ClassVar, Literal

from xlatperf.devices.cores import CORES_ALLOWED, Cores, beside, of_this_host
from xlatperf.devices.device import Plan
from xlatperf.devices.kernel_dut import RouterDriver
from xlatperf.keys.model import Whole, key
from xlatperf.lab.machine import machine
from xlatperf.lab.machine.machine import Settings
from xlatperf.lab.machine.testbed import MachineTestbed
from xlatperf.lab.programs import OF_MACHINES, Program


class MachineDriver(RouterDriver):
    """Drivers of DUTs in a virtual machine."""

    not_restartable: ClassVar[str | None] = "the virtual machine's restart would close its links"

    machine_cores: Whole = key(1, "of the virtual machine", ge=machine.CORES.start, le=machine.CORES.stop - 1)
    memory_mb: Whole = key(
        512, "of the virtual machine, in MB", ge=machine.MEMORY_MB.start, le=machine.MEMORY_MB.stop - 1
    )
    accelerator: Literal["tcg", "kvm"] = key(
        "tcg",
        "how QEMU runs the virtual machine: tcg is software emulation, which is slow and works everywhere: it shows "
        "whether the device translates as it should, not how fast it is; kvm needs a host whose /dev/kvm works",
    )
    cores: Cores = key(
        (),
        "cores of this host that the virtual machine may use, without it all but tester.cores",
        allowed=CORES_ALLOWED,
    )

    def programs(self) -> tuple[Program, ...]:
        """Also those that make and run a virtual machine."""
        return (*super().programs(), *OF_MACHINES)

    def missing(self) -> list[str]:
        """Also what its kernel's modules are built with."""
        return super().missing() + machine.missing()

    def own_cores(self) -> tuple[int, ...]:
        """The key `cores`."""
        return of_this_host("cores", self.cores)

    def bed(self, plan: Plan) -> MachineTestbed:
        """With such a machine. Raises DeviceError."""
        host_cores = self.own_cores() or beside(plan.tester_cores)
        return MachineTestbed(
            self.mtu, Settings(self.machine_cores, self.memory_mb, self.accelerator, host_cores), plan.say
        )
