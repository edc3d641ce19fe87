"""What technologies that put IPv4 into IPv6 tunnels have in common (RFC 2473)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, Strict

from xlatperf.keys.does import Does
from xlatperf.keys.model import ConfigModel, Whole, key
from xlatperf.procedures.learning import known_hop_limit
from xlatperf.technologies.technology import TechnologyModel

HopLimit = Annotated[int, Strict(), Field(ge=1, le=255)] | Literal["learn"]
"""Of an outer header."""
OPTION_BYTES = 8
"""Of a tunnel encapsulation limit (RFC 2473 §5.1), which count in no frame size."""


class Tunnel(ConfigModel):
    """Outer headers (RFC 2473 §6)."""

    hop_limit: Whole = key(64, "outer hop limit of the frames sent", ge=1, le=255, source="RFC 2473 §6.3")
    encapsulation_limit: Whole | None = key(
        None,
        "tunnel encapsulation limit in the frames sent: 8 bytes behind the outer header, which count in no frame size; "
        "not set: none",
        ge=0,
        le=255,
        allowed="a whole number, 0 to 255",
        source="RFC 2473 §4.1.1; §5.1: an entry may write it",
    )
    dut_hop_limit: HopLimit = key(
        "learn",
        "outer hop limit that the DUT's frames must arrive with; learn: that of the first frames",
        allowed="a whole number, 1 to 255, or learn",
        source="RFC 2473 §6.3: the tunnel's own",
    )
    dut_traffic_class: Whole | None = key(
        None,
        "outer traffic class that the DUT writes; not set: it carries over the packet's own",
        ge=0,
        le=255,
        allowed="a whole number, 0 to 255",
        source="RFC 2473 §6.4",
    )


class TunnelTechnology(TechnologyModel):
    """A base beside another one, which says in which direction the DUT encapsulates."""

    verb: ClassVar[str] = "carried"
    growth: ClassVar[int] = 40
    hops: ClassVar[int | Literal["learn"]] = "learn"
    most_options: ClassVar[int] = OPTION_BYTES

    tunnel: Tunnel = key(None, "outer headers", default_factory=Tunnel)

    @property
    def option_bytes(self) -> int:
        """Of the encapsulation limit."""
        return 0 if self.tunnel.encapsulation_limit is None else OPTION_BYTES

    def without_options(self) -> Self:
        """The same without the encapsulation limit."""
        return self.model_copy(update={"tunnel": self.tunnel.model_copy(update={"encapsulation_limit": None})})

    @property
    def does(self) -> Does:
        """Those behind a CE or an AFTR are translated too."""
        return "tunnels"

    @property
    def dut_hop_limit(self) -> int | Literal["learn"]:
        """`tunnel.dut_hop_limit`."""
        return self.tunnel.dut_hop_limit

    def with_dut_hop_limit(self, hop_limit: int) -> Self:
        """Another one."""
        return self.model_copy(update={"tunnel": self.tunnel.model_copy(update={"dut_hop_limit": hop_limit})})

    @classmethod
    def frame_sizes(cls, table: Mapping[str, Any], of: str) -> list[int]:
        """With an encapsulation limit, the largest has room for it; as IPv4 that the DUT encapsulates it has anyway."""
        *others, largest = super().frame_sizes(table, of)
        tunnel = table.get("tunnel")
        limited = isinstance(tunnel, Mapping) and tunnel.get("encapsulation_limit") is not None and of != "sender"
        return [*others, largest - OPTION_BYTES if limited else largest]

    def message(self) -> dict[str, Any]:
        """The tunnel belongs to the traffic."""
        return self.model_dump(mode="json", exclude_none=True, exclude={"tunnel"})

    def traffic_message(self) -> dict[str, Any]:
        """`traffic.tunnel`."""
        known = self.tunnel.model_dump(mode="json", exclude_none=True)
        return {"tunnel": {**known, "dut_hop_limit": known_hop_limit(self.dut_hop_limit)}}
