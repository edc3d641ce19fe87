"""Lw4o6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, Truth, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.softwire_negative import refused_by_lwaftr, refused_by_lwb4
from xlatperf.technologies.softwire_technology import SoftwireTechnology
from xlatperf.technologies.softwires import usual
from xlatperf.technologies.technology import AddressPlan

DUT_SOFTWIRE = 0x254
"""As which the DUT is tested in the role of an lwB4: 198.18.0.18, PSID 20."""


class Lw4o6(SoftwireTechnology):
    """Lightweight 4over6 (RFC 7596): as MAP-E, but who has which address and ports stands in a binding table."""

    title: ClassVar[str] = "Lw4o6"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"lw4o6": {}}

    name: Literal["lw4o6"] = key(REQUIRED, "technology")
    role: Literal["lwaftr", "lwb4"] = key(
        "lwaftr",
        "what the DUT is: lwaftr, lwB4s on the left; lwb4, an lwB4 without NAPT44, its hosts on the left",
        source="RFC 8219 §4: single DUT",
    )
    hairpinning: Truth = key(
        False,
        "of an lwAFTR: all frames go from one lwB4 to another, and come back on the left",
        source="RFC 7596 §6.2: MUST be supported",
    )

    @model_validator(mode="after")
    def _which_lwb4(self) -> Lw4o6:
        if self.role == "lwb4" and self.softwires.number is None:
            raise ValueError("softwires.number: missing: with role = lwb4, that of the softwire whose lwB4 the DUT is")
        if self.hairpinning and self.role == "lwb4":
            refuse("hairpinning", True, "false with role = lwb4")
        if self.hairpinning and self.softwires.count == 1:
            refuse("hairpinning", True, "false with one softwire")
        return self

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """IPv6 is between lwB4s and lwAFTR."""
        return (4, 6) if table.get("role") == "lwb4" else (6, 4)

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """Hosts outside, named by their IPv4 addresses."""
        return AddressPlan("ipv6", {"right": "198.19.0.0/24"})

    @classmethod
    def fill(cls, table: dict[str, Any]) -> None:
        """A table in the benchmarking ranges."""
        usual(table, number=DUT_SOFTWIRE if table.get("role") == "lwb4" else None)

    @classmethod
    def in_words(cls, table: Mapping[str, Any]) -> str:
        """Says where frames go, if not to the Internet."""
        return f"{cls.title}, from one lwB4 to another" if table.get("hairpinning") is True else cls.title

    @property
    def hairpins(self) -> bool:
        """From one lwB4 to another."""
        return self.hairpinning

    @property
    def hosts(self) -> Mapping[str, int]:
        """The others are lwB4s, or behind the lwB4."""
        return {"right": 4}

    @property
    def inside(self) -> Mapping[str, str]:
        """The public addresses are the lwB4s'; of IPv6, where that is on the left. A file's rows aren't looked at."""
        return self.softwires.named(*(("ipv4", "ipv6") if self.role == "lwaftr" else ("ipv4",)))

    @property
    def instead_of_hosts(self) -> Mapping[str, str]:
        """Who is left stands in the table."""
        return {"left": "technology.softwires"}

    @property
    def subscribers(self) -> int | None:
        """Softwires."""
        return self.softwires.count

    @property
    def possible_subscribers(self) -> range | None:
        """An lwB4 as the DUT is alone."""
        if self.role == "lwb4":
            return None
        possible = self.softwires.possible
        return range(2, possible.stop) if self.hairpinning else possible

    def with_subscribers(self, count: int) -> Self:
        """So many softwires."""
        return self.model_copy(update={"softwires": self.softwires.model_copy(update={"count": count})})

    def negative_tests(self) -> Sequence[NegativeTest]:
        """RFC 7596 §5.2, §6.2."""
        if self.role == "lwb4":
            return refused_by_lwb4(self.softwires)
        return refused_by_lwaftr(self.softwires, hairpins=self.hairpinning)

    @property
    def encapsulated(self) -> DirectionName:
        """Towards the lwB4s, or from the lwB4."""
        return "reverse" if self.role == "lwaftr" and not self.hairpinning else "forward"
