"""Parts of a DUT in a virtual machine: the machine's kernel as a router, and QEMU."""

from __future__ import annotations

import time

from xlatperf.devices.assembled import Part
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.keys.emulated import SOFTWARE_EMULATION
from xlatperf.lab import processor_time, receive_steering
from xlatperf.lab.error import LabError
from xlatperf.lab.machine.machine import Machine


class MachineKernel(KernelDut):
    """Has cores of its own, of which it uses the first ones."""

    def use_cores(self, cores: tuple[int, ...]) -> None:
        """The others are offline; received packets are spread over these by flow (RPS)."""
        self.testbed.dut.run(("sh", "-ec", _ONLINE, str(len(cores))))
        for device in self.testbed.devices:
            receive_steering.steer(device, cores)

    def cpu_s(self) -> dict[str, float]:
        """The machine's cores tell."""
        return {}


# the first core can't be taken away, and has no such file
_ONLINE = """for file in /sys/devices/system/cpu/cpu*/online; do
    number=${file%/online} number=${number##*/cpu}
    wanted=$((number < $0))
    [ "$(cat "$file")" = "$wanted" ] || echo "$wanted" >"$file"
done"""


_CORES_EVERY_S = 0.95
"""Each time costs the machine some 10 ms, which the device lacks; less than the second of the samples."""


class MachineProcess(Part):
    """QEMU, which the testbed starts and ends."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._ask_at_s = 0.0
        self._idle_s: dict[str, float] = {}

    def facts(self) -> dict[str, str]:
        """How it is made."""
        settings = self._machine.settings
        how = SOFTWARE_EMULATION if settings.accelerator == "tcg" else "KVM"
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
            told = self._machine.script(processor_time.ASK_BUSY)
        except LabError:
            return {}  # `ended` tells why
        self._idle_s = {f"machine {core}": one for core, one in processor_time.parse_idle_s(told).items()}
        return {f"machine {core}": used_s for core, used_s in processor_time.parse_busy_s(told).items()}

    def idle_s(self) -> dict[str, float]:
        """Of each core in it, once a second."""
        idle_s, self._idle_s = self._idle_s, {}
        return idle_s
