"""464XLAT (RFC 6877) of two devices on this host: a CLAT (TAYGA) and a PLAT (TAYGA, and the kernel's NAT44 behind it).

A real PLAT has many CLATs, with the same private addresses behind each. The Tester sees one NAT44 (RFC 9693 §4.1, §7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.nft_ruleset import ruleset
from xlatperf.devices.source_nat import NatDriver, SourceNat
from xlatperf.devices.tayga_pair import TaygaPairDriver

_NAMES = ("clat", "plat")


class Xlat464(TaygaPairDriver, NatDriver):
    """CLAT and PLAT. The CLAT keeps no state."""

    label = "464XLAT (TAYGA)"
    what = "CLAT (TAYGA) and PLAT (TAYGA, and behind it NAT44 by the kernel), each a device of its own"
    technology: ClassVar[Mapping[str, Any]] = {"name": "nat44", "double_translation": True}

    driver: Literal["464xlat"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """The pair, and NAT44 of what leaves on the right."""
        bed = self.bed(plan, _NAMES)
        return self.pair(plan, _NAMES, bed, SourceNat(self, ruleset(plan.technology), bed, bed.at["right"]))
