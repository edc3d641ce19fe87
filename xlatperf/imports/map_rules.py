"""A list of MAP rules (RFC 7597 §5, RFC 7599 §5): a border relay's domains."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, ip_address
from typing import Any

from xlatperf.imports.bench_text import BenchText, Imported
from xlatperf.imports.found import Found
from xlatperf.imports.javascript import is_javascript
from xlatperf.imports.links import hosts_outside, outside
from xlatperf.imports.map_lists import UNKNOWN, Row, csv_rows, json_rows, missing_of
from xlatperf.imports.well_known_prefix import usable_prefix
from xlatperf.keys.not_allowed import refuse
from xlatperf.technologies.map_e import MAP_E_BEYOND_RULE
from xlatperf.technologies.map_t import MAP_T_BEYOND_RULE
from xlatperf.technologies.mapping_rule import MOST_DOMAINS

_BEYOND = {"map-e": "br", "map-t": "dmr"}
_USUAL = {**MAP_E_BEYOND_RULE, **MAP_T_BEYOND_RULE}
_OTHERS = ("lw4o6", "lw406", "ds-lite", "dslite")
_VALUE = re.compile(r"(0x)?[0-9]+|[0-9a-fA-F:.]*[:.][0-9a-fA-F:.]*(/[0-9]+)?")
_OFFSET_OF_DRAFTS = 4
_TITLES = {"map-e": "MAP-E (RFC 7597)", "map-t": "MAP-T (RFC 7599)"}


def map_rules(text: str, source: str, technology: str | None) -> Imported:
    """`technology`: map-e or map-t; None: map-t if a rule has a DMR, else map-e. Raises ValueError."""
    rows = list(json_rows(text) if is_javascript(text) else csv_rows(text))
    if not rows:
        raise ValueError("missing: it has no rule")
    technology, origin = (technology, "not in the file: --technology") if technology else _technology(rows)
    bench = BenchText(source)
    bench.begin(f"A border relay of {_TITLES[technology]}", f"{technology.upper()} border relay", technology, origin)
    if len(rows) > MOST_DOMAINS:
        bench.leave_out(f"rules {MOST_DOMAINS + 1} to {len(rows)}", f"a bench file has at most {MOST_DOMAINS} domains")
    for row in rows[:MOST_DOMAINS]:
        if missing_of(row):
            raise ValueError(f"{_where(list(row.values()))}: missing: {', '.join(missing_of(row))}")
    hosts = outside([row["ipv4"].network_ipv4(_length(row, "ipv4", 32)) for row in rows[:MOST_DOMAINS]])
    bench.rows("domains", (_domain(row, technology, hosts, bench) for row in rows[:MOST_DOMAINS]))
    _say_unknown(rows[:MOST_DOMAINS], bench)
    beyond = _BEYOND[technology]
    without = sum(beyond not in row for row in rows[:MOST_DOMAINS])
    if without:
        why = f"not in the file; the bench file has {_USUAL[beyond]} in its place"
        bench.leave_out(f"{beyond} of {without} rules", why)
    hosts_outside(bench, hosts)
    bench.measure("throughput", "not in the file")
    return bench.done()


def _technology(rows: Sequence[Row]) -> tuple[str, str]:
    """And where it's from."""
    for row in rows:
        kind = row.get("type")
        if kind is not None and kind.text.lower() in (*_BEYOND, *_OTHERS):
            if kind.text.lower() in _OTHERS:
                refuse(kind.origin, kind.text, f"{' or '.join(_BEYOND)}: this is a list of MAP rules")
            return kind.text.lower(), kind.origin
    if any("dmr" in row for row in rows):
        return "map-t", "not in the file: a rule has a DMR"
    return "map-e", "not in the file: no rule has a DMR"


def _say_unknown(rows: Sequence[Row], bench: BenchText) -> None:
    """Names that are none of ours; a text is a remark, a number or an address may be part of the rule."""
    matters: dict[str, bool] = {}
    for row in rows:
        for name, found in row.items():
            if name.startswith(UNKNOWN):
                own = name.removeprefix(UNKNOWN)
                matters[own] = matters.get(own, False) or bool(_VALUE.fullmatch(found.text))
    for name, so in matters.items():
        bench.leave_out(name, "no value of a rule that is known here", matters=so)


