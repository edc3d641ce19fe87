"""Lw4o6 lwB4 with NAPT44."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import model_validator

from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.in_a_row import InARow, nat44, shared, table_of
from xlatperf.technologies.lw4o6 import DUT_SOFTWIRE
from xlatperf.technologies.softwire_negative import refused_downstream
from xlatperf.technologies.softwire_technology import SoftwireTechnology
from xlatperf.technologies.softwires import usual
from xlatperf.technologies.stateful import EdgeTechnology


class Lw4o6B4(SoftwireTechnology, EdgeTechnology):
    """An lwB4 with NAPT44 (RFC 7596 §5): private IPv4 on the left, tunnels to the lwAFTR on the right."""

    title: ClassVar[str] = "Lw4o6 lwB4 with NAPT44"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"lw4o6-b4": {}}

    name: Literal["lw4o6-b4"] = key(REQUIRED, "technology")

    @model_validator(mode="after")
    def _which_lwb4(self) -> Lw4o6B4:
        softwires = self.softwires
        if softwires.number is None:
            raise ValueError("softwires.number: missing: the number of the softwire whose lwB4 the DUT is")
        if softwires.table is not None and softwires.psid_length is None:
            raise ValueError("softwires.psid_length: missing: with table, that of the softwire, which tells its ports")
        return self

    @classmethod
    def fill(cls, table: dict[str, Any]) -> None:
        """One softwire in the benchmarking ranges."""
        usual(table, number=DUT_SOFTWIRE)

    def in_a_row(self) -> InARow | None:
        """With the lwAFTR, for which it is the only lwB4 (RFC 7596 §5, §6). A file's rows aren't looked at here."""
        own = self.softwires
        if own.table is not None or own.ipv4 is None:
            refuse("softwires.table", own.table, "ipv6, ipv4, psid_length and number with two devices in a row")
        length = own.psid_length or 0
        address = ipaddress.IPv4Network(own.ipv4).network_address + ((own.number or 0) >> length)
        psid = (own.number or 0) & ((1 << length) - 1)
        return InARow(
            ("lwB4", "lwAFTR"),
            left=table_of(self),
            right={"name": "lw4o6", "softwires": table_of(own)},
            both=nat44(shared(str(address), own.psid_offset or 0, length, psid), translated_twice=False),
        )

    @property
    def pool_size(self) -> int:
        """The softwire's ports; 0 is none (RFC 768), and may be one of them."""
        return self.softwires.bits.ports

    @property
    def pool_in_words(self) -> str:
        """By its PSID."""
        return "ports of the lwB4"

    @property
    def inside(self) -> Mapping[str, str]:
        """The public addresses are the lwB4s'."""
        return self.softwires.named("ipv4")

    @property
    def encapsulated(self) -> DirectionName:
        """From the lwB4."""
        return "forward"

    def negative_tests(self) -> Sequence[NegativeTest]:
        """Of what comes from the right: what goes there is the NAPT44's own."""
        return refused_downstream(self.softwires)
