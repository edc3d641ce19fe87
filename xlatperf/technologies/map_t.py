"""MAP-T."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.config.model import REQUIRED, key
from xlatperf.technologies.mapping_rule import MapDomain, MapTechnology
from xlatperf.technologies.translation_prefix import PREFIX_ALLOWED, TranslationPrefix

_DMR = "2001:2:0:c000::/64"


class MapTDomain(MapDomain):
    """A MAP-T domain."""

    dmr: TranslationPrefix = key(
        REQUIRED,
        "default mapping rule: the IPv6 prefix of who is outside the domain",
        allowed=PREFIX_ALLOWED,
        source="RFC 7599 §5.1",
    )


class MapT(MapTechnology):
    """Translation with mapping rules (RFC 7599): IPv4 goes through IPv6 by double translation (RFC 7915)."""

    title: ClassVar[str] = "MAP-T"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"map-t": {}}

    name: Literal["map-t"] = key(REQUIRED, "technology")
    domains: tuple[MapTDomain, ...] = key(
        REQUIRED,
        "the MAP domains",
        allowed="a list of tables with ipv6, ipv4, ea_bits, and br (map-e) or dmr (map-t)",
        min_length=1,
        max_length=64,
    )

    @classmethod
    def fill(cls, table: dict[str, Any]) -> None:
        """One domain in the benchmarking ranges."""
        cls.fill_domains(table, {"dmr": _DMR})

    @property
    def all_domains(self) -> tuple[MapDomain, ...]:
        """Those of the file."""
        return self.domains

    @property
    def remakes_ipv4(self) -> bool:
        """RFC 7915 §5.1."""
        return True
