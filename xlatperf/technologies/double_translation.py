"""The key of technologies with IPv4 on both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xlatperf.config.model import key


def double_translation() -> Any:
    """IPv4 that two translators in a row carry."""
    return key(
        False,
        "IPv4 becomes IPv6 and IPv4 again on its way: identification and DF are the DUT's choice, all else is strict",
        source="RFC 7915 §4.1, §5.1: translation drops both and makes them anew",
    )


def growth_between(table: Mapping[str, Any]) -> int:
    """Bytes that a packet has more between the two: an IPv6 header for an IPv4 header (RFC 7915 §4.1)."""
    return 20 if table.get("double_translation") is True else 0
