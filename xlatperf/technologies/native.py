"""No translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import model_validator

from xlatperf.keys.does import Does
from xlatperf.keys.model import REQUIRED, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.technologies.double_translation import DoubleTranslation
from xlatperf.technologies.technology import AddressPlan

_HOSTS = {
    "ipv4": {"left": "198.18.0.0/24", "right": "198.19.0.0/24"},
    "ipv6": {"left": "2001:2::/64", "right": "2001:2:0:8000::/64"},
}
"""RFC 2544 App. C.2.2; RFC 5180 §5.2.1: the range's first half left, its second half right."""


class Native(DoubleTranslation):
    """No translation: the DUT routes (RFC 2544, RFC 5180); or two translators in a row, seen from outside."""

    title: ClassVar[str] = "native"
    verb: ClassVar[str] = "forwarded"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "native-ipv4": {"technology": {"family": "ipv4"}},
        "native-ipv6": {"technology": {"family": "ipv6"}},
    }

    name: Literal["native"] = key(REQUIRED, "technology")
    family: Literal["ipv4", "ipv6"] = key("ipv4", "which IP the DUT routes")

    @model_validator(mode="after")
    def _twice_of_ipv4(self) -> Native:
        if self.double_translation and self.family == "ipv6":
            refuse("double_translation", True, "false where family is ipv6")
        return self

    @property
    def does(self) -> Does:
        """Twice, with double translation."""
        return "translates" if self.double_translation else "routes"

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """The same on both sides."""
        return (6, 6) if table.get("family") == "ipv6" else (4, 4)

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """The benchmarking ranges, halved."""
        family = f"ipv{cls.families_of(table)[0]}"
        return AddressPlan(family, _HOSTS[family])

    @classmethod
    def in_words(cls, table: Mapping[str, Any]) -> str:
        """`native IPv6 forwarding`."""
        return f"native IPv{cls.families_of(table)[0]} forwarding"
