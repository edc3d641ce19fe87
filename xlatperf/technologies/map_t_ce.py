"""MAP-T CE with NAPT44."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.keys.model import REQUIRED, key
from xlatperf.technologies.map_ce import MapCe, domain_key
from xlatperf.technologies.map_t import MAP_T_BEYOND_RULE, MapTDomain, refused_by_ce
from xlatperf.technologies.mapping_negative import Refusal, RuleBits


class MapTCe(MapCe):
    """A MAP-T CE with NAPT44 (RFC 7599 §8.1, §8.2): private IPv4 on the left, translated to IPv6 on the right."""

    title: ClassVar[str] = "MAP-T CE with NAPT44"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"map-t-ce": {}}
    beyond_rule: ClassVar[Mapping[str, str]] = MAP_T_BEYOND_RULE

    name: Literal["map-t-ce"] = key(REQUIRED, "technology")
    domains: tuple[MapTDomain, ...] = domain_key("dmr")

    @property
    def remakes_ipv4(self) -> bool:
        """RFC 7915 §5.1."""
        return True

    def refusals(self, bits: RuleBits) -> tuple[Refusal, ...]:
        """RFC 7599 §8.2."""
        return refused_by_ce([self.domains[0].dmr], 0, bits, mesh=self.mesh)
