"""Who is translated to whom in a stateless siitperf.conf: explicit mappings, or a prefix if the addresses say so."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from typing import Literal

from xlatperf.imports.bench_text import BenchText
from xlatperf.imports.siitperf_file import Side, SiitperfFile
from xlatperf.imports.varying import MOST_NETWORKS, Varying
from xlatperf.imports.well_known_prefix import usable_prefix
from xlatperf.technologies.translation_prefix import translation_prefix

Kind = Literal["Real", "Virt"]
Row = tuple[dict[str, str], str]


def siit(file: SiitperfFile, bench: BenchText) -> dict[Side, tuple[Varying, str]]:
    """The hosts of both sides by their IPv4 addresses, with the keys that have these. Raises ValueError."""
    six: Side = "left" if file.version("left") == 6 else "right"
    four: Side = "right" if six == "left" else "left"
    bench.key("ipv6_side", six, file.keys.origin("IP-L-Vers", "IP-R-Vers"))
    inside, rows = _mapped(file, six, "Virt", "Real")
    outside, their_rows = _mapped(file, four, "Real", "Virt")
    of_prefix = prefix_of(outside, file.varying(four, file.need(6, four, "Virt")))
    if of_prefix is None:
        rows += their_rows
    else:
        outside = replace(outside, one_by_one=False)
        write_prefix(bench, of_prefix, outside.base, file.keys.origin(file.name(6, four, "Virt")))
    bench.rows("eam", rows)
    return {six: (inside, file.name(4, six, "Virt")), four: (outside, file.name(4, four, "Real"))}


def _mapped(file: SiitperfFile, side: Side, ipv4: Kind, ipv6: Kind) -> tuple[Varying, list[Row]]:
    """The IPv4 addresses, and an explicit address mapping for each (RFC 7757 §3.2)."""
    ours = file.varying(side, file.need(4, side, ipv4))
    theirs = file.varying(side, file.need(6, side, ipv6))
    origin = file.keys.origin(file.name(4, side, ipv4), file.name(6, side, ipv6))
    count = min(MOST_NETWORKS, ours.count)
    return replace(ours, one_by_one=True), [
        ({"ipv4": f"{ours.address(index)}/32", "ipv6": f"{theirs.address(index)}/128"}, origin)
        for index in range(count)
    ]


def prefix_of(ipv4: Varying, ipv6: Varying) -> ipaddress.IPv6Network | None:
    """The /96 in which the IPv6 addresses have the IPv4 ones (RFC 6052 §2.2), if they have."""
    ends = (0, ipv4.count - 1)
    if any(int(ipv6.address(index)) & 0xFFFFFFFF != int(ipv4.address(index)) for index in ends):
        return None
    return prefix_96(ipv6.base)


def prefix_96(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> ipaddress.IPv6Network | None:
    """None: its bits 64 to 71 aren't zero (RFC 6052 §2.2)."""
    network = ipaddress.IPv6Network((int(address) >> 32 << 32, 96))
    try:
        translation_prefix(str(network))
    except ValueError:
        return None
    return network


def write_prefix(
    bench: BenchText,
    network: ipaddress.IPv6Network,
    of: ipaddress.IPv4Address | ipaddress.IPv6Address,
    origin: str,
) -> None:
    """`technology.prefix`: not the Well-Known Prefix for addresses that aren't global (RFC 6052 §3.1)."""
    prefix, why = usable_prefix(network, of)
    bench.key("prefix", prefix, f"{origin}: {why}" if why else origin)
