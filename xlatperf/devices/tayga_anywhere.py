"""What drivers have in common that have one TAYGA: here, or on another host."""

from __future__ import annotations

from xlatperf.devices.device import Plan
from xlatperf.devices.kernel_anywhere import KernelAnywhere
from xlatperf.devices.tayga_process import TaygaDriver
from xlatperf.lab.programs import CONNTRACK, IP, NFT, STDBUF, TASKSET, TAYGA
from xlatperf.lab.remote.testbed import Needed


class TaygaAnywhere(KernelAnywhere, TaygaDriver):
    """With `host`, `cores` are that host's."""

    def own_cores(self) -> tuple[int, ...]:
        """The key `cores`; those of another host it checks itself."""
        return super().own_cores() if self.host is None else self.cores

    def free_cores(self, plan: Plan) -> tuple[int, ...]:
        """Another host's kernel chooses."""
        return super().free_cores(plan) if self.host is None else ()

    def needed_there(self) -> Needed:
        """Also TAYGA, and what sets it up."""
        return Needed((IP, TAYGA, NFT, CONNTRACK, STDBUF, TASKSET))
