"""Stateful NAT64."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from xlatperf.keys.model import REQUIRED, key
from xlatperf.keys.pool import PoolIPv4
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.in_a_row import InARow, nat44, table_of
from xlatperf.technologies.prefix_negative import refused_prefix
from xlatperf.technologies.stateful import PoolTechnology
from xlatperf.technologies.technology import OF_464XLAT, AddressPlan
from xlatperf.technologies.translation_prefix import DEFAULT_PREFIX, PREFIX_ALLOWED, PREFIX_SOURCE, TranslationPrefix

CLAT_PREFIX = "2001:2::/96"
_PLAT = {"traffic": {"frame_size_of": "ipv4", "connections": {"clients": {"first": "2001:2::a00:2"}}}}
"""RFC 6877 App. A: the client of `464xlat`, 10.0.0.2, in the CLAT-side prefix 2001:2::/96."""


class Nat64(PoolTechnology):
    """Stateful NAT64 (RFC 6146): IPv6 clients left, IPv4 servers right."""

    title: ClassVar[str] = "stateful NAT64"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"nat64": {}, "plat": _PLAT}

    name: Literal["nat64"] = key(REQUIRED, "technology")
    prefix: TranslationPrefix = key(
        DEFAULT_PREFIX, "IPv6 prefix of the servers' IPv4 addresses", allowed=PREFIX_ALLOWED, source=PREFIX_SOURCE
    )
    pool: PoolIPv4 = key(None, "what the DUT translates clients to", default_factory=PoolIPv4)

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """IPv6 clients, IPv4 servers."""
        return 6, 4

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """RFC 9693 §3.1, §3.2."""
        return AddressPlan("ipv6", client="2001:2::2", server="198.19.0.2")

    @classmethod
    def of_464xlat(cls, table: Mapping[str, Any]) -> OF_464XLAT | None:
        """A PLAT."""
        return "plat"

    def in_a_row(self) -> InARow | None:
        """464XLAT (RFC 6877 §3): a CLAT with the same prefix for servers, and one of its own for clients."""
        return InARow(
            ("CLAT", "PLAT"),
            left={"name": "siit", "ipv6_side": "right", "prefix": self.prefix},
            right=table_of(self),
            both=nat44(table_of(self.pool), translated_twice=True),
            clients_between=CLAT_PREFIX,
        )

    @property
    def translation_prefix(self) -> str | None:
        """Of the servers."""
        return self.prefix

    def negative_tests(self) -> Sequence[NegativeTest]:
        """From the clients."""
        return [refused_prefix(self.prefix, (), "forward")]

    @property
    def remakes_ipv4(self) -> bool:
        """RFC 7915 §5.1."""
        return True
