"""The IPv6 prefix of IPv4 addresses (RFC 6052)."""

from __future__ import annotations

import ipaddress
from typing import Annotated

from pydantic import AfterValidator

DEFAULT_PREFIX = "2001:2:0:6464::/96"
PREFIX_ALLOWED = f"an IPv6 prefix of length 32, 40, 48, 56, 64 or 96 with bits 64 to 71 zero, such as {DEFAULT_PREFIX}"
PREFIX_SOURCE = "RFC 6052 §3.1: not 64:ff9b::/96, which must not stand for 198.18.0.0/15"


def translation_prefix(text: str) -> str:
    """RFC 6052 §2.2: six lengths, and bits 64 to 71 zero. Raises ValueError."""
    network = ipaddress.IPv6Network(text)
    if network.prefixlen not in (32, 40, 48, 56, 64, 96) or int(network.network_address) >> 56 & 0xFF:
        raise ValueError(PREFIX_ALLOWED)
    return str(network)


def embedded(prefix: ipaddress.IPv6Network, network: ipaddress.IPv4Network) -> ipaddress.IPv6Network:
    """What a network is in a /96 (RFC 6052 §2.2)."""
    return ipaddress.IPv6Network((int(prefix.network_address) | int(network.network_address), 96 + network.prefixlen))


TranslationPrefix = Annotated[str, AfterValidator(translation_prefix)]
