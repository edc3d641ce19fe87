"""`[technology]`: what the DUT does with the frames. One model per technology, told apart by `name`."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from xlatperf.config.addresses import NetworkIPv4, NetworkIPv6
from xlatperf.config.model import REQUIRED, ConfigModel, key
from xlatperf.config.pool import PoolIPv4, PoolIPv6

WELL_KNOWN_PREFIX = "64:ff9b::/96"
DEFAULT_PREFIX = "2001:2:0:6464::/96"
_PREFIX_ALLOWED = f"an IPv6 prefix of length 32, 40, 48, 56, 64 or 96 with bits 64 to 71 zero, such as {DEFAULT_PREFIX}"


def _translation_prefix(text: str) -> str:
    """RFC 6052 §2.2: six lengths, and bits 64 to 71 zero."""
    network = ipaddress.IPv6Network(text)
    if network.prefixlen not in (32, 40, 48, 56, 64, 96) or int(network.network_address) >> 56 & 0xFF:
        raise ValueError(_PREFIX_ALLOWED)
    return str(network)


TranslationPrefix = Annotated[str, AfterValidator(_translation_prefix)]


class Eam(ConfigModel):
    """One explicit address mapping (RFC 7757 §3.2): the IPv4 prefix and the IPv6 prefix in its place."""

    ipv4: NetworkIPv4 = key(REQUIRED, "IPv4 prefix", allowed="an IPv4 network such as 198.18.0.0/16")
    ipv6: NetworkIPv6 = key(
        REQUIRED,
        "IPv6 prefix that replaces it",
        source="RFC 7757 §3.2",
        allowed="an IPv6 network such as 2001:2::/112, its suffix at least as long as the IPv4 one",
    )


def _double_translation() -> Any:
    """The key of technologies with IPv4 on both sides."""
    return key(
        False,
        "IPv4 becomes IPv6 and IPv4 again on its way: identification and DF are the DUT's choice, all else is strict",
        source="RFC 7915 §4.1, §5.1: translation drops both and makes them anew",
    )


class Native(ConfigModel):
    """No translation: the DUT routes (RFC 2544, RFC 5180); or two translators in a row, seen from outside."""

    name: Literal["native"] = key(REQUIRED, "technology")
    family: Literal["ipv4", "ipv6"] = key("ipv4", "which IP the DUT routes")
    double_translation: bool = _double_translation()

    @model_validator(mode="after")
    def _twice_of_ipv4(self) -> Native:
        if self.double_translation and self.family == "ipv6":
            raise ValueError("double_translation: true is not allowed: false where family is ipv6")
        return self


class Siit(ConfigModel):
    """Stateless translation (RFC 7915) with RFC 6052 prefix and explicit address mappings (RFC 7757)."""

    name: Literal["siit"] = key(REQUIRED, "technology")
    ipv6_side: Literal["left", "right"] = key("left", "which side speaks IPv6; the other one speaks IPv4")
    prefix: TranslationPrefix | None = key(
        DEFAULT_PREFIX,
        "IPv6 prefix of IPv4 addresses that no mapping covers",
        allowed=_PREFIX_ALLOWED,
        source="RFC 6052 §3.1: not 64:ff9b::/96, which must not stand for 198.18.0.0/15",
    )
    eam: tuple[Eam, ...] = key(
        (),
        "explicit address mappings: the IPv6 addresses of the hosts on the IPv6 side",
        allowed="a list of tables with ipv4 and ipv6",
        source="RFC 7757 §3.2",
    )


class Nat44(ConfigModel):
    """Stateful translation of IPv4 addresses and ports (RFC 9693 §3.1); also 464XLAT as a whole, seen from outside."""

    name: Literal["nat44"] = key(REQUIRED, "technology")
    pool: PoolIPv4 = key(None, "what the DUT translates clients to", default_factory=PoolIPv4)
    double_translation: bool = _double_translation()


class Nat64(ConfigModel):
    """Stateful NAT64 (RFC 6146): IPv6 clients left, IPv4 servers right."""

    name: Literal["nat64"] = key(REQUIRED, "technology")
    prefix: TranslationPrefix = key(
        DEFAULT_PREFIX,
        "IPv6 prefix of the servers' IPv4 addresses",
        allowed=_PREFIX_ALLOWED,
        source="RFC 6052 §3.1: not 64:ff9b::/96, which must not stand for 198.18.0.0/15",
    )
    pool: PoolIPv4 = key(None, "what the DUT translates clients to", default_factory=PoolIPv4)


class Nat66(ConfigModel):
    """Stateful translation of IPv6 addresses and ports (RFC 9693 §3.1: NATxy with x = y = 6)."""

    name: Literal["nat66"] = key(REQUIRED, "technology")
    pool: PoolIPv6 = key(None, "what the DUT translates clients to", default_factory=PoolIPv6)


Stateful = Nat44 | Nat64 | Nat66
"""Technologies with a connection tracking table (RFC 9693)."""
Technology = Annotated[Native | Siit | Nat44 | Nat64 | Nat66, Field(discriminator="name")]


def families(technology: Native | Siit | Stateful) -> tuple[int, int]:
    """IP versions of the foreground's frames, left and right."""
    match technology:
        case Native():
            return (4, 4) if technology.family == "ipv4" else (6, 6)
        case Siit():
            return (6, 4) if technology.ipv6_side == "left" else (4, 6)
        case Nat44():
            return 4, 4
        case Nat64():
            return 6, 4
        case Nat66():
            return 6, 6
