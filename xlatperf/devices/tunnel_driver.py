"""What drivers have in common whose DUT is an end of tunnels by a kernel: of a virtual machine, or of another host."""

from __future__ import annotations

from dataclasses import replace

from xlatperf.devices.machine_anywhere import MachineAnywhere
from xlatperf.lab.remote.testbed import Needed


class TunnelDriver(MachineAnywhere):
    """They decrement the TTL of the packet in the tunnel once."""

    decrements = (1, 1)
    not_restartable = "a kernel's tunnels can't be restarted without its machine"

    def needed_there(self) -> Needed:
        """Also tunnels."""
        return replace(super().needed_there(), modules=("ip6_tunnel",))
