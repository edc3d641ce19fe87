"""Two stateless translators in a row, IPv4 outside: what RFC 8219 §4.2 has a Tester without IPv6 measure."""

from __future__ import annotations

from xlatperf.devices import tayga_pair
from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.options import check_names
from xlatperf.devices.tayga_pair import TaygaPair


class TaygaSiitPair(TaygaPair):
    """Driver of two TAYGAs as SIIT gateways (RFC 7915)."""

    name = "tayga-siit-pair"
    names = ("left", "right")

    def prepare(self, plan: Plan) -> Attachment:
        """The pair, between IPv4 on both sides."""
        check_names(self.name, plan.options, tayga_pair.OPTIONS)
        technology = plan.technology
        if (technology.get("name"), technology.get("family")) != ("native", "ipv4"):
            raise DeviceError(f"technology: the driver {self.name} does native with family ipv4 only")
        return self._make(self._check(plan), plan)
