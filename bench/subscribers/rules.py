"""Many MAP rules beside each other, as an operator has them: a /48 and a /28 each, 6 bits of the PSID."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

_IPV6, _IPV4 = IPv6Address("2001:db8::"), IPv4Address("198.18.0.0")
_BEYOND = {"map-e": 'br = "2001:2:0:c000::1"', "map-t": 'dmr = "2001:2:0:c000::/64"'}
EA_BITS = 10


def rule_set(technology: str, rules: int, ces: int) -> str:
    """`technology.domains` of a bench file, with `ces` CEs in all."""
    domains = (
        f'{{ ipv6 = "{_IPV6 + (index << 80)}/48", ipv4 = "{_IPV4 + (index << 4)}/28", ea_bits = {EA_BITS}, '
        f"ces = {ces // rules}, {_BEYOND[technology]} }}"
        for index in range(rules)
    )
    return "domains = [\n" + ",\n".join(domains) + "]\n"
