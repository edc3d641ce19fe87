"""siitperf's configuration: an SIIT, a router of IPv4 or IPv6, or a stateful NAT between the Tester's two ports."""

from __future__ import annotations

from xlatperf.imports import siitperf_stateful
from xlatperf.imports.bench_text import BenchText, Imported
from xlatperf.imports.command_line import command_line, directions
from xlatperf.imports.key_values import KeyValues
from xlatperf.imports.links import hosts
from xlatperf.imports.siitperf_file import SIDES, Side, SiitperfFile
from xlatperf.imports.siitperf_siit import siit
from xlatperf.imports.siitperf_tester import background, ports_of_frames, tester
from xlatperf.imports.varying import Varying

_NOT_NEEDED = ("Promisc", "MEM-Channels", "MAC-L-Tester", "MAC-R-Tester")
_OF_A_SIDE = ("Real", "Virt", "offset")


def siitperf(text: str, source: str) -> Imported:
    """Raises ValueError, which says the line, the value and what is allowed."""
    file = SiitperfFile(KeyValues.read(text))
    bench = BenchText(source)
    if file.stateful:
        siitperf_stateful.write(file, bench)
    else:
        _stateless(file, bench)
    file.keys.say_unused(bench, _NOT_NEEDED, [name for name in file.keys.values if _is_known(name)])
    return bench.done()


def _is_known(name: str) -> bool:
    """Whether some version of siitperf has it, other than those that are always asked for."""
    any_side = name.replace("-L-", "-X-").replace("-R-", "-X-").replace("Rev-", "Fwd-")
    return any_side in {
        *(f"IPv{version}-X-{kind}" for version in (4, 6) for kind in _OF_A_SIDE),
        *(f"IP-X-{kind}" for kind in ("var", "min", "max")),
        *(f"Fwd-{end}port-{limit}" for end in "sd" for limit in ("min", "max")),
        *("Fwd-var-sport", "Fwd-var-dport", "Num-X-Nets"),
        *("Stateful", "Enumerate-ports", "Enumerate-ips", "Responder-ports", "Responder-tuples"),
    }


def _stateless(file: SiitperfFile, bench: BenchText) -> None:
    versions = {side: file.version(side) for side in SIDES}
    versions_at = file.keys.origin("IP-L-Vers", "IP-R-Vers")
    translated = versions["left"] != versions["right"]
    on_link: dict[Side, tuple[Varying, str]] = {}
    for side, version in versions.items():
        real = file.varying(side, file.need(version, side, "Real"))
        on_link[side] = real, _origin(file, side, file.name(version, side, "Real"))
    if translated:
        bench.begin("A stateless translator (SIIT, RFC 7915)", "SIIT", "siit", versions_at)
        named = {side: (one, _origin(file, side, name)) for side, (one, name) in siit(file, bench).items()}
    else:
        words = f"IPv{versions['left']} forwarding"
        bench.begin(f"A router: {words}", words, "native", versions_at)
        bench.key("family", f"ipv{versions['left']}", versions_at)
        named = on_link
    tester(file, bench, on_link)
    bench.table("traffic")
    only_ipv4 = versions["left"] == versions["right"] == 4
    bench.key(
        "frame_size_of",
        "ipv4" if only_ipv4 else "ipv6",
        "siitperf's first argument: the size of IPv6 frames" + ("; these have 20 bytes less" if only_ipv4 else ""),
    )
    bench.key("mix", [[1, 1]], "siitperf's arguments n and m: [[m, n]]")
    for side, (one, origin) in named.items():
        hosts(bench, f"traffic.{side}.hosts", one, origin)
    background(file, bench)
    ports_of_frames(file, bench)
    command_line(bench, "throughput", "siitperf")
    directions(bench, file.keys, "siitperf", ("Forward", "Reverse"))


def _origin(file: SiitperfFile, side: Side, name: str) -> str:
    return ", ".join(filter(None, (file.keys.origin(name), file.origin_of_varying(side))))
