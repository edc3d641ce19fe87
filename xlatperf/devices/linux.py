"""This host's kernel as a router: the DUT for `native` traffic, and the yardstick for translators on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.filters import FilterKeys


class Linux(FilterKeys):
    """The kernel's IPv4 and IPv6 forwarding in a network namespace. It keeps no state."""

    label = "Linux"
    what = "this host's kernel forwards"
    technology: ClassVar[Mapping[str, Any]] = {"name": "native"}
    decrements = (1, 1)
    not_restartable = "the kernel's forwarding can't be restarted without the host"

    driver: Literal["linux"] = driver_key()

    @classmethod
    def called(cls, facts: Mapping[str, Any]) -> str:
        """With the kernel's release: `Linux 6.1.0`."""
        return " ".join(str(facts.get("kernel") or cls.label).split()[:2])

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links."""
        bed = self.bed(plan)
        return self.on(bed, plan, *self.filters_on(bed.dut))
