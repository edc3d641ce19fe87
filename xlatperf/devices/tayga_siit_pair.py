"""Two stateless translators in a row, IPv4 outside: what RFC 8219 §4.2 has a Tester without IPv6 measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.tayga_pair import TaygaPairDriver

_NAMES = ("left", "right")


class TaygaSiitPair(TaygaPairDriver):
    """Two TAYGAs as SIIT gateways (RFC 7915)."""

    label = "Two TAYGAs"
    what = "two TAYGAs, each a device of its own, with IPv6 between them"
    technology: ClassVar[Mapping[str, Any]] = {"name": "native", "family": "ipv4", "double_translation": True}

    driver: Literal["tayga-siit-pair"] = driver_key()

    def set_up(self, plan: Plan) -> Making:
        """The pair, between IPv4 on both sides."""
        return self.pair(plan, _NAMES, self.bed(plan, _NAMES))
