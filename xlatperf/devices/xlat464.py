"""464XLAT (RFC 6877) of two devices on this host: a CLAT (TAYGA) and a PLAT (TAYGA, and the kernel's NAT44 behind it).

A real PLAT has many CLATs, with the same private addresses behind each. The Tester sees one NAT44 (RFC 9693 §4.1, §7).
"""

from __future__ import annotations

from xlatperf.devices import source_nat, tayga_pair
from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.options import check_names
from xlatperf.devices.source_nat import SourceNat
from xlatperf.devices.tayga_pair import TaygaPair
from xlatperf.lab.error import LabError

OPTIONS = (*tayga_pair.OPTIONS, *source_nat.OPTIONS)


class Xlat464(TaygaPair):
    """Driver of CLAT and PLAT."""

    name = "464xlat"
    names = ("clat", "plat")

    def __init__(self) -> None:
        super().__init__()
        self._nat: SourceNat | None = None

    def missing(self) -> list[str]:
        """What this host lacks for namespaces, TAYGA and NAT."""
        return super().missing() + source_nat.missing()

    def prepare(self, plan: Plan) -> Attachment:
        """The pair, and NAT44 of what leaves on the right."""
        check_names(self.name, plan.options, OPTIONS)
        source_nat.check_technology(self.name, plan.technology, "nat44")
        dut = self._check(plan)
        self._nat = SourceNat(plan, dut.testbed, dut.testbed.at["right"])
        attachment = self._make(dut, plan)
        try:
            self._nat.make()
        except LabError as error:
            raise DeviceError(str(error)) from error
        return attachment

    def clear_state(self) -> None:
        """Empties the PLAT's connection tracking table: the CLAT has no state."""
        if self._nat is None:
            raise DeviceError("the device isn't prepared")
        self._nat.clear_state()

    def count_state(self) -> int | None:
        """Entries in the PLAT's connection tracking table."""
        return None if self._nat is None else self._nat.count_state()

    def facts(self) -> dict[str, str]:
        """Of both, and the rules and the table's parameters."""
        return super().facts() if self._nat is None else {**super().facts(), **self._nat.facts()}

    def diagnose(self) -> list[str]:
        """Of both, and what rules and table have to say."""
        return super().diagnose() + ([] if self._nat is None else self._nat.diagnose())

    def remove(self) -> None:
        """Ends both processes, removes the namespaces; the host's limits are as before."""
        super().remove()
        self._nat = None
