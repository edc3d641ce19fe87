"""MAP-E, MAP-T (RFC 7597, RFC 7599: the border relay) and Lw4o6 (RFC 7596: the lwAFTR) as VPP's plugin `map` has them.

`map add domain` says nothing where it adds none, and numbers domains itself: what became of it is read from
`show map domain`.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from xlatperf.devices.binding_formats import MapDomain, map_domains_of, rows_of
from xlatperf.devices.device import Plan
from xlatperf.devices.vpp.command import Command, command
from xlatperf.devices.vpp.links import Interfaces
from xlatperf.lab.error import LabError
from xlatperf.lab.vpp_changes import Undo

_LISTING = "show map domain"
_LINE = re.compile(
    r"\[(?P<index>\d+)\].*? ip4-pfx (?P<ip4>\S+) ip6-pfx (?P<ip6>\S+) ip6-src (?P<src>\S+) ea-bits-len (?P<ea>\d+) "
    r"psid-offset (?P<offset>\d+) psid-len (?P<psid>\d+)"
)


def domains(plan: Plan) -> list[MapDomain]:
    """What the technology's rules, or its binding table, are in VPP's words."""
    if plan.technology["name"] == "lw4o6":
        if plan.softwires is None:
            raise LabError("the binding table isn't there")
        with plan.softwires.open(encoding="utf-8") as table:
            return list(map_domains_of(rows_of(table)))
    return [_of_rule(domain) for domain in plan.technology["domains"]]


def _of_rule(domain: Mapping[str, Any]) -> MapDomain:
    shared = ipaddress.IPv4Network(domain["ipv4"])
    psid_bits = max(0, shared.prefixlen + domain["ea_bits"] - 32)
    source = domain["dmr"] if "dmr" in domain else f"{domain['br']}/128"
    offset = domain["psid_offset"] if psid_bits else 0
    return MapDomain(domain["ipv4"], domain["ipv6"], source, domain["ea_bits"], offset, psid_bits)


def add(all_of_them: Iterable[MapDomain]) -> Iterator[Command]:
    """Without the rules of single PSIDs, for which the numbers of domains have to be known."""
    for one in all_of_them:
        line = rf"\[(\d+)\].* ip4-pfx {re.escape(one.ip4)} "
        yield Command(f"map add domain {one.text}", Undo("map del domain index {0}", _LISTING, line))


def rules(all_of_them: Iterable[MapDomain], ask: Callable[[str], str]) -> Iterator[Command]:
    """Of the domains that have become what they were to be. Raises LabError."""
    wanted = list(all_of_them)
    there = {_key(*found): index for index, *found in _listed(ask(_LISTING))}
    for one in wanted:
        index = there.get(
            _key(one.ip4, one.ip6, one.source, str(one.ea_bits), str(one.psid_offset), str(one.psid_bits))
        )
        if index is None:
            raise LabError(f"VPP has not added a domain: `map add domain {one.text}` was given, and isn't listed")
        for psid, end in one.rules:
            yield command(f"map add rule index {index} psid {psid} ip6-dst {end}")


def on(interfaces: Interfaces, technology: str) -> Iterator[Command]:
    """Encapsulates, or translates, on both."""
    kind = " map-t" if technology == "map-t" else ""
    for name in (interfaces.left, interfaces.right):
        yield command(f"map interface {name}{kind}", f"map interface {name}{kind} del")


def none_there(answer: str) -> bool:
    """Of `show map domain`: nothing of somebody else's."""
    return next(_listed(answer), None) is None


def _listed(answer: str) -> Iterator[tuple[str, str, str, str, str, str, str]]:
    for line in answer.splitlines():
        if (found := _LINE.match(line)) is not None:
            index, ip4, ip6, source, ea_bits, offset, psid_bits = found.groups()
            yield index, ip4, ip6, source, ea_bits, offset, psid_bits


def _key(ip4: str, ip6: str, source: str, ea_bits: str, offset: str, psid_bits: str) -> tuple[object, ...]:
    """However the addresses are written."""
    networks = (ipaddress.ip_network(text, strict=False) for text in (ip4, ip6, source))
    return *networks, ea_bits, offset, psid_bits
