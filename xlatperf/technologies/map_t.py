"""MAP-T."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.config.model import REQUIRED, key
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


class MapT(MapTechnology):
    """Translation with mapping rules (RFC 7599): IPv4 goes through IPv6 by double translation (RFC 7915)."""

    title: ClassVar[str] = "MAP-T"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"map-t": {}}
    beyond_rule: ClassVar[Mapping[str, str]] = {"dmr": "2001:2:0:c000::/64"}

    name: Literal["map-t"] = key(REQUIRED, "technology")
    domains: tuple[MapTDomain, ...] = domains_key()

    @property
    def remakes_ipv4(self) -> bool:
        """RFC 7915 §5.1."""
        return True