def _domain(row: Row, technology: str, hosts: IPv4Network, bench: BenchText) -> tuple[dict[str, Any], str]:
    """A row of `technology.domains`, and where it's from. `hosts`: who is outside of all of them."""
    where = _where(list(row.values()))
    ipv6 = row["ipv6"].network_ipv6(_length(row, "ipv6", 64))
    ipv4 = row["ipv4"].network_ipv4(_length(row, "ipv4", 32))
    domain: dict[str, Any] = {"ipv6": str(ipv6), "ipv4": str(ipv4), "ea_bits": row["ea_bits"].whole(0, 48)}
    said = [
        f"{name} is {row[name].text} there: the bits beyond its length are dropped"
        for name, network in (("ipv6", ipv6), ("ipv4", ipv4))
        if ip_address(row[name].text.partition("/")[0]) != network.network_address
    ]
    if "psid_offset" in row:
        domain["psid_offset"] = row["psid_offset"].whole(0, 15)
    else:
        said.append("psid_offset isn't there: 6 (RFC 7597 §5.1)")
    if "interface_identifier" in row:
        domain["interface_identifier"] = _identifier(row["interface_identifier"])
    elif technology == "map-e" and domain.get("psid_offset") == _OFFSET_OF_DRAFTS:
        said.append("interface_identifier isn't there: rfc7597; providers with this offset often have draft-03's")
    if "psid_length" in row:
        _check_psid_length(row, ipv4.prefixlen, domain)
    beyond = _BEYOND[technology]
    other = "dmr" if beyond == "br" else "br"
    if beyond not in row:
        domain[beyond] = _USUAL[beyond]
    elif beyond == "br":
        domain["br"] = str(row["br"].ipv6())
    else:
        domain["dmr"], why = usable_prefix(row["dmr"].network_ipv6(), hosts)
        said += [f"dmr {why}"] if why else []
    if other in row:
        bench.leave_out(row[other].name, f"{technology} has none", matters=False)
    return domain, "; ".join([where, *said])


_IDENTIFIERS = {
    **dict.fromkeys(("0", "false", "no", "off", "rfc7597"), "rfc7597"),
    **dict.fromkeys(("1", "true", "yes", "on", "draft-03", "draft03"), "draft-03"),
}
"""OpenWrt's `legacymap` says whether it is the draft's."""


def _identifier(found: Found) -> str:
    known = _IDENTIFIERS.get(found.text.lower())
    if known is None:
        refuse(found.origin, found.text, "rfc7597 (0) or draft-03 (1)")
    return known


def _where(found: Sequence[Found]) -> str:
    first = found[0] if found else None
    if first is None:
        return "a rule"
    return f"line {first.line}" if first.line else first.name.partition(",")[0]


def _length(row: Row, name: str, most: int) -> int | None:
    found = row.get(f"{name}_length")
    if found is not None and "/" not in row[name].text:
        return found.whole(0, most)
    if found is not None and row[name].text.partition("/")[2] != str(found.whole(0, most)):
        refuse(found.origin, found.text, f"the length of {row[name].text}")
    if "/" not in row[name].text:
        raise ValueError(f"{_where([row[name]])}: missing: the length of the {name} prefix")
    return None


def _check_psid_length(row: Row, ipv4_length: int, domain: dict[str, Any]) -> None:
    """It follows from the EA bits, where these have a PSID; without, it's the rule's own (RFC 7597 §5.2)."""
    found = row["psid_length"]
    length = found.whole(0, 16)
    of_ea = max(0, domain["ea_bits"] - (32 - ipv4_length))
    if of_ea and length != of_ea:
        refuse(found.origin, length, f"{of_ea}: the EA bits behind the IPv4 suffix")
    if not of_ea and length and "psid" in row:
        domain |= {"psid": row["psid"].whole(0, 65535), "psid_length": length}
