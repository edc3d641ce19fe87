"""A list of MAP rules (RFC 7597 §5, RFC 7599 §5): a border relay's domains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xlatperf.imports.bench_text import BenchText, Imported
from xlatperf.imports.found import Found
from xlatperf.imports.links import hosts_outside
from xlatperf.imports.map_lists import Row, csv_rows, is_json, json_rows, missing_of
from xlatperf.keys.not_allowed import refuse
from xlatperf.technologies.map_e import MAP_E_BEYOND_RULE
from xlatperf.technologies.map_t import MAP_T_BEYOND_RULE
from xlatperf.technologies.mapping_rule import MOST_DOMAINS

_BEYOND = {"map-e": "br", "map-t": "dmr"}
_USUAL = {**MAP_E_BEYOND_RULE, **MAP_T_BEYOND_RULE}
_TITLES = {"map-e": "MAP-E (RFC 7597)", "map-t": "MAP-T (RFC 7599)"}


def map_rules(text: str, source: str, technology: str | None) -> Imported:
    """`technology`: map-e or map-t; None: map-t if a rule has a DMR, else map-e. Raises ValueError."""
    rows = list(json_rows(text) if is_json(text) else csv_rows(text))
    if not rows:
        raise ValueError("missing: it has no rule")
    if technology is None:
        technology = "map-t" if any("dmr" in row for row in rows) else "map-e"
        origin = "not in the file: a rule has a DMR" if technology == "map-t" else "not in the file: no rule has a DMR"
    else:
        origin = "not in the file: --technology"
    bench = BenchText(source)
    bench.begin(f"A border relay of {_TITLES[technology]}", f"{technology.upper()} border relay", technology, origin)
    if len(rows) > MOST_DOMAINS:
        bench.leave_out(f"rules {MOST_DOMAINS + 1} to {len(rows)}", f"a bench file has at most {MOST_DOMAINS} domains")
    bench.rows("domains", (_domain(row, technology, bench) for row in rows[:MOST_DOMAINS]))
    beyond = _BEYOND[technology]
    without = sum(beyond not in row for row in rows[:MOST_DOMAINS])
    if without:
        why = f"not in the file; the bench file has {_USUAL[beyond]} in its place"
        bench.leave_out(f"{beyond} of {without} rules", why)
    hosts_outside(bench, [row["ipv4"].network_ipv4(_length(row, "ipv4", 32)) for row in rows[:MOST_DOMAINS]])
    bench.measure("throughput", "not in the file")
    return bench.done()


def _domain(row: Row, technology: str, bench: BenchText) -> tuple[dict[str, Any], str]:
    """A row of `technology.domains`, and where it's from."""
    where = _where(list(row.values()))
    if missing_of(row):
        raise ValueError(f"{where}: missing: {', '.join(missing_of(row))}")
    ipv6 = row["ipv6"].network_ipv6(_length(row, "ipv6", 64))
    ipv4 = row["ipv4"].network_ipv4(_length(row, "ipv4", 32))
    domain: dict[str, Any] = {"ipv6": str(ipv6), "ipv4": str(ipv4), "ea_bits": row["ea_bits"].whole(0, 48)}
    said: list[str] = []
    if "psid_offset" in row:
        domain["psid_offset"] = row["psid_offset"].whole(0, 15)
    else:
        said.append("psid_offset isn't there: 6 (RFC 7597 §5.1)")
    if "interface_identifier" in row:
        domain["interface_identifier"] = _identifier(row["interface_identifier"])
    if "psid_length" in row:
        _check_psid_length(row, ipv4.prefixlen, domain)
    beyond = _BEYOND[technology]
    other = "dmr" if beyond == "br" else "br"
    if beyond not in row:
        domain[beyond] = _USUAL[beyond]
    elif beyond == "br":
        domain["br"] = str(row["br"].ipv6())
    else:
        domain["dmr"] = str(row["dmr"].network_ipv6())
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
    if "/" not in row[name].text:
        raise ValueError(f"{_where([row[name]])}: missing: the length of the {name} prefix")
    return None


def _check_psid_length(row: Row, ipv4_length: int, domain: dict[str, Any]) -> None:
    """It follows from the EA bits, where these have a PSID; without, it's the rule's own (RFC 7597 §5.2)."""
    found = row["psid_length"]
    length = found.whole(0, 16)
    of_ea = max(0, domain["ea_bits"] - (32 - ipv4_length))
    if of_ea and length != of_ea:
        refuse(f"{_where([found])}: {found.name}", length, f"{of_ea}: the EA bits behind the IPv4 suffix")
    if not of_ea and length and "psid" in row:
        domain |= {"psid": row["psid"].whole(0, 65535), "psid_length": length}
