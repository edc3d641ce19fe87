"""What drivers have in common that have one TAYGA: here, in a virtual machine, or on another host."""

from __future__ import annotations

from contextlib import ExitStack

from xlatperf.devices.assembled import Assembled, Part
from xlatperf.devices.device import Plan
from xlatperf.devices.kernel_anywhere import KernelAnywhere
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.tayga_process import TaygaDriver
from xlatperf.lab.programs import CONNTRACK, IP, NFT, STDBUF, TASKSET, TAYGA
from xlatperf.lab.remote.testbed import Needed


class TaygaAnywhere(KernelAnywhere, TaygaDriver):
    """With `host` or `machine`, `cores` are those of the other kernel."""

    def own_cores(self) -> tuple[int, ...]:
        """The key `cores`; those of another kernel it checks itself."""
        return super().own_cores() if self.in_namespace else self.cores

    def free_cores(self, plan: Plan) -> tuple[int, ...]:
        """Another kernel chooses."""
        return super().free_cores(plan) if self.in_namespace else ()

    def assembled(self, plan: Plan, undo: ExitStack, kernel: KernelDut, *parts: Part) -> Assembled:
        """Raises DeviceError."""
        device = super().assembled(plan, undo, kernel, *parts)
        if self.machine:
            device.cpu_every_s = 1.0  # a command there each time
        return device

    def needed_there(self) -> Needed:
        """Also TAYGA, and what sets it up."""
        return Needed((IP, TAYGA, NFT, CONNTRACK, STDBUF, TASKSET))
