"""What a CE or an lwB4 has: its end of the tunnel, and ports of a shared public address (RFC 7597, RFC 7596)."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from xlatperf.devices.binding_formats import Row
from xlatperf.devices.device import DeviceError
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.keys.port_set import port_set


@dataclass(frozen=True)
class SharedAddress:
    """`ports`: all of its ranges, in order."""

    tunnel: ipaddress.IPv6Address
    address: ipaddress.IPv4Address
    ports: tuple[range, ...]

    @classmethod
    def of_ce(cls, domain: Mapping[str, Any]) -> Self:
        """Of the CE that `technology.domains` names by its EA bits (RFC 7597 §5.1, §5.2, §6)."""
        rule, shared = ipaddress.IPv6Network(domain["ipv6"]), ipaddress.IPv4Network(domain["ipv4"])
        suffix_bits = 32 - shared.prefixlen
        if domain.get("psid_length"):
            length, psid, suffix = domain["psid_length"], domain["psid"], domain["ea"]
        else:
            length = domain["ea_bits"] - suffix_bits
            psid, suffix = domain["ea"] & ((1 << length) - 1), domain["ea"] >> length
        address = int(shared.network_address) + suffix
        return cls(
            _tunnel(rule, domain["ea_bits"], domain["ea"], (address << 16 | psid) << _behind_psid(domain)),
            ipaddress.IPv4Address(address),
            port_set(domain["psid_offset"], length, psid),
        )

    @classmethod
    def of_each_ce(cls, domain: Mapping[str, Any]) -> Iterator[Self]:
        """Of all that the rule can have, whichever of them send."""
        return (cls.of_ce({**domain, "ea": ea}) for ea in range(1 << domain["ea_bits"]))

    @classmethod
    def of_ces(cls, domains: Sequence[Mapping[str, Any]], most: int, why: str) -> list[tuple[Mapping[str, Any], Self]]:
        """Of all domains, each with its domain. `why` there are at most `most`. Raises DeviceError for more."""
        if sum(1 << domain["ea_bits"] for domain in domains) > most:
            allowed = f"for the CEs of all domains together, at most {most}, {why}"
            wide = max(range(len(domains)), key=lambda index: domains[index]["ea_bits"])
            place = f"technology.domains[{wide}].ea_bits"
            raise DeviceError(not_allowed(place, domains[wide]["ea_bits"], allowed))
        return [(domain, shared) for domain in domains for shared in cls.of_each_ce(domain)]

    @property
    def alone(self) -> bool:
        """Nobody else has the address: it gets also what has no ports."""
        return self.ports == (range(1 << 16),)

    @classmethod
    def of_lwb4(cls, softwires: Mapping[str, Any]) -> Self:
        """Of the softwire with the number that `technology.softwires` names. Raises DeviceError for one of a file."""
        if "ipv6" not in softwires:
            raise DeviceError(not_allowed("technology.softwires.table", "a file", "ipv6, ipv4, psid_length and number"))
        bits = 32 - ipaddress.IPv4Network(softwires["ipv4"]).prefixlen + softwires["psid_length"]
        offset = softwires.get("psid_offset", 0)
        return cls.of_ce(
            {**softwires, "psid_offset": offset, "ea_bits": bits, "ea": softwires["number"], "psid_length": 0}
        )

    @classmethod
    def of_row(cls, row: Row) -> Self:
        """Of a softwire of the engine's table, whose addresses are there already."""
        return cls(
            ipaddress.IPv6Address(row.ipv6),
            ipaddress.IPv4Address(row.ipv4),
            port_set(int(row.psid_offset), int(row.psid_length), int(row.psid)),
        )


def _behind_psid(domain: Mapping[str, Any]) -> int:
    """Bits of the interface identifier: none in RFC 7597 §6, 8 in draft-ietf-softwire-map-03."""
    return 8 if domain.get("interface_identifier") == "draft-03" else 0


def _tunnel(rule: ipaddress.IPv6Network, ea_bits: int, ea: int, identifier: int) -> ipaddress.IPv6Address:
    """RFC 7597 §6: the interface identifier is zero bits, the IPv4 address, the PSID; a longer prefix covers it."""
    length = rule.prefixlen + ea_bits
    prefix = int(rule.network_address) | ea << (128 - length)
    return ipaddress.IPv6Address(prefix | identifier & ((1 << min(64, 128 - length)) - 1))
