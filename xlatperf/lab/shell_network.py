"""Links, addresses, routes and neighbours of a device that is reached by a shell: ip(8)."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from xlatperf.lab.error import LabError

_EVERYWHERE = {4: "0.0.0.0/0", 6: "::/0"}


class ShellNetwork:
    """Changes are done together when the context ends or something is read: each command takes a while."""

    def __init__(self, run: Callable[[str], str], where: str) -> None:
        """`run` runs lines of a shell there, and raises LabError."""
        self._run = run
        self._where = where
        self._pending: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._do()

    def set_mtu(self, name: str, mtu: int) -> None:
        """In bytes."""
        self._pending.append(f"ip link set {name} mtu {mtu}")

    def set_queue_length(self, name: str, packets: int) -> None:
        """How many may wait to be sent."""
        self._pending.append(f"ip link set {name} txqueuelen {packets}")

    def set_up(self, name: str) -> None:
        """The link is used."""
        self._pending.append(f"ip link set {name} up")

    def add_address(self, link: str, address: str) -> None:
        """`address` with prefix length; usable at once."""
        at_once = " nodad" if ipaddress.ip_interface(address).version == 6 else ""
        self._pending.append(f"ip address replace {address} dev {link}{at_once}")

    def add_route(self, prefix: str, link: str, via: str | None = None) -> None:
        """A route through `link`, to the next hop `via` if there is one."""
        network = ipaddress.ip_network(prefix)
        to = f" via {via}" if via is not None else ""
        self._pending.append(f"ip -{network.version} route replace {network}{to} dev {link}")

    def add_neighbour(self, link: str, address: str, mac: str) -> None:
        """An entry that never ages."""
        self._pending.append(f"ip neighbor replace {address} lladdr {mac} dev {link} nud permanent")

    def links(self) -> list[str]:
        """Names of all interfaces."""
        return [str(one["ifname"]) for one in self._ask("ip -j link show")]

    def link_is_up(self, name: str) -> bool:
        """Up, and with a carrier."""
        flags = next((one["flags"] for one in self._ask("ip -j link show") if one["ifname"] == name), ())
        return {"UP", "LOWER_UP"} <= set(flags)

    def transmit_drops(self, link: str) -> int:
        """Packets that the kernel had to send through `link` and dropped."""
        (found,) = self._ask(f"ip -j -s link show dev {link}")
        return int(found["stats64"]["tx"]["dropped"])

    def routes(self, link: str) -> set[str]:
        """The destinations routed through `link`, as prefixes."""
        return {
            _EVERYWHERE[version] if one["dst"] == "default" else str(ipaddress.ip_network(one["dst"]))
            for version in (4, 6)
            for one in self._ask(f"ip -{version} -j route show dev {link}")
        }

    def _ask(self, command: str) -> list[Any]:
        self._do()
        written = self._run(command).strip()
        try:
            found = json.loads(written or "[]")
        except ValueError as error:
            raise LabError(f"{self._where} `{command}` wrote no JSON: {written[:60]!r}") from error
        return list(found)

    def _do(self) -> None:
        commands, self._pending = self._pending, []
        if commands:
            self._run("\n".join(["set -e", *commands]))
