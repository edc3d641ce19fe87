"""Interfaces of a device's host: whether they may be taken for test traffic, and into the device's namespace."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlatperf.lab.error import LabError
from xlatperf.lab.remote.host import RemoteHost
from xlatperf.lab.shell_transport import ShellTransport

_ASK = """ask() {
    local said
    said=$(ip -j "$@") && echo "${said:-[]}" || echo '[]'
}
ask -d link show
ask address show
ask -4 route show default
ask -6 route show default
read -r peer _ <<<"$SSH_CONNECTION"
ask route get "$peer"
for one in /sys/class/net/*; do
    driver=$(readlink "$one/device/driver") speed=$(cat "$one/speed")
    echo "${one##*/} ${driver##*/} $speed"
done
true"""


@dataclass(frozen=True)
class Seen:
    """What a host said of its interfaces: of ip(8) the parts that matter here."""

    links: Sequence[Mapping[str, Any]]
    addresses: Sequence[Mapping[str, Any]]
    routes: Sequence[Mapping[str, Any]]
    """By which it reaches what is elsewhere, and whoever is logged in."""
    hardware: Mapping[str, str]
    """Driver and speed in words, by name."""

    def why_not(self, name: str) -> str | None:
        """Why this interface can't be a device's; None: it can."""
        if (missing := self.why_none(name)) is not None:
            return missing
        if (route := self._route_through(name)) is not None:
            return f"{route} leads through it: the host itself needs it"
        if (address := self._address_on(name)) is not None:
            has, holder = address
            return f"it would lose its address {has}: ip address delete {has} dev {holder}"
        master = next((link.get("master") for link in self.links if link["ifname"] == name), None)
        return f"it is a part of {master}: ip link set {name} nomaster" if master is not None else None

    def why_none(self, name: str) -> str | None:
        """That there is no such interface; None: there is."""
        if name in {link["ifname"] for link in self.links}:
            return None
        others = ", ".join(sorted(link["ifname"] for link in self.links if "LOOPBACK" not in link["flags"]))
        return f"there is none of this name; there are {others or 'none but loopback'}"

    def own_use(self, name: str) -> str | None:
        """What the host itself uses this interface for; None: nothing that is known."""
        if (route := self._route_through(name)) is not None:
            return f"{route} leads through it"
        address = self._address_on(name)
        return None if address is None else f"{address[1]} has the address {address[0]}"

    def _route_through(self, name: str) -> str | None:
        on_it = self._with_those_on(name)
        for route in self.routes:
            ways = {route.get("dev"), *(hop.get("dev") for hop in route.get("nexthops", ()))}
            if ways & on_it:
                return "a default route" if route.get("dst") == "default" else "the way to whoever is logged in"
        return None

    def _address_on(self, name: str) -> tuple[str, str] | None:
        """A global one with its prefix length, and the interface that has it."""
        on_it = self._with_those_on(name)
        for link in self.addresses:
            for one in link.get("addr_info", ()) if link.get("ifname") in on_it else ():
                if one.get("scope") == "global":
                    return f"{one['local']}/{one['prefixlen']}", str(link["ifname"])
        return None

    def _with_those_on(self, name: str) -> set[str]:
        """And VLANs and the like that lie on it, and bridges and bonds that it is a part of."""
        found = {name}
        while True:
            # the other end of a veth isn't on it
            more = {link["ifname"] for link in self.links if link.get("link") in found and _kind(link) != "veth"}
            more |= {link["master"] for link in self.links if link["ifname"] in found and "master" in link}
            if more <= found:
                return found
            found |= more

    def state(self, name: str) -> tuple[int, bool]:
        """MTU in bytes, and whether somebody has set it up."""
        link = next(link for link in self.links if link["ifname"] == name)
        return int(link["mtu"]), "UP" in link["flags"]


def look(host: ShellTransport) -> Seen:
    """Asks the host, or a namespace of it. Raises LabError."""
    try:
        return parse(host.script(_ASK))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LabError(f"{host.where} ip(8) wrote something else than what is expected: {error!r}") from error


def parse(written: str) -> Seen:
    """The answer to what `look` asks. Raises ValueError, KeyError, TypeError, AttributeError."""
    lines = iter(written.splitlines())
    links, addresses, ipv4, ipv6, peer = (json.loads(next(lines, "") or "[]") for _ in range(5))
    hardware = {}
    for line in lines:
        name, *words = line.split()
        speed = words.pop() if words and words[-1].lstrip("-").isdigit() else "-1"
        hardware[name] = ", ".join([*words, *([f"{speed} Mbit/s"] if int(speed) > 0 else [])])
    if not all({"ifname", "flags", "mtu"} <= link.keys() for link in links):
        raise ValueError(written[:60])
    return Seen(links, addresses, [*ipv4, *ipv6, *peer], hardware)


def _kind(link: Mapping[str, Any]) -> str | None:
    kind: str | None = link.get("linkinfo", {}).get("info_kind")
    return kind


def take(host: RemoteHost, seen: Seen, name: str, there: str) -> None:
    """Into the device's namespace, where it is called `there`. Raises LabError."""
    mtu, up = seen.state(name)
    one = shlex.quote(name)
    state = "up" if up else "down"
    host.script(
        f'echo {there} {one} {mtu} {state} >>"$folder/interfaces" && ip link set {one} netns "$namespace" name {there}'
    )
