"""What drivers have in common whose DUT is, or may be, in a virtual machine of this host."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import ExitStack
from typing import Literal

from xlatperf.devices.assembled import Assembled, Part
from xlatperf.devices.cores import beside, of_this_host
from xlatperf.devices.device import DeviceError, Plan
from xlatperf.devices.kernel_dut import KernelDut, RouterDriver
from xlatperf.devices.machine_parts import MachineKernel, MachineProcess
from xlatperf.keys.model import Whole, key
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.lab import tester_side
from xlatperf.lab.bed import Bed
from xlatperf.lab.machine import machine
from xlatperf.lab.machine.machine import Settings
from xlatperf.lab.machine.testbed import MachineTestbed
from xlatperf.lab.programs import OF_MACHINES, OF_TESTBEDS, Program


class MachineKeys(RouterDriver):
    """How the machine is made."""

    machine_cores: Whole = key(1, "of the virtual machine", ge=machine.CORES.start, le=machine.CORES.stop - 1)
    memory_mb: Whole = key(
        512, "of the virtual machine, in MB", ge=machine.MEMORY_MB.start, le=machine.MEMORY_MB.stop - 1
    )
    accelerator: Literal["tcg", "kvm"] = key(
        "tcg",
        "how QEMU runs the virtual machine: tcg is software emulation, which is slow and works everywhere: it shows "
        "whether the device translates as it should, not how fast it is; kvm needs a host whose /dev/kvm works",
    )

    @property
    @abstractmethod
    def in_machine(self) -> bool:
        """Whether the DUT is there."""

    @property
    @abstractmethod
    def qemu_cores(self) -> tuple[str, tuple[int, ...]]:
        """The key that says which cores of this host QEMU may use, and its value."""

    def programs(self) -> tuple[Program, ...]:
        """All that the DUT itself needs is in the machine."""
        return (*OF_TESTBEDS, *OF_MACHINES) if self.in_machine else super().programs()

    def missing(self) -> list[str]:
        """Also what the machine's kernel's modules are built with."""
        if not self.in_machine:
            return super().missing()
        return tester_side.missing() + self.missing_programs() + machine.missing()

    def cores_for(self, count: int, plan: Plan) -> tuple[int, ...]:
        """Cores of the virtual machine. Raises DeviceError."""
        if not self.in_machine:
            return super().cores_for(count, plan)
        if not 1 <= count <= self.machine_cores:
            raise DeviceError(not_allowed("device_cores", count, f"1 to {self.machine_cores}: device.machine_cores"))
        return tuple(range(count))

    def machine_bed(self, plan: Plan, second: tuple[str, int] | None = None) -> MachineTestbed:
        """With such a machine; `second`: a second device in it, and the MTU before that. Raises DeviceError."""
        host_cores = of_this_host(*self.qemu_cores) or beside(plan.tester_cores)
        settings = Settings(self.machine_cores, self.memory_mb, self.accelerator, host_cores)
        return MachineTestbed(self.mtu, settings, plan.say, second, plan.vlans, one_port=plan.one_port)

    def kernel(self, plan: Plan, bed: Bed, *, translates: bool = False) -> KernelDut:
        """The machine's, or as elsewhere."""
        if not isinstance(bed, MachineTestbed):
            return super().kernel(plan, bed, translates=translates)
        return MachineKernel(self, plan, bed, translates=translates)

    def assembled(self, plan: Plan, undo: ExitStack, kernel: KernelDut, *parts: Part) -> Assembled:
        """Also QEMU. Raises DeviceError."""
        bed = kernel.testbed
        process = (MachineProcess(bed.machine),) if isinstance(bed, MachineTestbed) else ()
        return super().assembled(plan, undo, kernel, *process, *parts)
