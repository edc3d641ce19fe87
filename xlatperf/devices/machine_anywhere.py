"""Drivers of DUTs that need more than plain features: of a virtual machine's kernel, or of another host's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from xlatperf.devices.device import Plan
from xlatperf.devices.machine_dut import MachineDriver
from xlatperf.devices.remote_dut import RemoteDriver
from xlatperf.lab.machine.testbed import MachineTestbed
from xlatperf.lab.remote.testbed import RemoteTestbed


class MachineAnywhere(RemoteDriver, MachineDriver):
    """Without `host` it's a virtual machine's."""

    here_only: ClassVar[Mapping[str, str]] = dict.fromkeys(("machine_cores", "memory_mb", "accelerator", "cores"), "")

    def bed(self, plan: Plan) -> MachineTestbed | RemoteTestbed:
        """Raises DeviceError."""
        return self.machine_bed(plan) if self.host is None else self.remote_bed(self.host)
