"""Stateful translation of IPv4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.keys.does import Does
from xlatperf.keys.model import REQUIRED, key
from xlatperf.keys.pool import PoolIPv4
from xlatperf.technologies.double_translation import DoubleTranslation
from xlatperf.technologies.stateful import PoolTechnology
from xlatperf.technologies.technology import OF_464XLAT, AddressPlan


class Nat44(DoubleTranslation, PoolTechnology):
    """Stateful translation of IPv4 addresses and ports (RFC 9693 §3.1); also 464XLAT as a whole, seen from outside."""

    title: ClassVar[str] = "NAT44"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "nat44": {},
        "464xlat": {"technology": {"double_translation": True}, "traffic": {"hops": "learn"}},
    }

    name: Literal["nat44"] = key(REQUIRED, "technology")
    pool: PoolIPv4 = key(None, "what the DUT translates clients to", default_factory=PoolIPv4)

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """IPv4 on both sides."""
        return 4, 4

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """RFC 9693 §3.1, §3.2."""
        return AddressPlan("ipv4", client="10.0.0.2", server="198.19.0.2")

    @classmethod
    def of_464xlat(cls, table: Mapping[str, Any]) -> OF_464XLAT | None:
        """CLAT and PLAT in a row, as they look from outside."""
        return "both" if table.get("double_translation") is True else None

    @property
    def does(self) -> Does:
        """Between IPv4 and IPv6, with double translation."""
        return "translates" if self.double_translation else "changes_addresses"
