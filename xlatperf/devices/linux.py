"""This host's kernel as a router: the DUT for `native` traffic, and the yardstick for translators on it."""

from __future__ import annotations

from contextlib import AbstractContextManager

from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.kernel_dut import OPTIONS, KernelDut, cable, make_or_explain
from xlatperf.devices.options import check_names
from xlatperf.lab import testbed


class Linux:
    """Driver of the kernel's IPv4 and IPv6 forwarding in a network namespace."""

    name = "linux"

    def __init__(self) -> None:
        self._dut: KernelDut | None = None

    def missing(self) -> list[str]:
        """What this host lacks for network namespaces."""
        return testbed.missing()

    def prepare(self, plan: Plan) -> Attachment:
        """A router between the two links."""
        check_names(self.name, plan.options, OPTIONS)
        technology = plan.technology.get("name")
        if technology != "native":
            raise DeviceError(f"technology.name: the driver linux forwards only, it can't do {technology}: use native")
        self._dut = KernelDut(plan)
        return make_or_explain(self._dut)

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment]:
        """Two ends of one veth pair."""
        return cable(plan)

    def clear_state(self) -> None:
        """Forwarding keeps no state."""

    def count_state(self) -> int | None:
        """Forwarding keeps no state."""
        return None

    def cpu_s(self) -> dict[str, float]:
        """The kernel's on the cores that were set, if they aren't the Tester's."""
        return {} if self._dut is None else self._dut.cpu_s()

    def alive(self) -> bool:
        """Namespace and interfaces are there."""
        return self._dut is not None and self._dut.alive()

    def set_cores(self, count: int) -> None:
        """By RPS: otherwise the kernel forwards where the frame was sent, on the Tester's cores."""
        if self._dut is None:
            raise DeviceError("the device isn't prepared")
        self._dut.set_cores(count)

    def restart(self) -> None:
        """Not possible: the kernel's forwarding can't be restarted without the host."""
        raise DeviceError("the kernel's forwarding can't be restarted without the host")

    def facts(self) -> dict[str, str]:
        """Kernel and parameters."""
        return {} if self._dut is None else self._dut.facts()

    def diagnose(self) -> list[str]:
        """Interfaces, forwarding, routes, counters."""
        return ["the device isn't prepared"] if self._dut is None else self._dut.diagnose()

    def remove(self) -> None:
        """Removes the namespaces."""
        if self._dut is not None:
            self._dut.remove()
            self._dut = None
