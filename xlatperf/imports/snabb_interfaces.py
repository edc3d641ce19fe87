"""The two interfaces of a Snabb lwAFTR: the DUT's addresses on the links, and the Tester's in its next hops' place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xlatperf.imports.bench_text import BenchText
from xlatperf.imports.found import Found
from xlatperf.imports.links import LINK_LENGTHS, begin_side, network_of
from xlatperf.imports.statements import Statement

_SIDES = {"left": "internal-interface", "right": "external-interface"}
_VERSIONS = {"left": 6, "right": 4}


@dataclass(frozen=True)
class Interface:
    """None: it isn't in the file."""

    address: Found | None = None
    mac: Found | None = None
    next_hop: Found | None = None
    vlan: Found | None = None


Interfaces = dict[str, Interface]
"""By side."""


def of_configuration(configuration: Statement, bench: BenchText) -> Interfaces:
    """Those of the first queue, if there are several."""
    interfaces: Interfaces = {}
    for side, name in _SIDES.items():
        parts = list(_deep(configuration, name))
        hops = [hop for part in parts for hop in part.all("next-hop")]
        vlan = _first(parts, "vlan-tag")
        interfaces[side] = Interface(_first(parts, "ip"), _first(parts, "mac"), _first(hops, "ip"), vlan)
        for key in ("ingress-filter", "egress-filter"):
            found = _first(parts, key)
            if found is not None:
                bench.leave_out(f"{found.origin} of {name}", "a bench file has no such thing")
        mtu = _first(parts, "mtu")
        if mtu is not None:
            bench.leave_out(f"{mtu.origin} of {name}", "device.mtu is for driver = manual", matters=False)
        hairpinning = _first(parts, "hairpinning")
        if hairpinning is not None and hairpinning.text == "true":
            why = "technology.hairpinning = true has no other traffic"
            bench.leave_out(hairpinning.origin, why, matters=False)
    return interfaces


def on_a_stick(configuration: Statement) -> Found | None:
    """Its one device; None if it has two, or none is in the file (snabb-softwire-v3: external-device is optional)."""
    instance = configuration.one("instance")
    if instance is None or any(True for _ in _deep(instance, "external-device")):
        return None
    parts = list(_deep(instance, _SIDES["right"]))
    return None if _first(parts, "device") is not None else instance.found("device")


def _deep(statement: Statement, name: str) -> Iterator[Statement]:
    for one in statement.inside:
        if one.name == name:
            yield one
        else:
            yield from _deep(one, name)


def _first(statements: list[Statement], name: str) -> Found | None:
    return next((found for one in statements if (found := one.found(name)) is not None), None)


def write_links(bench: BenchText, interfaces: Interfaces, stick: Found | None = None) -> None:
    """Tables of both sides; what isn't there keeps its default. `stick`: the device that has both sides."""
    vlans = {None if one.vlan is None else one.vlan.whole(1, 4094) for one in interfaces.values()}
    one_port = stick is not None and len(vlans) > 1
    if stick is not None and one_port:
        bench.table("tester")
        bench.key("one_port", True, f"{stick.origin}, and no external-device: both sides are on one, in two VLANs")
    elif stick is not None:
        why = "no VLANs tell its two sides apart: the Tester has two ports, and a switch is between it and the device"
        bench.leave_out(f"{stick.origin} without external-device", why, matters=False)
    for side, interface in interfaces.items():
        begin_side(bench, side, interface.mac, has_port=side == "left" or not one_port)
        if interface.vlan is not None:
            bench.key("vlan", interface.vlan.whole(1, 4094), interface.vlan.origin)
        if interface.address is not None:
            _link(bench, _VERSIONS[side], interface.address, interface.next_hop)


def _link(bench: BenchText, version: int, address: Found, next_hop: Found | None) -> None:
    device = address.ipv4() if version == 4 else address.ipv6()
    length = LINK_LENGTHS[version]
    network = network_of(device, length)
    hop = None if next_hop is None else next_hop.ipv4() if version == 4 else next_hop.ipv6()
    if next_hop is not None and hop is not None and hop not in network:
        bench.leave_out(next_hop.origin, f"it isn't in {network}, as {device} is; another address is taken")
        hop = None
    own = hop or next(one for one in (network[2], network[3]) if one != device)
    said = "not in the file" if hop is None or next_hop is None else f"{next_hop.origin} of next-hop"
    bench.key(f"ipv{version}", f"{own}/{length}", f"{said}; the length isn't in the file")
    bench.key(f"gateway_ipv{version}", str(device), address.origin)
