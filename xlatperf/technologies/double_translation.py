"""Technologies with IPv4 on both sides, which may be IPv6 on its way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xlatperf.keys.model import key
from xlatperf.technologies.technology import TechnologyModel


class DoubleTranslation(TechnologyModel):
    """IPv4 that two translators in a row carry (dual DUT of RFC 8219 §4.2)."""

    double_translation: bool = key(
        False,
        "IPv4 becomes IPv6 and IPv4 again on its way: identification and DF are the DUT's choice, all else is strict",
        source="RFC 7915 §4.1, §5.1: translation drops both and makes them anew",
    )

    @classmethod
    def growth_between(cls, table: Mapping[str, Any]) -> int:
        """An IPv6 header for an IPv4 header (RFC 7915 §4.1)."""
        return cls.growth if table.get("double_translation") is True else 0

    @property
    def remakes_ipv4(self) -> bool:
        """With double translation."""
        return self.double_translation
