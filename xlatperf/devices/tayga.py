"""TAYGA, a stateless translator in user space (SIIT: RFC 7915, RFC 6052, EAM of RFC 7757), in a network namespace.

TAYGA hangs on a tun interface, so a translated packet passes the kernel's forwarding twice, while native IPv6 (the
background) passes it once and TAYGA not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.tayga_anywhere import TaygaAnywhere
from xlatperf.devices.tayga_configuration import configure
from xlatperf.devices.tayga_process import TaygaProcess, mending
from xlatperf.keys.addresses import NetworkIPv6
from xlatperf.keys.model import Truth, key


class Tayga(TaygaAnywhere):
    """TAYGA as SIIT gateway. It keeps no state, and decrements the hop limit three times: kernel, TAYGA, kernel."""

    label = "TAYGA"
    version_fact = "tayga"
    what = "TAYGA behind an interface of the kernel: both decrement, the kernel before and after TAYGA"
    technology: ClassVar[Mapping[str, Any]] = {"name": "siit"}
    decrements = (3, 1)

    driver: Literal["tayga"] = driver_key()
    mend_udp_checksum: Truth = mending(False)
    prefix: NetworkIPv6 | None = key(
        None,
        "the translation prefix that TAYGA is told, without it technology.prefix; another one than the traffic's shows "
        "what a wrong prefix looks like",
        allowed="an IPv6 network such as 2001:db8:6464::/96",
    )
    route: Truth = key(True, "route the prefix and the mappings to TAYGA; false shows what a missing route looks like")

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links, with TAYGA beside it."""
        technology = plan.technology if self.prefix is None else {**plan.technology, "prefix": self.prefix}
        configuration = configure(technology, plan.describe, (plan.left, plan.right))
        bed = self.bed(plan)
        tayga = TaygaProcess(self, plan, configuration, (bed, "left"), routed=self.route)
        return self.on(bed, plan, tayga, translates=True)
