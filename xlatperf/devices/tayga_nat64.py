"""Stateful NAT64 (RFC 6146) of TAYGA and this host's kernel, in one network namespace.

TAYGA translates to IPv4 statelessly, the kernel behind it (nftables) translates that to an address and a port of the
pool: the way TAYGA's own documentation makes a NAT64. The state is the kernel's connection tracking table.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from xlatperf.devices import kernel_dut, source_nat, tayga_process
from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.options import check_names
from xlatperf.devices.source_nat import SourceNat
from xlatperf.devices.tayga_nat64_configuration import configure
from xlatperf.devices.tayga_process import TaygaProcess, own_cores
from xlatperf.lab import testbed
from xlatperf.lab.error import LabError

OPTIONS = (*kernel_dut.OPTIONS, *tayga_process.OPTIONS, tayga_process.MENDING_OPTION, *source_nat.OPTIONS)


class TaygaNat64:
    """Driver of TAYGA with NAT44 behind it. It decrements the hop limit three times: the kernel, TAYGA, the kernel."""

    name = "tayga-nat64"

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._dut: KernelDut | None = None
        self._nat: SourceNat | None = None
        self._tayga: TaygaProcess | None = None

    def missing(self) -> list[str]:
        """What this host lacks for namespaces, TAYGA and NAT."""
        return testbed.missing() + tayga_process.missing() + source_nat.missing()

    def prepare(self, plan: Plan) -> Attachment:
        """A router between the two links with TAYGA beside it, which translates what leaves on the right."""
        check_names(self.name, plan.options, OPTIONS)
        source_nat.check_technology(self.name, plan.technology, "nat64")
        configuration = configure(plan.technology, plan.describe, (plan.left, plan.right))
        self._plan = plan
        self._tayga = TaygaProcess(plan, "tayga", configuration, mend_by_default=True)
        self._dut = KernelDut(plan)
        bed = self._dut.testbed
        self._nat = SourceNat(plan, bed, bed.dut)
        attachment = kernel_dut.make_or_explain(self._dut)
        try:
            self._nat.make()
            self._tayga.start(bed, bed.dut, self._dut.mtu, configuration.routes)
        except LabError as error:
            raise DeviceError(str(error)) from error
        return attachment

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment]:
        """Two ends of one veth pair."""
        return kernel_dut.cable(plan)

    def clear_state(self) -> None:
        """Empties the kernel's connection tracking table; what TAYGA knows about addresses stays."""
        if self._nat is None:
            raise DeviceError("the device isn't prepared")
        self._nat.clear_state()

    def count_state(self) -> int | None:
        """Entries in the kernel's connection tracking table."""
        return None if self._nat is None else self._nat.count_state()

    def cpu_s(self) -> dict[str, float]:
        """TAYGA's process. The NAT of what leaves on the right is in here, that of what arrives there isn't."""
        return {} if self._tayga is None else {"tayga": self._tayga.cpu_s}

    def alive(self) -> bool:
        """TAYGA's process runs, namespace and interfaces are there."""
        return self._dut is not None and self._dut.alive() and self._tayga is not None and self._tayga.running

    def set_cores(self, count: int) -> None:
        """For the kernel's forwarding and NAT, by RPS, and for TAYGA, which uses one at a time."""
        if self._dut is None or self._plan is None or self._tayga is None:
            raise DeviceError("the device isn't prepared")
        self._tayga.pin(self._dut.set_cores(count, own_cores(self._plan) or None))

    def restart(self) -> None:
        """Ends TAYGA's process and starts it again (RFC 6201 §4.2.2); the kernel's state stays."""
        if self._tayga is None:
            raise DeviceError("TAYGA isn't started")
        self._tayga.restart()

    def facts(self) -> dict[str, str]:
        """TAYGA's version and configuration, rules, the table's parameters, the kernel and its parameters."""
        if self._dut is None or self._nat is None or self._tayga is None:
            return {}
        return {**self._tayga.facts(), **self._nat.facts(), **self._dut.facts()}

    def diagnose(self) -> list[str]:
        """TAYGA; rules and table; then what the kernel has to say."""
        if self._dut is None or self._nat is None or self._tayga is None:
            return ["the device isn't prepared"]
        try:
            lines = self._tayga.diagnose()
        except LabError as error:
            lines = [str(error)]
        return lines + self._nat.diagnose() + self._dut.diagnose()

    def remove(self) -> None:
        """Ends TAYGA, removes the namespaces; the host's limits are as before."""
        if self._dut is not None:
            self._dut.remove()
        self._dut = self._nat = self._tayga = self._plan = None
