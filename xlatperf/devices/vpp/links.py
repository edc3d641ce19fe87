"""VPP's two interfaces to the Tester: made or found, with addresses, routes and neighbours."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from xlatperf.devices import memif_port
from xlatperf.devices.device import Link, Neighbor, Plan
from xlatperf.devices.vpp.command import Command, command
from xlatperf.devices.vpp.counters import Interface
from xlatperf.lab.error import LabError
from xlatperf.lab.link_addresses import DUT_MACS

SIDES = ("left", "right")
_SOCKETS = {"left": 101, "right": 102}
"""Numbers that a VPP which is used for something else hasn't for its own."""
_MOST_ROUTES = 16
# `show ip fib PREFIX`: the entry that is used for it, which is another one's if there is none.
_ENTRY = re.compile(r"^\s*([0-9a-f.:]+/\d+) fib:\d+", re.MULTILINE)


@dataclass(frozen=True)
class Interfaces:
    """Their names in VPP. `before`: the commands that make them."""

    left: str
    right: str
    before: tuple[Command, ...] = ()

    def of(self, side: str) -> str:
        """The name of the one to the Tester's port of that side."""
        return self.left if side == "left" else self.right


def memif(folder: Path, mtu: int, asked_fps: float) -> Interfaces:
    """Shared memory; the Tester connects to VPP's sockets in `folder`. Buffers are the Tester's size."""
    made: list[Command] = []
    for side, number in _SOCKETS.items():
        name = memif_name(side)
        made += [
            command(
                f"create memif socket id {number} filename {memif_port.socket(folder, side)}",
                f"delete memif socket id {number}",
            ),
            command(
                f"create interface memif id 0 socket-id {number} master hw-addr {DUT_MACS[side]} "
                f"ring-size {memif_port.ring_size(asked_fps)} buffer-size {memif_port.buffer_size(mtu)}",
                f"delete interface memif {name}",
                answers=f"(?:{name})?",
            ),
        ]
    return Interfaces(memif_name("left"), memif_name("right"), tuple(made))


def memif_name(side: str) -> str:
    """As VPP names it."""
    return f"memif{_SOCKETS[side]}/0"


def af_packet(ports: dict[str, str]) -> Interfaces:
    """On interfaces of the kernel, by side. A veth's frames have unfinished checksums unless that is turned off."""
    made = tuple(
        command(
            f"create host-interface v2 name {port} hw-addr {DUT_MACS[side]} cksum-gso-disable",
            f"delete host-interface name {port}",
            answers=f"(?:host-{port})?",
        )
        for side, port in ports.items()
    )
    return Interfaces(f"host-{ports['left']}", f"host-{ports['right']}", made)


def set_up(interfaces: Interfaces, plan: Plan, mtu: int, before: Mapping[str, Interface]) -> Iterator[Command]:
    """Both are made, have addresses, say nothing by themselves, and lead to the networks behind the Tester.

    `before`: interfaces that were there before, as they were.
    """
    yield from interfaces.before
    for side, link in ((side, link_of(plan, side)) for side in SIDES):
        name = interfaces.of(side)
        was = before.get(name)
        old = None if was is None else f"set interface mtu packet {was.mtu} {name}"
        yield command(f"set interface mtu packet {mtu} {name}", old)
        for address in filter(None, (link.dut_ipv4, link.dut_ipv6)):
            told = f"{name} {address}"
            yield command(f"set interface ip address {told}", f"set interface ip address del {told}")
        if link.dut_ipv6 is not None:
            yield command(f"ip6 nd {name} ra-suppress", f"ip6 nd {name} no ra-suppress")
        down = None if was is not None and was.up else f"set interface state {name} down"
        yield command(f"set interface state {name} up", down)
    for side in SIDES:
        for prefix, via in plan.routes(side):
            route = f"{prefix} via {via} {interfaces.of(side)}"
            yield command(f"ip route add {route}", f"ip route del {route}")


def check_up(interfaces: Interfaces, shown: Mapping[str, Interface]) -> None:
    """VPP mostly says nothing, whether it does as it was told or not. Raises LabError."""
    for side in SIDES:
        name = interfaces.of(side)
        if name not in shown:
            raise LabError(f"VPP's answer to `show interface` has no {name}, which it was told to use")
        if not shown[name].up:
            raise LabError(f"VPP has not done `set interface state {name} up`, and says nothing: {name} is down")


def missing_routes(interfaces: Interfaces, plan: Plan, ask: Callable[[str], str]) -> Iterator[str]:
    """Of those that it was told, in words; of many the first ones are looked at. Raises LabError."""
    for side in SIDES:
        for prefix, via in islice(plan.routes(side), _MOST_ROUTES):
            network = ipaddress.ip_network(prefix)
            shown = _ENTRY.search(ask(f"show {'ip' if network.version == 4 else 'ip6'} fib {network}"))
            if shown is not None and ipaddress.ip_network(shown[1], strict=False) != network:
                yield f"VPP has no route for {prefix} through {interfaces.of(side)} to {via}"


def link_of(plan: Plan, side: str) -> Link:
    """To the Tester's port of that side."""
    return plan.left if side == "left" else plan.right


def neighbors(interfaces: Interfaces, left: Neighbor, right: Neighbor) -> Iterator[Command]:
    """Who the Tester is: a border relay of MAP-E can't ask."""
    for side, one in (("left", left), ("right", right)):
        for address in filter(None, (one.ipv4, one.ipv6)):
            told = f"{interfaces.of(side)} {address} {one.mac}"
            yield command(f"set ip neighbor {told} static", f"set ip neighbor del {told}")
