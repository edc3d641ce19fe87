"""A siitperf.conf with an Initiator and a Responder: NAT44, NAT64 or NAT66 (RFC 9693)."""

from __future__ import annotations

import ipaddress

from xlatperf.imports.bench_text import BenchText
from xlatperf.imports.command_line import command_line, directions
from xlatperf.imports.siitperf_file import SIDES, Side, SiitperfFile
from xlatperf.imports.siitperf_siit import prefix_96, write_prefix
from xlatperf.imports.siitperf_tester import background, tester
from xlatperf.imports.udp_ports import FIXED_DESTINATION, FIXED_SOURCE, ORDERS
from xlatperf.imports.varying import Varying
from xlatperf.keys.not_allowed import refuse

_NAMES = {(4, 4): "nat44", (6, 4): "nat64", (6, 6): "nat66"}
_USUAL_CONNECTIONS = 10_000


def write(file: SiitperfFile, bench: BenchText) -> None:
    """Raises ValueError."""
    versions = (file.version("left"), file.version("right"))
    if versions not in _NAMES:
        name = f"IP-{file.letter('left')}-Vers"
        refuse(file.keys.origin(name), versions[0], "6 where the Responder's is 6: no NAT is from IPv4 to IPv6")
    name = _NAMES[versions]
    bench.begin(
        f"A stateful {name.upper()} (RFC 9693)",
        f"Stateful {name.upper()}",
        name,
        file.keys.origin("Stateful", "IP-L-Vers", "IP-R-Vers"),
    )
    if file.stateful == 2:
        origin = file.keys.origin("Stateful")
        bench.lines.append(f"# {origin}: the Initiator is on their right; here it's on the left, all sides are swapped")
    clients = file.varying("left", file.need(versions[0], "left", "Real"))
    servers, server_key = _servers(file, bench, name)
    origins: dict[Side, str] = {
        "left": file.keys.origin(file.name(versions[0], "left", "Real")),
        "right": file.keys.origin(server_key),
    }
    gateways = tester(file, bench, {"left": (clients, origins["left"]), "right": (servers, origins["right"])})
    bench.table("technology.pool")
    bench.key(
        "first", gateways["right"], "not in the file: siitperf learns it; RFC 9693 §3.1 has the DUT's own address"
    )
    bench.table("traffic")
    less = "; these have 20 bytes less" if name == "nat44" else ""
    bench.key(
        "frame_size_of",
        "ipv4" if name == "nat44" else "ipv6",
        f"siitperf's first argument: the size of IPv6 frames{less}",
    )
    bench.key("mix", [[1, 1]], "siitperf's arguments n and m: [[m, n]]")
    background(file, bench)
    bench.table("traffic.connections")
    _orders(file, bench)
    for side, table, varying in zip(SIDES, ("clients", "servers"), (clients, servers), strict=True):
        bench.table(f"traffic.connections.{table}")
        bench.key("first", str(varying.address(0)), origins[side])
        more = file.origin_of_varying(side)
        bench.key("addresses", varying.count, more or "the file has one")
        if varying.bits:
            bench.key("step", 1 << varying.shift, more)
    pairs = clients.count * servers.count * _ports(file, bench, "client") * _ports(file, bench, "server")
    _measures(file, bench, min(_USUAL_CONNECTIONS, pairs))


def _servers(file: SiitperfFile, bench: BenchText, name: str) -> tuple[Varying, str]:
    """Of NAT64 their IPv4 addresses, and its prefix; with the key that has them."""
    if name != "nat64":
        family = file.version("right")
        return file.varying("right", file.need(family, "right", "Real")), file.name(family, "right", "Real")
    key = file.name(6, "right", "Virt")
    theirs = file.varying("right", file.need(6, "right", "Virt"))
    network = prefix_96(theirs.base)
    if network is None or theirs.shift + theirs.bits > 32:
        refuse(file.keys.origin(key), theirs.base, "a /96 prefix and an IPv4 address behind it (RFC 6052 §2.2)")
    base = ipaddress.IPv4Address(int(theirs.base) & 0xFFFFFFFF)
    write_prefix(bench, network, base, file.keys.origin(key))
    return Varying(base, theirs.count, theirs.bits, theirs.shift, theirs.low), key


def _orders(file: SiitperfFile, bench: BenchText) -> None:
    names = ("Enumerate-ports", "Enumerate-ips")
    numbers = [file.keys.whole(name, 0, 0, 4) for name in names]
    number = next((one for one in numbers if one), 0)
    origin = file.keys.origin(*names)
    if number in (1, 2, 3):
        bench.key("enumeration", ORDERS[number], origin)
    elif number == 4:
        bench.key("enumeration", "pseudorandom", f"{origin}: what 4 is there isn't documented; RFC 9693 §4.4")
    else:
        bench.key("enumeration", "pseudorandom", f"{origin}: changed, each frame of phase 1 is new (RFC 9693 §4.4)")
    names = ("Responder-ports", "Responder-tuples")
    number = max(file.keys.whole(name, 0, 0, 3) for name in names)
    origin = file.keys.origin(*names)
    bench.key("read_order", "round_robin" if number == 1 else "pseudorandom", origin or "not in the file")
    if origin and number in (0, 2):
        what = "one connection alone" if not number else "connections in falling order"
        bench.leave_out(origin, f"{what}: pseudorandom in its place, as RFC 9693 §4.10 recommends")


def _ports(file: SiitperfFile, bench: BenchText, who: str) -> int:
    """How many a client or a server has; the Initiator's frames have them, their reverse ones repeat them."""
    direction = "Fwd" if file.is_forward("forward") else "Rev"
    letter = "s" if who == "client" else "d"
    order = file.keys.get(f"{direction}-var-{letter}port")
    found = [file.keys.get(f"{direction}-{letter}port-{limit}") for limit in ("min", "max")]
    bench.table(f"traffic.connections.{who}_ports")
    if order is None or not order.whole(0, 3):
        fixed = FIXED_SOURCE if who == "client" else FIXED_DESTINATION
        limits = [(fixed, "not in the file: fixed ports, RFC 2544 App. C.2.6.4")] * 2
    else:
        usual = (1024, 65535) if who == "client" else (1, 49151)
        limits = [
            (usual[index], "not in the file: RFC 4814 §4.5") if one is None else (one.whole(0, 65535), one.origin)
            for index, one in enumerate(found)
        ]
    for key, (value, origin) in zip(("first", "last"), limits, strict=True):
        bench.key(key, value, origin)
    return max(0, limits[1][0] - limits[0][0] + 1)


def _measures(file: SiitperfFile, bench: BenchText, connections: int) -> None:
    """With neither direction, phase 1 is all that is measured."""
    names = ("Forward", "Reverse") if file.stateful == 1 else ("Reverse", "Forward")
    both = any(file.keys.whole(name, 1, 0, 1) for name in names)
    for procedure, argument in (("establishment", "R"), ("throughput", "rate"))[: 2 if both else 1]:
        command_line(bench, procedure, "siitperf", f" for its argument {argument}")
        bench.key("connections", [connections], "siitperf's argument N; M is as many")
    if both:
        directions(bench, file.keys, "siitperf", names)
