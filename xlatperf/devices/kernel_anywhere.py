"""What drivers have in common whose DUT is a kernel: of a namespace here, or of another host."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import ClassVar

from xlatperf.devices.device import Attachment, Plan
from xlatperf.devices.kernel_dut import KernelDriver
from xlatperf.devices.remote_dut import RemoteDriver
from xlatperf.lab.bed import Bed
from xlatperf.lab.testbed import Testbed


class KernelAnywhere(RemoteDriver, KernelDriver):
    """Without `host` it's this host's."""

    here_only: ClassVar[Mapping[str, str]] = {"kernel_cores": ": set its interfaces' queues there (ethtool -L)"}

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment] | None:
        """Not with a host: the ports are the user's."""
        return super().cable(plan) if self.host is None else None

    def bed(self, plan: Plan) -> Bed:
        """Raises DeviceError."""
        return Testbed(self.mtu) if self.host is None else self.remote_bed(plan, self.host)
