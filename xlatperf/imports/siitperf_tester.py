"""The Tester's part of a bench file from a siitperf.conf: cores, ports, links, background, UDP ports of test frames."""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.imports.bench_text import BenchText
from xlatperf.imports.links import begin_side, hosts, link, own_cores
from xlatperf.imports.siitperf_file import SIDES, Direction, Side, SiitperfFile
from xlatperf.imports.udp_ports import udp_ports
from xlatperf.imports.varying import Varying


def tester(file: SiitperfFile, bench: BenchText, hosts_of: Mapping[Side, tuple[Varying, str]]) -> dict[Side, str]:
    """`hosts_of`: those that the DUT's link of a side holds, and where they are from. The DUT's addresses there."""
    gateways: dict[Side, str] = {}
    bench.table("tester")
    own_cores(bench, file.keys, [f"CPU-{file.letter(side)}-{what}" for side in SIDES for what in ("Send", "Recv")])
    for side in SIDES:
        begin_side(bench, side, file.keys.get(f"MAC-{file.letter(side)}-DUT"))
        varying, origin = hosts_of[side]
        version = file.version(side)
        gateways[side] = link(bench, file.find(version, side, "Real") or varying.base, varying, origin)
        behind = file.find(6, side, "Real")
        if version == 4 and behind is not None:
            link(bench, behind, None, file.keys.origin(file.name(6, side, "Real")))
    return gateways


def background(file: SiitperfFile, bench: BenchText) -> None:
    """Native IPv6 beside the foreground, between the IPv6 addresses of the Tester's two ports."""
    both = {side: file.find(6, side, "Real") for side in SIDES}
    if None in both.values():
        return
    for side, address in both.items():
        if address is not None:
            origin = file.keys.origin(file.name(6, side, "Real"))
            hosts(bench, f"traffic.{side}.background_hosts", Varying(address), origin)


def ports_of_frames(file: SiitperfFile, bench: BenchText) -> None:
    """Of both directions."""
    directions: tuple[Direction, ...] = ("forward", "reverse")
    for direction in directions:
        theirs = "Fwd" if file.is_forward(direction) else "Rev"
        for letter, end in (("s", "source"), ("d", "destination")):
            names = (f"{theirs}-var-{letter}port", f"{theirs}-{letter}port-min", f"{theirs}-{letter}port-max")
            udp_ports(bench, file.keys, f"traffic.{direction}.{end}_ports", names)
