"""Stateful NAT44 by this host's kernel (nftables) in a network namespace.

The kernel has no process whose processor time could be read, and without cores of its own it works where the frame was
sent: on the Tester's cores. `set_cores` gives it cores.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from xlatperf.devices import kernel_dut, source_nat
from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.options import check_names
from xlatperf.devices.source_nat import SourceNat
from xlatperf.lab import testbed
from xlatperf.lab.error import LabError

OPTIONS = (*kernel_dut.OPTIONS, *source_nat.OPTIONS)


class NftNat44:
    """Driver of the kernel's NAT44. It decrements the TTL once."""

    name = "nft-nat44"

    def __init__(self) -> None:
        self._dut: KernelDut | None = None
        self._nat: SourceNat | None = None

    def missing(self) -> list[str]:
        """What this host lacks for network namespaces and NAT."""
        return testbed.missing() + source_nat.missing()

    def prepare(self, plan: Plan) -> Attachment:
        """A router between the two links that translates what leaves on the right."""
        check_names(self.name, plan.options, OPTIONS)
        source_nat.check_technology(self.name, plan.technology, "nat44")
        self._dut = KernelDut(plan)
        self._nat = SourceNat(plan, self._dut.testbed, self._dut.testbed.dut)
        attachment = kernel_dut.make_or_explain(self._dut)
        try:
            self._nat.make()
        except LabError as error:
            raise DeviceError(str(error)) from error
        return attachment

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment]:
        """Two ends of one veth pair."""
        return kernel_dut.cable(plan)

    def clear_state(self) -> None:
        """Empties the kernel's connection tracking table."""
        self._made().clear_state()

    def count_state(self) -> int | None:
        """Entries in the kernel's connection tracking table."""
        return None if self._nat is None else self._nat.count_state()

    def cpu_s(self) -> dict[str, float]:
        """The kernel's on the cores that were set, if they aren't the Tester's."""
        return {} if self._dut is None else self._dut.cpu_s()

    def alive(self) -> bool:
        """Namespace and interfaces are there."""
        return self._dut is not None and self._dut.alive()

    def set_cores(self, count: int) -> None:
        """By RPS: a connection's packets of one direction stay on one core."""
        self._made()
        if self._dut is not None:
            self._dut.set_cores(count)

    def restart(self) -> None:
        """Not possible: the kernel's NAT can't be restarted without the host."""
        raise DeviceError("the kernel's NAT can't be restarted without the host")

    def facts(self) -> dict[str, str]:
        """Rules, the table's parameters, the kernel and its parameters."""
        return {} if self._dut is None or self._nat is None else {**self._nat.facts(), **self._dut.facts()}

    def diagnose(self) -> list[str]:
        """Rules and table; then interfaces, forwarding, routes, counters."""
        if self._dut is None or self._nat is None:
            return ["the device isn't prepared"]
        return self._nat.diagnose() + self._dut.diagnose()

    def remove(self) -> None:
        """Removes the namespaces; the host's limits are as before."""
        if self._dut is not None:
            self._dut.remove()
        self._dut = self._nat = None

    def _made(self) -> SourceNat:
        if self._nat is None:
            raise DeviceError("the device isn't prepared")
        return self._nat
