"""What VPP can't do, or does otherwise than the standards, of what a bench file asks for.

Seen with VPP 25 and 26, and read in its documentation (FEATURE.yaml of the plugins). Said before anything is sent.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Any

from xlatperf.devices.device import DeviceError, Plan
from xlatperf.keys.not_allowed import not_allowed, toml

TECHNOLOGIES = ("native", "map-e", "map-t", "lw4o6", "dslite", "nat44", "nat64")
SESSIONS_PER_B4 = 1000
_BITS = 64
_ROLES = {"map-e": "br", "map-t": "br", "lw4o6": "lwaftr"}
_FIRST_PORT, _LAST_PORT = 1024, 65535


def knows(technology: Mapping[str, Any]) -> bool:
    """Whether VPP does that at all."""
    name = technology["name"]
    return name in TECHNOLOGIES and technology.get("role") == _ROLES.get(name)


def refuse(technology: Mapping[str, Any]) -> None:
    """What VPP can't be told. Raises DeviceError."""
    name = technology["name"]
    if name not in TECHNOLOGIES:
        raise DeviceError(not_allowed("technology.name", toml(name), f"with the driver vpp {', '.join(TECHNOLOGIES)}"))
    if (role := technology.get("role")) != _ROLES.get(name):
        raise DeviceError(not_allowed("technology.role", toml(role), f"{_ROLES[name]}: VPP is no other part of {name}"))
    if technology.get("double_translation"):
        raise DeviceError(not_allowed("technology.double_translation", "true", "false: VPP is one device"))
    for index, domain in enumerate(technology.get("domains", ())):
        _refuse_domain(f"technology.domains[{index}]", domain)
    pool = technology.get("pool")
    if pool is not None and pool["psid_length"]:
        allowed = "0: VPP's pools have whole addresses"
        raise DeviceError(not_allowed("technology.pool.psid_length", pool["psid_length"], allowed))


def _refuse_domain(place: str, domain: Mapping[str, Any]) -> None:
    rule = ipaddress.IPv6Network(domain["ipv6"])
    if rule.prefixlen + domain["ea_bits"] > _BITS:
        allowed = f"0 to {_BITS - rule.prefixlen}: VPP takes EA bits from the first {_BITS} bits of an address"
        raise DeviceError(not_allowed(f"{place}.ea_bits", domain["ea_bits"], allowed))
    if domain.get("psid_length"):
        allowed = "0: VPP takes the PSID from the EA bits"
        raise DeviceError(not_allowed(f"{place}.psid_length", domain["psid_length"], allowed))


def said(plan: Plan, sessions: int) -> list[str]:
    """What will show in the results, each in a line. `sessions`: that VPP has room for."""
    return [f"VPP: {line}" for line in _said(plan, sessions)]


def _said(plan: Plan, sessions: int) -> Iterator[str]:
    technology, connections = plan.technology, plan.connections
    name = technology["name"]
    for domain in technology.get("domains", ()):
        yield from _of_domain(name, domain)
    pool = technology.get("pool")
    if pool is not None and (pool["first_port"] > _FIRST_PORT or pool["last_port"] < _LAST_PORT):
        yield (
            f"it takes ports {_FIRST_PORT} to {_LAST_PORT} of the pool: others than technology.pool's "
            f"{pool['first_port']} to {pool['last_port']} are wrong"
        )
    if name == "dslite":
        b4s = technology["b4s"]["count"]
        if connections > b4s * SESSIONS_PER_B4:
            yield (
                f"it keeps {SESSIONS_PER_B4:,} sessions per B4, {b4s * SESSIONS_PER_B4:,} of {b4s:,} B4s: with "
                f"{connections:,} connections it forgets some"
            )
        yield "it doesn't decrement the inner TTL"
    elif name == "nat44" and connections > sessions:
        yield (
            f"it has room for {sessions:,} sessions (device.table_size): with {connections:,} connections it forgets "
            "some"
        )
    elif name == "nat64":
        yield "it translates what has another prefix of its length as well, and swallows native IPv6"


def _of_domain(name: str, domain: Mapping[str, Any]) -> Iterator[str]:
    rule = ipaddress.IPv6Network(domain["ipv6"])
    if domain.get("interface_identifier", "rfc7597") != "rfc7597":
        yield f"it makes the interface identifiers of RFC 7597, not those of {domain['interface_identifier']}"
    if name != "map-t":
        return
    if rule.prefixlen % 8:
        yield f"it loses packets from CEs whose rule prefix ({rule}) isn't a multiple of 8 bits long"
    dmr = ipaddress.IPv6Network(domain["dmr"])
    if dmr.prefixlen not in (64, 96):
        yield f"it knows default mapping rules of 64 and 96 bits, not {dmr} (RFC 7599 §5.1 has all of RFC 6052 §2.2)"
