"""The Well-Known Prefix, where a file has it for addresses that it must not stand for (RFC 6052 §3.1)."""

from __future__ import annotations

import ipaddress

from xlatperf.keys.addresses import WELL_KNOWN_PREFIX
from xlatperf.technologies.translation_prefix import DEFAULT_PREFIX

Hosts = ipaddress.IPv4Address | ipaddress.IPv6Address | ipaddress.IPv4Network


def usable_prefix(network: ipaddress.IPv6Network, of: Hosts) -> tuple[str, str]:
    """The prefix for `of`, and what to say of it: why it's another one, or nothing."""
    if str(network) != WELL_KNOWN_PREFIX or of.is_global:
        return str(network), ""
    why = f"changed from {network}, which must not stand for {of} (RFC 6052 §3.1): the device must have it, too"
    return DEFAULT_PREFIX, why
