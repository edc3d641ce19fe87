"""Stateless translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Any, ClassVar, Literal

from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import REQUIRED, key
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.address_translation import AddressTranslation, prefix_key
from xlatperf.technologies.prefix_negative import impossible_prefix, refused_prefix
from xlatperf.technologies.technology import OF_464XLAT, AddressPlan, TechnologyModel
from xlatperf.technologies.translation_prefix import DEFAULT_PREFIX, TranslationPrefix

_HOSTS = {"left": "198.18.0.0/24", "right": "198.19.0.0/24"}
_EAM = {
    "left": {"ipv4": "198.18.0.0/16", "ipv6": "2001:2::/112"},
    "right": {"ipv4": "198.19.0.0/16", "ipv6": "2001:2:0:8000::/112"},
}
"""RFC 2544 App. C.2.2; RFC 5180 §5.2.1: the range's first half left, its second half right."""
_CLAT = {
    "technology": {
        "ipv6_side": "right",
        "prefix": DEFAULT_PREFIX,
        "eam": [{"ipv4": "10.0.0.0/8", "ipv6": "2001:2::a00:0/104"}],
    },
    "traffic": {
        "frame_size_of": "ipv4",
        "left": {"hosts": {"prefix": "10.0.0.0/24", "host": 2}},
        "right": {"hosts": {"prefix": "198.19.0.0/24", "host": 2}},
    },
}
"""RFC 6877 App. A: the PLAT-side prefix, and the CLAT-side one, 2001:2::/96. Client and server as in `464xlat`."""


class Siit(TechnologyModel, AddressTranslation):
    """Stateless translation (RFC 7915) with RFC 6052 prefix and explicit address mappings (RFC 7757)."""

    title: ClassVar[str] = "SIIT"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"siit": {}, "clat": _CLAT}

    name: Literal["siit"] = key(REQUIRED, "technology")
    ipv6_side: Literal["left", "right"] = key("left", "which side speaks IPv6; the other one speaks IPv4")
    prefix: TranslationPrefix | None = prefix_key(DEFAULT_PREFIX)

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """By the side that speaks IPv6."""
        return (4, 6) if table.get("ipv6_side") == "right" else (6, 4)

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """Hosts of both sides are named by their IPv4 addresses."""
        return AddressPlan("ipv6", _HOSTS)

    @classmethod
    def fill(cls, table: dict[str, Any]) -> None:
        """The mapping of the IPv6 side's hosts."""
        ipv6_side = str(table.get("ipv6_side", "left"))
        if ipv6_side in _EAM:
            table.setdefault("eam", [dict(_EAM[ipv6_side])])

    @classmethod
    def of_464xlat(cls, table: Mapping[str, Any]) -> OF_464XLAT | None:
        """From IPv4 hosts to IPv6: a CLAT."""
        return "clat" if table.get("ipv6_side") == "right" else None

    @property
    def mapped(self) -> Mapping[str, str]:
        """By explicit address mappings (RFC 7757 §3.2)."""
        return {f"technology.eam[{index}].ipv6": row.ipv6 for index, row in enumerate(self.eam)}

    def host_of(self, address: IPv6Address) -> tuple[int, IPv4Address] | None:
        """Number of the mapping, and the IPv4 address that it makes this address of (RFC 7757 §3.2, §3.3)."""
        for index, row in enumerate(self.eam):
            ipv4, ipv6 = IPv4Network(row.ipv4), IPv6Network(row.ipv6)
            if address not in ipv6:
                continue
            shift = (128 - ipv6.prefixlen) - (32 - ipv4.prefixlen)
            suffix = int(address) - int(ipv6.network_address)
            host = ipv4.network_address + (suffix >> shift)
            others = [IPv4Network(one.ipv4) for one in self.eam]
            longer = any(host in one and one.prefixlen > ipv4.prefixlen for one in others)
            if suffix & ((1 << shift) - 1) == 0 and not longer:
                return index, host
        return None

    @property
    def hosts(self) -> Mapping[str, int]:
        """Named by their IPv4 addresses."""
        return {"left": 4, "right": 4}

    @property
    def translation_prefix(self) -> str | None:
        """Of addresses without a mapping."""
        return self.prefix

    def negative_tests(self) -> Sequence[NegativeTest]:
        """From the IPv6 side."""
        direction: DirectionName = "forward" if self.ipv6_side == "left" else "reverse"
        if self.prefix is None:
            return [impossible_prefix(direction, "technology.prefix isn't set")]
        return [refused_prefix(self.prefix, [row.ipv6 for row in self.eam], direction)]

    @property
    def remakes_ipv4(self) -> bool:
        """RFC 7915 §5.1."""
        return True
