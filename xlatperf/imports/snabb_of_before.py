"""Snabb's lwAFTR before its YANG schema: `aftr_ipv6_ip = ...` and a binding table in a file of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping

from xlatperf.imports.bench_text import BenchText
from xlatperf.imports.found import Found, numbered
from xlatperf.imports.snabb_interfaces import Interface, Interfaces
from xlatperf.imports.softwire_rows import SharedAddresses, Sharing, Softwire, port_set
from xlatperf.imports.statements import Statement, parse_statements
from xlatperf.keys.not_allowed import refuse

_LINE = re.compile(r"^\s*([a-z0-9_]+)\s*=\s*(.*?)\s*,?\s*$")
_FILTERS = ("ipv4_ingress_filter", "ipv4_egress_filter", "ipv6_ingress_filter", "ipv6_egress_filter")


def settings_of_before(text: str) -> dict[str, Found] | None:
    """None: it isn't that configuration, which names the file of its binding table."""
    settings: dict[str, Found] = {}
    for number, line in numbered(text):
        match = _LINE.match(line.partition("#")[0])
        if match is not None:
            settings[match[1]] = Found(match[1], match[2].strip("\"'"), number)
    return settings if "binding_table" in settings else None


def interfaces_of_before(settings: Mapping[str, Found], bench: BenchText) -> Interfaces:
    """Also says what isn't taken over."""
    tagged = settings.get("vlan_tagging")
    vlans = settings if tagged is not None and tagged.text == "true" else {}
    for name in _FILTERS:
        if name in settings:
            bench.leave_out(settings[name].origin, "a bench file has no such thing")
    return {
        "left": Interface(
            settings.get("aftr_ipv6_ip"),
            settings.get("aftr_mac_b4_side"),
            settings.get("next_hop_ipv6_addr"),
            vlans.get("v6_vlan_tag"),
        ),
        "right": Interface(
            settings.get("aftr_ipv4_ip"),
            settings.get("aftr_mac_inet_side"),
            settings.get("next_hop_ipv4_addr"),
            vlans.get("v4_vlan_tag"),
        ),
    }


def binding_table_of_before(text: str) -> list[Softwire]:
    """Of `psid_map`, `br_addresses` and `softwires`. Raises ValueError."""
    whole = parse_statements(text)
    parts = {name: whole.one(name) for name in ("psid_map", "br_addresses", "softwires")}
    if parts["softwires"] is None:
        raise ValueError("softwires: missing: it has no binding-table and none of the older format")
    shared = Sharing(() if parts["psid_map"] is None else _shared(parts["psid_map"]))
    routers = [] if parts["br_addresses"] is None else _routers(parts["br_addresses"])
    return [_softwire(one, shared, routers) for one in parts["softwires"].inside]


def _words(statement: Statement) -> list[str]:
    """`name` and `values`, which commas separate."""
    words = " ".join([statement.name, *statement.values]).split(",")
    return [word for word in (one.strip() for one in words) if word]


def _pairs(statement: Statement) -> dict[str, Found]:
    """`ipv4=192.0.2.1, psid=80`, inside of braces."""
    pairs: dict[str, Found] = {}
    for one in statement.inside:
        for word in _words(one):
            name, _, value = (part.strip() for part in word.partition("="))
            pairs[name] = Found(name, value, one.line)
    return pairs


def _routers(statement: Statement) -> list[Found]:
    return [Found("br_addresses", word, one.line) for one in statement.inside for word in _words(one)]


def _shared(statement: Statement) -> list[SharedAddresses]:
    shared: list[SharedAddresses] = []
    for one in statement.inside:
        pairs = _pairs(one)
        length, shift = pairs.get("psid_length"), pairs.get("shift")
        bits = length.whole(0, 16) if length is not None else 16 - (shift.whole(0, 16) if shift is not None else 16)
        if shift is not None and shift.whole(0, 16) != 16 - bits:
            refuse(shift.origin, shift.text, f"{16 - bits}, which with psid_length makes 16")
        for word in _words(one):
            first, _, last = word.partition("-")
            low = Found("psid_map", first, one.line).ipv4()
            high = Found("psid_map", last, one.line).ipv4() if last else low
            shared.append(SharedAddresses(low, high, port_set(bits, 0, f"line {one.line}: psid_length")))
    return shared


def _softwire(one: Statement, shared: Sharing, routers: list[Found]) -> Softwire:
    pairs = _pairs(one)
    for name in ("ipv4", "b4"):
        if name not in pairs:
            raise ValueError(f"line {one.line}: {name}: missing: each softwire has it")
    ipv4 = pairs["ipv4"].ipv4()
    ports = shared.of(ipv4, f"line {one.line}: psid_map")
    index = pairs["aftr"].whole(0, max(0, len(routers) - 1)) if "aftr" in pairs else 0
    if not routers:
        raise ValueError(f"line {one.line}: br_addresses: missing: there is none")
    psid = pairs["psid"].whole(0, 65535) if "psid" in pairs else 0
    return Softwire(pairs["b4"].ipv6(), ipv4, psid, ports, routers[index].ipv6(), one.line)
