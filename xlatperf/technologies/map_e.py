"""MAP-E."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, Strict

from xlatperf.config.addresses import IPv6
from xlatperf.config.model import REQUIRED, ConfigModel, Whole, key
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.learning import known_hop_limit
from xlatperf.procedures.trial import DirectionName
from xlatperf.technologies.mapping_negative import Refusal, RuleBits, another_of
from xlatperf.technologies.mapping_rule import MapDomain, MapTechnology, domains_key


class MapEDomain(MapDomain):
    """A MAP-E domain."""

    br: IPv6 = key(
        REQUIRED,
        "the border relay's IPv6 address",
        allowed="an IPv6 address such as 2001:db8:ffff::1",
        source="RFC 7597 §5.4",
    )


HopLimit = Annotated[int, Strict(), Field(ge=1, le=255)] | Literal["learn"]
"""Of an outer header."""


class Tunnel(ConfigModel):
    """Outer headers (RFC 2473 §6)."""

    hop_limit: Whole = key(64, "outer hop limit of the frames sent", ge=1, le=255, source="RFC 2473 §6.3")
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


class MapE(MapTechnology):
    """Encapsulation with mapping rules (RFC 7597): IPv4 goes through IPv6 in tunnels between CEs and border relay."""

    title: ClassVar[str] = "MAP-E"
    verb: ClassVar[str] = "carried"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"map-e": {}}
    beyond_rule: ClassVar[Mapping[str, str]] = {"br": "2001:2:0:c000::1"}
    growth: ClassVar[int] = 40
    hops: ClassVar[int | Literal["learn"]] = "learn"
    most_options: ClassVar[int] = 8  # a tunnel encapsulation limit (RFC 2473 §5.1)

    name: Literal["map-e"] = key(REQUIRED, "technology")
    domains: tuple[MapEDomain, ...] = domains_key()
    tunnel: Tunnel = key(None, "outer headers", default_factory=Tunnel)

    def refusals(self, index: int, bits: RuleBits) -> tuple[Refusal, ...]:
        """RFC 7597 §8.1, and what follows from its port sets (§5.1) and addresses (§5.2, §6)."""
        relays = [domain.br for domain in self.domains]
        relay = another_of(relays[index], relays, 1)  # its lowest bit may make it a router's anycast address
        checked, port_set, address = "RFC 7597 §8.1", "RFC 7597 §5.1", "RFC 7597 §6"
        if self.role == "br":
            return (
                Refusal("source_port", "forward", checked, True, bits.another_port("source_port")),
                Refusal("source_port_0", "forward", checked, True, bits.excluded_port("source_port")),
                Refusal("source_address", "forward", checked, True, bits.another_address("source")),
                Refusal("ea_bits", "forward", checked, True, bits.another_ea("outer_source")),
                Refusal("interface_identifier", "forward", address, False, bits.another_identifier("outer_source")),
                Refusal("border_relay", "forward", checked, False, Change("outer_destination", relay)),
                Refusal("destination_port_0", "reverse", port_set, False, bits.excluded_port("destination_port")),
            )
        return (
            Refusal("source_port", "forward", port_set, False, bits.another_port("source_port")),
            Refusal("source_port_0", "forward", port_set, False, bits.excluded_port("source_port")),
            Refusal("source_address", "forward", "RFC 7597 §5.2", False, bits.another_address("source")),
            Refusal("border_relay", "reverse", checked, True, Change("outer_source", relay)),
            Refusal("interface_identifier", "reverse", address, False, bits.another_identifier("outer_destination")),
            Refusal("destination_address", "reverse", checked, True, bits.another_address("destination")),
            Refusal("destination_port", "reverse", checked, False, bits.another_port("destination_port")),
            Refusal("destination_port_0", "reverse", checked, False, bits.excluded_port("destination_port")),
        )

    @property
    def encapsulated(self) -> DirectionName:
        """Towards the CEs, or from the CE."""
        return "reverse" if self.role == "br" else "forward"

    @property
    def dut_hop_limit(self) -> int | Literal["learn"]:
        """`tunnel.dut_hop_limit`."""
        return self.tunnel.dut_hop_limit

    def with_dut_hop_limit(self, hop_limit: int) -> Self:
        """Another one."""
        return self.model_copy(update={"tunnel": self.tunnel.model_copy(update={"dut_hop_limit": hop_limit})})

    def message(self) -> dict[str, Any]:
        """The tunnel belongs to the traffic."""
        return self.model_dump(mode="json", exclude_none=True, exclude={"tunnel"})

    def traffic_message(self) -> dict[str, Any]:
        """`traffic.tunnel`."""
        known = self.tunnel.model_dump(mode="json", exclude_none=True)
        return {"tunnel": {**known, "dut_hop_limit": known_hop_limit(self.dut_hop_limit)}}
