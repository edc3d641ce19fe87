"""What technologies with softwires have in common (RFC 7596): a binding table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from xlatperf.keys.model import REQUIRED, key
from xlatperf.technologies.softwires import Softwires
from xlatperf.technologies.tunnel import TunnelTechnology


class SoftwireTechnology(TunnelTechnology):
    """The base."""

    softwires: Softwires = key(
        REQUIRED,
        "the binding table",
        allowed="a table with ipv6, ipv4, psid_length and lwaftr, or with table",
        source="RFC 7596 §6.1",
    )

    @property
    def binding_table(self) -> Softwires:
        """What the DUT must know."""
        return self.softwires

    @property
    def way_out(self) -> Mapping[str, str]:
        """The lwAFTR; those of a file's rows aren't looked at."""
        return self.softwires.named("lwaftr")

    @property
    def mapped(self) -> Mapping[str, str]:
        """The addresses that lwB4s share; those of a file's rows aren't looked at."""
        return self.softwires.named("ipv4")

    @property
    def subscriber_prefixes(self) -> Mapping[str, str]:
        """The lwB4s'; those of a file's rows aren't looked at."""
        return self.softwires.named("ipv6")

    def with_binding_table(self, softwires: Softwires) -> Self:
        """The technology with another one."""
        return self.model_copy(update={"softwires": softwires})

    def part(self, part: int) -> Self:
        """Softwires whose port sets have one shape."""
        return self.with_binding_table(self.softwires.of_shape(part))

    def message(self) -> dict[str, Any]:
        """The file of the table is found from wherever the engine is."""
        return {**super().message(), "softwires": self.softwires.message()}
