"""MAP-T."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from xlatperf.keys.model import REQUIRED, key
from xlatperf.procedures.alteration import Change
from xlatperf.technologies.mapping_negative import STRANGER, Refusal, RuleBits, another_of
from xlatperf.technologies.mapping_rule import MapDomain, MapTechnology, domains_key
from xlatperf.technologies.translation_prefix import PREFIX_ALLOWED, TranslationPrefix


class MapTDomain(MapDomain):
    """A MAP-T domain."""

    dmr: TranslationPrefix = key(
        REQUIRED,
        "default mapping rule: the IPv6 prefix of who is outside the domain",
        allowed=PREFIX_ALLOWED,
        source="RFC 7599 §5.1",
    )


MAP_T_BEYOND_RULE = {"dmr": "2001:2:0:c000::/64"}
"""Of the default domain."""


def refused_by_ce(dmrs: Sequence[str], index: int, bits: RuleBits, *, mesh: bool) -> tuple[Refusal, ...]:
    """What a CE of domain `index`, which have these DMRs, must not take from the IPv6 side (RFC 7599 §8.2).

    `mesh`: it sends to other CEs, nothing is from outside (§5).
    """
    from_outside = (Refusal("dmr", "reverse", "RFC 7599 §8.2", False, Change("source", another_of(dmrs[index], dmrs))),)
    from_ces = (
        Refusal("nobodys_port", "forward", "RFC 7599 §5", False, bits.excluded_port("destination_port")),
        Refusal("sender_port", "reverse", "RFC 7599 §8.2", False, bits.another_port("source_port")),
        Refusal("sender_ea_bits", "reverse", "RFC 7599 §8.2", False, bits.another_ea("source")),
        Refusal("sender_identifier", "reverse", "RFC 7599 §6", False, bits.another_identifier("source")),
        Refusal("stranger", "reverse", "RFC 7599 §8.2", False, Change("source", STRANGER)),
    )
    identifier = bits.another_identifier("destination")
    return (
        *(from_ces if mesh else from_outside),
        Refusal("interface_identifier", "reverse", "RFC 7599 §8.2", False, identifier, routable=True),
        Refusal("destination_port", "reverse", "RFC 7599 §8.2", True, bits.another_port("destination_port")),
        Refusal("destination_port_0", "reverse", "RFC 7599 §8.2", True, bits.excluded_port("destination_port")),
    )


class MapT(MapTechnology):
    """Translation with mapping rules (RFC 7599): IPv4 goes through IPv6 by double translation (RFC 7915)."""

    title: ClassVar[str] = "MAP-T"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"map-t": {}}
    beyond_rule: ClassVar[Mapping[str, str]] = MAP_T_BEYOND_RULE

    name: Literal["map-t"] = key(REQUIRED, "technology")
    domains: tuple[MapTDomain, ...] = domains_key()

    def refusals(self, index: int, bits: RuleBits) -> tuple[Refusal, ...]:
        """RFC 7599 §8, and what follows from its port sets (§5) and addresses (§5.1, §6)."""
        dmrs = [domain.dmr for domain in self.domains]
        if self.role == "br":
            other = another_of(dmrs[index], dmrs)
            in_port_set = bits.psid_in_ea > 0  # §8.3 compares the port with the address's PSID
            return (
                Refusal("source_port", "forward", "RFC 7599 §8.3", True, bits.another_port("source_port")),
                Refusal("source_port_0", "forward", "RFC 7599 §8.3", True, bits.excluded_port("source_port")),
                Refusal("ea_bits", "forward", "RFC 7599 §8.3", in_port_set, bits.another_ea("source")),
                Refusal("interface_identifier", "forward", "RFC 7599 §6", False, bits.another_identifier("source")),
                Refusal("dmr", "forward", "RFC 7599 §5.1", False, Change("destination", other), routable=True),
                Refusal("destination_port_0", "reverse", "RFC 7599 §5", False, bits.excluded_port("destination_port")),
            )
        own = (
            Refusal("source_port", "forward", "RFC 7599 §8.1", True, bits.another_port("source_port")),
            Refusal("source_port_0", "forward", "RFC 7599 §8.1", True, bits.excluded_port("source_port")),
            Refusal("source_address", "forward", "RFC 7599 §8.1", True, bits.another_address("source")),
        )
        return (*own, *refused_by_ce(dmrs, index, bits, mesh=self.mesh))

    @property
    def remakes_ipv4(self) -> bool:
        """RFC 7915 §5.1."""
        return not self.hairpinning  # IPv6 comes back
