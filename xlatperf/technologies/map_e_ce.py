"""MAP-E CE with NAPT44."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, key
from xlatperf.technologies.map_ce import MapCe, domain_key
from xlatperf.technologies.map_e import MAP_E_BEYOND_RULE, MapEDomain, refused_by_ce
from xlatperf.technologies.mapping_negative import Refusal, RuleBits
from xlatperf.technologies.tunnel import TunnelTechnology


class MapECe(TunnelTechnology, MapCe):
    """A MAP-E CE with NAPT44 (RFC 7597 §8): private IPv4 on the left, tunnels to the border relay on the right."""

    title: ClassVar[str] = "MAP-E CE with NAPT44"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"map-e-ce": {}}
    beyond_rule: ClassVar[Mapping[str, str]] = MAP_E_BEYOND_RULE

    name: Literal["map-e-ce"] = key(REQUIRED, "technology")
    domains: tuple[MapEDomain, ...] = domain_key("br")

    @property
    def encapsulated(self) -> DirectionName:
        """From the CE."""
        return "forward"

    def refusals(self, bits: RuleBits) -> tuple[Refusal, ...]:
        """RFC 7597 §8.1."""
        return refused_by_ce([self.domains[0].br], 0, bits, mesh=self.mesh)
