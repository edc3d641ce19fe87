"""Jool's explicit address mappings: what `jool_siit eamt display --csv` writes (RFC 7757)."""

from __future__ import annotations

import ipaddress

from xlatperf.imports.bench_text import BenchText, Imported
from xlatperf.imports.found import Found, numbered
from xlatperf.imports.links import hosts_outside, outside
from xlatperf.imports.varying import MOST_NETWORKS
from xlatperf.keys.not_allowed import refuse

HEADER = "IPv6 Prefix,IPv4 Prefix"
Row = tuple[ipaddress.IPv4Network, ipaddress.IPv6Network, int]
"""A mapping, and the line that has it."""


def jool_eamt(text: str, source: str) -> Imported:
    """Raises ValueError, which says the line, the value and what is allowed."""
    rows: list[Row] = []
    for number, line in numbered(text):
        fields = [one.strip() for one in line.split(",")]
        if not any(fields) or line.strip() == HEADER:
            continue
        if len(fields) != 2:
            refuse(f"line {number}", line, f"two prefixes, as in `{HEADER}`")
        fields.sort(key=lambda one: ":" in one)  # some versions have them the other way round
        ipv4, ipv6 = (Found("mapping", one, number) for one in fields)
        rows.append((ipv4.network_ipv4(), ipv6.network_ipv6(), number))
    if not rows:
        raise ValueError("missing: it has no mapping")
    bench = BenchText(source)
    what = "A stateless translator (SIIT, RFC 7915) with explicit address mappings (RFC 7757)"
    bench.begin(what, "SIIT", "siit", "Jool's mappings are a stateless translator's")
    bench.key("ipv6_side", "left", "not in the file: the mapped hosts are on the left")
    bench.rows(
        "eam",
        (({"ipv4": str(ipv4), "ipv6": str(ipv6)}, f"line {number}") for ipv4, ipv6, number in rows),
    )
    bench.leave_out("pool6", "Jool's prefix isn't in this list: technology.prefix is xlatperf's own", matters=True)
    bench.table("traffic")
    bench.key("frame_size_of", "ipv6", "not in the file")
    _hosts(bench, sorted(rows))
    hosts_outside(bench, outside([ipv4 for ipv4, _, _ in rows]))
    bench.measure("throughput", "not in the file")
    return bench.done()


def _hosts(bench: BenchText, rows: list[Row]) -> None:
    """Of the longest run of mappings that follow each other; a wide one has /24 networks."""
    runs: list[list[Row]] = []
    for row in rows:
        before = runs[-1][-1][0] if runs else None
        if before is not None and row[0].prefixlen == before.prefixlen and row[0][0] == before[-1] + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    best = max(runs, key=lambda run: len(run) * run[0][0].num_addresses)
    first = best[0][0]
    length = max(24, first.prefixlen)
    networks = min(MOST_NETWORKS, len(best) << length - first.prefixlen)
    within = 2 if length <= 29 else 1 if length <= 30 else 0
    lines = ", ".join(f"line {number}" for _, _, number in best[:3]) + (" ..." if len(best) > 3 else "")
    bench.table("traffic.left.hosts")
    bench.key("prefix", f"{first.network_address}/{length}", lines)
    bench.key("networks", networks, lines)
    bench.key("host", within, "not in the file")
    if len(best) < len(rows):
        bench.leave_out(f"{len(rows) - len(best)} mappings", "translated, but no frame is sent to them", matters=False)
