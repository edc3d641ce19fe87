"""No translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import model_validator

from xlatperf.keys.does import Does
from xlatperf.keys.model import REQUIRED, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.technologies.address_translation import AddressTranslation
from xlatperf.technologies.double_translation import DoubleTranslation
from xlatperf.technologies.technology import AddressPlan

_EXAMPLE = '{ prefix = "2001:2:0:6464::/96" }'
_TRANSLATOR = "a table with prefix and eam as technology siit has them, of both sides or of none"
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
    left: AddressTranslation | None = key(
        None,
        "of two translators: the addresses of the left one; not set: hosts have the same address on both sides",
        allowed=_TRANSLATOR,
        source="RFC 7915 §6",
    )
    right: AddressTranslation | None = key(
        None, "the same of the right one; one device that translates twice is both", allowed=_TRANSLATOR
    )

    @model_validator(mode="after")
    def _twice_of_ipv4(self) -> Native:
        if self.double_translation and self.family == "ipv6":
            refuse("double_translation", True, "false where family is ipv6")
        return self

    @model_validator(mode="after")
    def _both_translators(self) -> Native:
        for name, own, other in (("left", self.left, self.right), ("right", self.right, self.left)):
            if own is not None and not self.double_translation:
                refuse(name, "a table", "none without double_translation = true")
            if own is None and other is not None:
                raise ValueError(f"{name}: missing: a table such as {_EXAMPLE}, as there is one of the other side")
            if own is not None and own.prefix is None and not own.eam:
                raise ValueError(f"{name}.eam: missing: explicit address mappings, or {name}.prefix")
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
