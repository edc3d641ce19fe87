"""Stateful translation of IPv6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.keys.does import Does
from xlatperf.keys.model import REQUIRED, key
from xlatperf.keys.pool import PoolIPv6
from xlatperf.technologies.stateful import PoolTechnology
from xlatperf.technologies.technology import AddressPlan


class Nat66(PoolTechnology):
    """Stateful translation of IPv6 addresses and ports (RFC 9693 §3.1: NATxy with x = y = 6)."""

    title: ClassVar[str] = "NAT66"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"nat66": {}}
    pool_plan: ClassVar[Mapping[str, str]] = {"one": "2001:2:0:8000::1", "several": "2001:2:0:c000::1"}

    name: Literal["nat66"] = key(REQUIRED, "technology")
    pool: PoolIPv6 = key(None, "what the DUT translates clients to", default_factory=PoolIPv6)

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """IPv6 on both sides."""
        return 6, 6

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """RFC 9693 has none for NAT66: RFC 5180 §5.2.1."""
        return AddressPlan("ipv6", client="2001:2::2", server="2001:2:0:8000::2")

    @property
    def does(self) -> Does:
        """IPv6 addresses."""
        return "changes_addresses"
