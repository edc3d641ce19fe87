"""Stateful NAT64 (RFC 6146) of TAYGA and this host's kernel, in one network namespace.

TAYGA translates to IPv4 statelessly, the kernel behind it (nftables) translates that to an address and a port of the
pool: the way TAYGA's own documentation makes a NAT64. The state is the kernel's connection tracking table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.nft_ruleset import ruleset
from xlatperf.devices.source_nat import NatAnywhere, SourceNat
from xlatperf.devices.tayga_anywhere import TaygaAnywhere
from xlatperf.devices.tayga_nat64_configuration import configure
from xlatperf.devices.tayga_process import TaygaProcess


class TaygaNat64(TaygaAnywhere, NatAnywhere):
    """TAYGA with NAT44 behind it. It decrements the hop limit three times: the kernel, TAYGA, the kernel.

    Of its processor time, the NAT of what leaves on the right is in TAYGA's, that of what arrives there isn't.
    """

    label = "TAYGA with NAT44"
    what = "TAYGA, and behind it NAT44 by the kernel"
    technology: ClassVar[Mapping[str, Any]] = {"name": "nat64"}
    decrements = (3, 1)

    driver: Literal["tayga-nat64"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links with TAYGA beside it, which translates what leaves on the right."""
        configuration = configure(plan.technology, plan.describe, (plan.left, plan.right))
        bed = self.bed(plan)
        nat = SourceNat(self, ruleset(plan.technology), bed, bed.dut)
        tayga = TaygaProcess(self, plan, configuration, (bed, "left"))
        return self.on(bed, plan, nat, tayga, translates=True)
