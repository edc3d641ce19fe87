"""What drivers have in common whose DUT is a kernel: of a namespace here, of a virtual machine, of another host."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import ClassVar

from pydantic import model_validator

from xlatperf.devices.device import Attachment, Plan
from xlatperf.devices.kernel_dut import KernelDriver
from xlatperf.devices.machine_keys import MachineKeys
from xlatperf.devices.remote_dut import RemoteDriver
from xlatperf.keys.model import Truth, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.lab.bed import Bed
from xlatperf.lab.testbed import Testbed


class KernelAnywhere(RemoteDriver, MachineKeys, KernelDriver):
    """Without `host` and `machine` it's this host's."""

    here_only: ClassVar[Mapping[str, str]] = {
        "kernel_cores": ": set its interfaces' queues there (ethtool -L)",
        "machine": "",
    }

    machine: Truth = key(
        False,
        "the device is in a virtual machine, and the kernel that one's; kernel_cores are then those that QEMU may use",
    )

    @model_validator(mode="after")
    def _with_and_without_machine(self) -> KernelAnywhere:
        for name in () if self.machine else sorted(MachineKeys.model_fields.keys() - KernelDriver.model_fields.keys()):
            if name in self.model_fields_set:
                refuse(name, getattr(self, name), "nothing without device.machine = true")
        return self

    @property
    def in_machine(self) -> bool:
        """The key `machine`."""
        return self.machine

    @property
    def qemu_cores(self) -> tuple[str, tuple[int, ...]]:
        """The key `kernel_cores`."""
        return "kernel_cores", self.kernel_cores

    @property
    def in_namespace(self) -> bool:
        """Of this host, and its own kernel."""
        return self.host is None and not self.machine

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment] | None:
        """Only if the ports are those of namespaces."""
        return super().cable(plan) if self.in_namespace else None

    def bed(self, plan: Plan) -> Bed:
        """Raises DeviceError."""
        if self.host is not None:
            return self.remote_bed(self.host)
        if self.machine:
            return self.machine_bed(plan)
        if plan.joint is None:
            return Testbed(self.mtu, vlans=plan.vlans, one_port=plan.one_port)
        return Testbed(self.mtu, ("dut2",), vlans=plan.vlans, joint=plan.joint.end)
