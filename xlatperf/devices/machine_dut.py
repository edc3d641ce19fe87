"""A DUT in a virtual machine of this host: what the drivers have in common that need another kernel than the host's."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from typing import Literal

from xlatperf.devices.assembled import Assembled, Part
from xlatperf.devices.cores import CORES_ALLOWED, Cores, beside, of_this_host
from xlatperf.devices.device import DeviceError, Plan, Ports
from xlatperf.devices.kernel_dut import KernelDut, RouterDriver
from xlatperf.keys.model import Whole, key
from xlatperf.keys.needs import Need
from xlatperf.lab.bed import Bed
from xlatperf.lab.machine import machine
from xlatperf.lab.machine.machine import Machine, Settings
from xlatperf.lab.machine.testbed import MachineTestbed
from xlatperf.lab.programs import OF_MACHINES, Program


class MachineDriver(RouterDriver):
    """Drivers of DUTs in a virtual machine."""

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

    def check(self, ports: Ports, needs: Collection[Need]) -> None:
        """The number of its cores is set when it starts."""
        super().check(ports, needs)
        if "cores" in needs:
            raise DeviceError(
                f"measure.device_cores: the driver {self.driver} can't change the number of its cores while it runs: "
                "set device.machine_cores, in a bench file for each number"
            )

    def own_cores(self) -> tuple[int, ...]:
        """The key `cores`."""
        return of_this_host("cores", self.cores)

    def machine_bed(self, plan: Plan, second: tuple[str, int] | None = None) -> MachineTestbed:
        """With such a machine; `second`: a second device in it, and the MTU before that. Raises DeviceError."""
        host_cores = self.own_cores() or beside(plan.tester_cores)
        return MachineTestbed(
            self.mtu, Settings(self.machine_cores, self.memory_mb, self.accelerator, host_cores), plan.say, second
        )

    def on(self, bed: Bed, plan: Plan, undo: ExitStack, *parts: Part, translates: bool = False) -> Assembled:
        """The kernel there with these parts on it; `translates`: one of them does the work. Raises DeviceError."""
        kernel = KernelDut(self, plan, bed, translates=translates)
        process = (_MachineProcess(bed.machine),) if isinstance(bed, MachineTestbed) else ()
        return self.assembled(plan, undo, kernel, *process, *parts)


class _MachineProcess(Part):
    """QEMU, which the testbed starts and ends."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def facts(self) -> dict[str, str]:
        """How it is made."""
        settings = self._machine.settings
        how = "software emulation (TCG)" if settings.accelerator == "tcg" else "KVM"
        return {
            "machine": f"QEMU, {how}, cores: {settings.cores}, memory: {settings.memory_mb} MB",
            "machine.packages": ", ".join(f"{name} {version}" for name, version in self._machine.versions.items()),
            "machine.host_cores": ", ".join(map(str, settings.host_cores)),
        }

    def why_not_alive(self) -> str:
        """The kernel that is in it says so."""
        return ""

    def ended(self) -> str | None:
        """QEMU has."""
        return self._machine.why_gone() or None

    def stopped(self) -> bool:
        """QEMU is."""
        return self._machine.daemon.stopped

    def cpu_s(self) -> dict[str, float]:
        """Of QEMU's threads, which emulate the machine's cores and its interfaces."""
        return {"machine": self._machine.daemon.cpu_s}
