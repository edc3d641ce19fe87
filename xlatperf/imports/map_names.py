"""What the values of a MAP rule are called in the lists that are in use: home routers' scripts, simulators, portals."""

from __future__ import annotations

import re

_NAMES = {
    "ipv6": ("ipv6prefix", "ruleipv6prefix", "rulev6", "prefix6", "ipv6", "ip6prefix", "v6prefix", "ruleipv6"),
    "ipv4": ("ipv4prefix", "ruleipv4prefix", "rulev4", "prefix4", "ipv4", "ip4prefix", "v4prefix", "ruleipv4"),
    "ipv6_length": ("ipv6prefixlength", "prefix6len", "ipv6prefixlen", "ip6prefixlen", "ruleipv6prefixlen"),
    "ipv4_length": ("ipv4prefixlength", "prefix4len", "ipv4prefixlen", "ip4prefixlen", "ruleipv4prefixlen"),
    "ea_bits": ("eabitlength", "ealen", "eabits", "ealength", "eabitslength", "eabitslen", "ea"),
    "psid_offset": ("psidoffset", "offset", "psidoffsetlength", "offsetbits", "psidoffsetbits", "a"),
    "psid_length": ("psidlen", "psidlength"),
    "psid": ("psid",),
    "br": ("bripv6address", "br", "peeraddr", "braddress", "bripv6", "ipv6br"),
    "interface_identifier": ("interfaceidentifier", "legacymap", "legacy"),
    "type": ("type", "maptype"),
    "dmr": ("dmr", "dmrprefix", "dmripv6prefix", "defaultmappingrule"),
}
_KEYS = {name: key for key, names in _NAMES.items() for name in names}


def key_of(name: str) -> str | None:
    """Of a rule here; None: it's none of these. `eaBitLength`, `EA-bits` and `ea_bits` are the same."""
    return _KEYS.get(re.sub(r"[^a-z0-9]", "", name.lower()))
