"""TAYGA, a stateless translator in user space (SIIT: RFC 7915, RFC 6052, EAM of RFC 7757), in a network namespace.

TAYGA hangs on a tun interface, so a translated packet passes the kernel's forwarding twice, while native IPv6 (the
background) passes it once and TAYGA not at all.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from xlatperf.devices import kernel_dut, tayga_process
from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.options import check_names, text, truth
from xlatperf.devices.tayga_configuration import configure
from xlatperf.devices.tayga_process import TaygaProcess, own_cores
from xlatperf.lab import testbed
from xlatperf.lab.error import LabError

OPTIONS = (*kernel_dut.OPTIONS, *tayga_process.OPTIONS, tayga_process.MENDING_OPTION, "prefix", "route")


class Tayga:
    """Driver of TAYGA as SIIT gateway. It decrements the hop limit three times: the kernel, TAYGA, the kernel."""

    name = "tayga"

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._dut: KernelDut | None = None
        self._tayga: TaygaProcess | None = None

    def missing(self) -> list[str]:
        """What this host lacks for namespaces, tun interfaces and TAYGA."""
        return testbed.missing() + tayga_process.missing()

    def prepare(self, plan: Plan) -> Attachment:
        """A router between the two links, with TAYGA beside it."""
        check_names(self.name, plan.options, OPTIONS)
        with_route = truth(plan.options, "route", True)
        prefix = text(plan.options, "prefix")
        technology = plan.technology if prefix is None else {**plan.technology, "prefix": prefix}
        configuration = configure(technology, plan.describe, (plan.left, plan.right))
        self._plan = plan
        self._tayga = TaygaProcess(plan, "tayga", configuration)
        self._dut = KernelDut(plan)
        attachment = kernel_dut.make_or_explain(self._dut)
        bed = self._dut.testbed
        try:
            self._tayga.start(bed, bed.dut, self._dut.mtu, configuration.routes if with_route else ())
        except LabError as error:
            raise DeviceError(str(error)) from error
        return attachment

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment]:
        """Two ends of one veth pair."""
        return kernel_dut.cable(plan)

    def clear_state(self) -> None:
        """TAYGA with static mappings keeps no state."""

    def count_state(self) -> int | None:
        """TAYGA with static mappings keeps no state."""
        return None

    def cpu_s(self) -> dict[str, float]:
        """TAYGA's process. The kernel's forwarding to it is the sender's, that from it is in here."""
        return {} if self._tayga is None else {"tayga": self._tayga.cpu_s}

    def alive(self) -> bool:
        """TAYGA's process runs, namespace and interfaces are there."""
        return self._dut is not None and self._dut.alive() and self._tayga is not None and self._tayga.running

    def set_cores(self, count: int) -> None:
        """For the kernel's forwarding, by RPS, and for TAYGA, which uses one at a time."""
        if self._dut is None or self._plan is None or self._tayga is None:
            raise DeviceError("the device isn't prepared")
        self._tayga.pin(self._dut.set_cores(count, own_cores(self._plan) or None))

    def restart(self) -> None:
        """Ends TAYGA's process and starts it again (RFC 6201 §4.2.2); interface and routes stay."""
        if self._tayga is None:
            raise DeviceError("TAYGA isn't started")
        self._tayga.restart()

    def facts(self) -> dict[str, str]:
        """TAYGA's version and configuration, the kernel and its parameters."""
        return {} if self._dut is None or self._tayga is None else {**self._tayga.facts(), **self._dut.facts()}

    def diagnose(self) -> list[str]:
        """TAYGA's process, its interface, the routes to it; then what the kernel has to say."""
        if self._dut is None or self._tayga is None:
            return ["the device isn't prepared"]
        try:
            lines = self._tayga.diagnose()
        except LabError as error:
            lines = [str(error)]
        return lines + self._dut.diagnose()

    def remove(self) -> None:
        """Ends TAYGA, removes the namespaces with all that is in them."""
        if self._dut is not None:
            self._dut.remove()
        self._dut = self._tayga = self._plan = None
