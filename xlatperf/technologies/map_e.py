"""MAP-E."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.config.addresses import IPv6
from xlatperf.config.model import REQUIRED, ConfigModel, Whole, key
from xlatperf.technologies.mapping_rule import MapDomain, MapTechnology, domains_key


class MapEDomain(MapDomain):
    """A MAP-E domain."""

    br: IPv6 = key(
        REQUIRED,
        "the border relay's IPv6 address",
        allowed="an IPv6 address such as 2001:db8:ffff::1",
        source="RFC 7597 §5.4",
    )


class Tunnel(ConfigModel):
    """Outer headers (RFC 2473 §6)."""

    hop_limit: Whole = key(64, "outer hop limit of the frames sent", ge=1, le=255, source="RFC 2473 §6.3")
    dut_hop_limit: Whole = key(
        64, "outer hop limit that the DUT's frames must arrive with", ge=1, le=255, source="RFC 2473 §6.3"
    )
    dut_traffic_class: Whole | None = key(
        None,
        "outer traffic class that the DUT writes; not set: it carries over the packet's own",
        ge=0,
        le=255,
        allowed="a whole number, 0 to 255",
        source="RFC 2473 §6.4",
    )


class MapE(MapTechnology):
    """Encapsulation with mapping rules (RFC 7597): IPv4 goes through IPv6 in tunnels between CEs and border relay."""

    title: ClassVar[str] = "MAP-E"
    verb: ClassVar[str] = "carried"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"map-e": {}}
    beyond_rule: ClassVar[Mapping[str, str]] = {"br": "2001:2:0:c000::1"}
    growth: ClassVar[int] = 40

    name: Literal["map-e"] = key(REQUIRED, "technology")
    domains: tuple[MapEDomain, ...] = domains_key()
    tunnel: Tunnel = key(None, "outer headers", default_factory=Tunnel)

    def message(self) -> dict[str, Any]:
        """The tunnel belongs to the traffic."""
        return self.model_dump(mode="json", exclude_none=True, exclude={"tunnel"})

    def traffic_message(self) -> dict[str, Any]:
        """`traffic.tunnel`."""
        return {"tunnel": self.tunnel.model_dump(mode="json", exclude_none=True)}
