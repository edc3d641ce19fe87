"""Maptperf's and Mapperf's configuration: a MAP-T border relay, one domain."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import Any

from xlatperf.imports.bench_text import BenchText, Imported
from xlatperf.imports.command_line import command_line, directions
from xlatperf.imports.key_values import KeyValues
from xlatperf.imports.links import begin_side, hosts, link, own_cores
from xlatperf.imports.udp_ports import ORDERS, udp_ports
from xlatperf.imports.varying import Varying
from xlatperf.imports.well_known_prefix import usable_prefix

_CORES = ("CPU-FW-Send", "CPU-RV-Receive", "CPU-RV-Send", "CPU-FW-Receive")
"""Left sender, left receiver, right sender, right receiver."""
_ALSO = {
    **{
        f"{rule}-ipv{version}-{words}": f"{rule.upper()}-IPv{version}-Prefx-Length"
        for rule, version in (("bmr", 6), ("bmr", 4), ("dmr", 6))
        for words in ("prefix-length", "prefix-len", "prefx-len")
    },
    "bmr-ea-length": "BMR-EA-Len",
    "bmr-ea-bits-length": "BMR-EA-Len",
}
"""Other names of the same, in small letters."""
_NOT_NEEDED = ("Promisc", "Mem-Channels", "Tester-L-MAC", "Tester-R-MAC")


def maptperf(text: str, source: str) -> Imported:
    """Raises ValueError, which says the line, the value and what is allowed."""
    keys = KeyValues.read(text, _ALSO)
    bench = BenchText(source)
    bench.begin("A MAP-T border relay (RFC 7599)", "MAP-T border relay", "map-t", "Maptperf has no other")
    outside = keys.ipv4("Tester-R-IPv4")
    if outside is None:
        raise ValueError("Tester-R-IPv4: missing: the address of the host outside of the domain")
    _domain(keys, outside, bench)
    behind = {"left": keys.ipv6("Tester-L-IPv6"), "right": keys.ipv6("Tester-R-IPv6")}
    bench.table("tester")
    own_cores(bench, keys, _CORES)
    for side, letter in (("left", "L"), ("right", "R")):
        begin_side(bench, side, keys.get(f"DUT-{letter}-MAC"))
        if side == "right":
            link(bench, outside, None, keys.origin("Tester-R-IPv4"))
        address = behind[side]
        if address is not None:
            link(bench, address, None, keys.origin(f"Tester-{letter}-IPv6"))
    bench.table("traffic")
    bench.key("frame_size_of", "ipv6", "Maptperf's first argument: the size of IPv6 frames")
    bench.key("mix", [[1, 1]], "Maptperf's arguments n and m: [[m, n]]")
    hosts(bench, "traffic.right.hosts", Varying(outside), keys.origin("Tester-R-IPv4"))
    for side, address in behind.items():
        if address is not None and None not in behind.values():
            origin = keys.origin(f"Tester-{side[0].upper()}-IPv6")
            hosts(bench, f"traffic.{side}.background_hosts", Varying(address), origin)
    _ports(keys, bench)
    command_line(bench, "throughput", "maptperf")
    directions(bench, keys, "maptperf", ("FW", "RV"))
    of_background = [name for name in keys.values if name.startswith("bg-")]
    for name in of_background:
        bench.leave_out(keys.need(name).origin, "the background has the ports of the foreground", matters=False)
    keys.say_unused(bench, _NOT_NEEDED, ())
    return bench.done()


def _domain(keys: KeyValues, outside: IPv4Address, bench: BenchText) -> None:
    lengths = {name: keys.need(name) for name in ("BMR-IPv6-Prefx-Length", "BMR-IPv4-Prefx-Length")}
    ea_bits, ces = keys.need("BMR-EA-Len"), keys.need("NUM-OF-CEs")
    ipv6 = keys.need("BMR-IPv6-Prefix").network_ipv6(lengths["BMR-IPv6-Prefx-Length"].whole(0, 64))
    ipv4 = keys.need("BMR-IPv4-Prefix").network_ipv4(lengths["BMR-IPv4-Prefx-Length"].whole(0, 32))
    dmr = keys.need("DMR-IPv6-Prefix").network_ipv6(keys.need("DMR-IPv6-Prefx-Length").whole(0, 96))
    usable, why = usable_prefix(dmr, outside)
    of_dmr = keys.origin("DMR-IPv6-Prefix", "DMR-IPv6-Prefx-Length")
    bench.lines += ["", "[[technology.domains]]"]
    rows: tuple[tuple[str, Any, str], ...] = (
        ("ipv6", str(ipv6), keys.origin("BMR-IPv6-Prefix", "BMR-IPv6-Prefx-Length")),
        ("ipv4", str(ipv4), keys.origin("BMR-IPv4-Prefix", "BMR-IPv4-Prefx-Length")),
        ("ea_bits", ea_bits.whole(0, 48), ea_bits.origin),
        ("psid_offset", 0, "not in the file: each of Maptperf's CEs has one range of ports"),
        ("ces", ces.whole(1, 2**32 - 1), ces.origin),
        ("dmr", usable, f"{of_dmr}: {why}" if why else of_dmr),
    )
    for row in rows:
        bench.key(*row)


def _ports(keys: KeyValues, bench: BenchText) -> None:
    """Those of CEs are in their port sets: they have an order alone."""
    of_ces = (("forward.source_ports", "FW-var-sport"), ("reverse.destination_ports", "RV-var-dport"))
    for table, name in of_ces:
        found = keys.get(name)
        if found is not None:
            bench.table(f"traffic.{table}")
            bench.key("order", ORDERS[found.whole(0, 3)], f"{found.origin}, within the CE's port set")
    names = ("FW-var-dport", "FW-dport-min", "FW-dport-max")
    udp_ports(bench, keys, "traffic.forward.destination_ports", names)
    names = ("RV-var-sport", "RV-sport-min", "RV-sport-max")
    udp_ports(bench, keys, "traffic.reverse.source_ports", names)
