"""A DUT in a virtual machine of this host: what the drivers have in common that need another kernel than the host's."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Literal

from xlatperf.devices.assembled import Assembled, Part
from xlatperf.devices.cores import CORES_ALLOWED, Cores, beside, of_this_host
from xlatperf.devices.device import DeviceError, Plan
from xlatperf.devices.kernel_dut import KernelDut, RouterDriver
from xlatperf.keys.model import Whole, key
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.lab import processor_time, receive_steering
from xlatperf.lab.bed import Bed
from xlatperf.lab.error import LabError
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

    def cores_for(self, count: int, plan: Plan) -> tuple[int, ...]:  # noqa: ARG002 - they are the machine's
        """Cores of the virtual machine. Raises DeviceError."""
        if not 1 <= count <= self.machine_cores:
            raise DeviceError(not_allowed("device_cores", count, f"1 to {self.machine_cores}: device.machine_cores"))
        return tuple(range(count))

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
        if not isinstance(bed, MachineTestbed):
            return self.assembled(plan, undo, KernelDut(self, plan, bed, translates=translates), *parts)
        kernel = _MachineKernel(self, plan, bed, translates=translates)
        return self.assembled(plan, undo, kernel, _MachineProcess(bed.machine), *parts)


class _MachineKernel(KernelDut):
    """Has cores of its own, of which it uses the first ones."""

    def use_cores(self, cores: tuple[int, ...]) -> None:
        """The others are offline; received packets are spread over these by flow (RPS)."""
        self.testbed.dut.run(("bash", "-ec", _ONLINE, str(len(cores))))
        for device in self.testbed.devices:
            receive_steering.steer(device, cores)

    def cpu_s(self) -> dict[str, float]:
        """The machine's cores tell."""
        return {}


# the first core can't be taken away, and has no such file
_ONLINE = """for file in /sys/devices/system/cpu/cpu*/online; do
    number=${file%/online} number=${number##*/cpu}
    wanted=$((number < $0))
    (($(<"$file") == wanted)) || echo "$wanted" >"$file"
done"""


_CORES_EVERY_S = 0.95
"""Each time costs the machine some 10 ms, which the device lacks; less than the second of the samples."""


class _MachineProcess(Part):
    """QEMU, which the testbed starts and ends."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._ask_at_s = 0.0

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
        """Of QEMU's threads, which emulate the machine's cores and its interfaces; once a second of each core in it."""
        return {**self._of_cores_s(), "machine": self._machine.daemon.cpu_s}

    def _of_cores_s(self) -> dict[str, float]:
        now_s = time.monotonic()
        if now_s < self._ask_at_s:
            return {}
        self._ask_at_s = now_s + _CORES_EVERY_S
        try:
            found = processor_time.parse_busy_s(self._machine.script(processor_time.ASK_BUSY))
        except LabError:
            return {}  # `ended` tells why
        return {f"machine {core}": used_s for core, used_s in found.items()}
