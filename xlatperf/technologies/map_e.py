"""MAP-E."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from xlatperf.engine.message import DirectionName
from xlatperf.keys.addresses import IPv6
from xlatperf.keys.model import REQUIRED, key
from xlatperf.procedures.alteration import Change
from xlatperf.technologies.mapping_negative import STRANGER, Refusal, RuleBits, another_of
from xlatperf.technologies.mapping_rule import MapDomain, MapTechnology, domains_key
from xlatperf.technologies.tunnel import TunnelTechnology


class MapEDomain(MapDomain):
    """A MAP-E domain."""

    br: IPv6 = key(
        REQUIRED,
        "the border relay's IPv6 address",
        allowed="an IPv6 address such as 2001:db8:ffff::1",
        source="RFC 7597 §5.4",
    )


MAP_E_BEYOND_RULE = {"br": "2001:2:0:c000::1"}
"""Of the default domain."""
_CHECKED, _PORT_SET, _ADDRESS = "RFC 7597 §8.1", "RFC 7597 §5.1", "RFC 7597 §6"


def refused_by_ce(relays: Sequence[str], index: int, bits: RuleBits, *, mesh: bool) -> tuple[Refusal, ...]:
    """What a CE of domain `index`, whose border relays these are, must not take from the IPv6 side (RFC 7597 §8.1).

    `mesh`: it sends to other CEs, nothing is from a border relay (§5).
    """
    relay = Change("outer_source", _another_relay(relays, index))
    from_relay = (Refusal("border_relay", "reverse", _CHECKED, True, relay),)
    from_ces = (
        Refusal("nobodys_port", "forward", _PORT_SET, False, bits.excluded_port("destination_port")),
        Refusal("sender_port", "reverse", _CHECKED, True, bits.another_port("source_port")),
        Refusal("sender_address", "reverse", _CHECKED, True, bits.another_address("source")),
        Refusal("sender_ea_bits", "reverse", _CHECKED, True, bits.another_ea("outer_source")),
        Refusal("sender_identifier", "reverse", _ADDRESS, False, bits.another_identifier("outer_source")),
        Refusal("stranger", "reverse", _CHECKED, True, Change("outer_source", STRANGER)),
    )
    identifier = bits.another_identifier("outer_destination")
    return (
        *(from_ces if mesh else from_relay),
        Refusal("interface_identifier", "reverse", _ADDRESS, False, identifier, routable=True),
        Refusal("destination_address", "reverse", _CHECKED, True, bits.another_address("destination")),
        Refusal("destination_port", "reverse", _CHECKED, False, bits.another_port("destination_port")),
        Refusal("destination_port_0", "reverse", _CHECKED, False, bits.excluded_port("destination_port")),
    )


def _another_relay(relays: Sequence[str], index: int) -> int:
    return another_of(relays[index], relays, 1)  # its lowest bit may make it a router's anycast address


class MapE(TunnelTechnology, MapTechnology):
    """Encapsulation with mapping rules (RFC 7597): IPv4 goes through IPv6 in tunnels between CEs and border relay."""

    title: ClassVar[str] = "MAP-E"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"map-e": {}}
    beyond_rule: ClassVar[Mapping[str, str]] = MAP_E_BEYOND_RULE

    name: Literal["map-e"] = key(REQUIRED, "technology")
    domains: tuple[MapEDomain, ...] = domains_key()

    def refusals(self, index: int, bits: RuleBits) -> tuple[Refusal, ...]:
        """RFC 7597 §8.1, and what follows from its port sets (§5.1) and addresses (§5.2, §6)."""
        relays = [domain.br for domain in self.domains]
        if self.role == "br":
            relay = Change("outer_destination", _another_relay(relays, index))
            return (
                Refusal("source_port", "forward", _CHECKED, True, bits.another_port("source_port")),
                Refusal("source_port_0", "forward", _CHECKED, True, bits.excluded_port("source_port")),
                Refusal("source_address", "forward", _CHECKED, True, bits.another_address("source")),
                Refusal("ea_bits", "forward", _CHECKED, True, bits.another_ea("outer_source")),
                Refusal("interface_identifier", "forward", _ADDRESS, False, bits.another_identifier("outer_source")),
                Refusal("border_relay", "forward", _CHECKED, False, relay, routable=True),
                Refusal("destination_port_0", "reverse", _PORT_SET, False, bits.excluded_port("destination_port")),
            )
        own = (
            Refusal("source_port", "forward", _PORT_SET, False, bits.another_port("source_port")),
            Refusal("source_port_0", "forward", _PORT_SET, False, bits.excluded_port("source_port")),
            Refusal("source_address", "forward", "RFC 7597 §5.2", False, bits.another_address("source")),
        )
        return (*own, *refused_by_ce(relays, index, bits, mesh=self.mesh))

    @property
    def encapsulated(self) -> DirectionName:
        """Towards the CEs, or from the CE."""
        return "reverse" if self.role == "br" and not self.hairpinning else "forward"
