"""Hosts on both sides of a DUT, with the kernel's own stack: only tests have them, the Tester answers for itself."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from xlatperf.devices.device import Link, Plan
from xlatperf.lab.namespace import Namespace, run_command
from xlatperf.lab.network import Network
from xlatperf.lab.tester_ports import TABLE
from xlatperf.lab.tester_side import TESTER_PORTS

_IP_RECVTTL = 12  # linux/in.h; Python has no name for it
_TRIES = 4  # a datagram waits for its neighbour's answer, and the host's table of neighbours is shared by all tests
LEFT = Link("198.18.255.2/30", "198.18.255.1/30", "2001:2:0:7fff::2/64", "2001:2:0:7fff::1/64")
RIGHT = Link("198.19.255.2/30", "198.19.255.1/30", "2001:2:0:ffff::2/64", "2001:2:0:ffff::1/64")


def describe(left: dict[str, str], right: dict[str, str]) -> dict[str, object]:
    """As the engine's `describe`: prefixes on each side with their class."""

    def side(prefixes: dict[str, str], link: Link) -> dict[str, object]:
        routes = []
        for prefix, kind in prefixes.items():
            via = link.tester_ipv6 if ":" in prefix else link.tester_ipv4
            assert via is not None
            routes.append({"prefix": prefix, "via": via.partition("/")[0], "class": kind})
        return {"families": sorted({"ipv6" if ":" in prefix else "ipv4" for prefix in prefixes}), "routes": routes}

    return {"left": side(left, LEFT), "right": side(right, RIGHT)}


def plan(technology: Mapping[str, object], left: dict[str, str], right: dict[str, str]) -> Plan:
    return Plan(technology, describe(left, right), LEFT, RIGHT, "af_packet")


@dataclass(frozen=True)
class Arrived:
    """What the echoing host saw and what came back to the asking one."""

    source: str
    source_port: int
    hop_limit: int
    returned_from: str
    payload: bytes


class Hosts:
    """Moves the right port into a namespace of its own, for else the kernel would take the short cut."""

    def __init__(self) -> None:
        self.left = Namespace(f"xlatperf-{os.getpid()}-tester")
        self.right = Namespace(f"xlatperf-{os.getpid()}-right")

    def make(self, left: tuple[str, ...], right: tuple[str, ...]) -> None:
        self.left.run(("nft", "delete", "table", "netdev", TABLE))  # here the kernel has to answer
        self.right.create()
        port = TESTER_PORTS["right"]
        run_command(("ip", "-n", self.left.name, "link", "set", port, "netns", self.right.name))
        for namespace, side, link, addresses in (
            (self.left, "left", LEFT, left),
            (self.right, "right", RIGHT, right),
        ):
            port = TESTER_PORTS[side]
            namespace.set_sysctl("net.ipv6.conf.all.disable_ipv6", 0)
            namespace.set_sysctl(f"net.ipv6.conf.{port}.disable_ipv6", 0)
            with Network(namespace) as network:
                network.set_link(port, state="up")
                for address in (link.tester_ipv4, link.tester_ipv6, *addresses):
                    assert address is not None
                    network.add_address(port, address)
                for gateway, everywhere in ((link.dut_ipv4, "0.0.0.0/0"), (link.dut_ipv6, "::/0")):
                    assert gateway is not None
                    network.add_route(everywhere, port, gateway.partition("/")[0])
                network.wait_for_link(port, 5)

    def exchange(
        self,
        source: str,
        destination: str,
        echoing: str,
        *,
        reverse: bool = False,
        size: int = 18,
        hop_limit: int = 64,
        tries: int = _TRIES,
    ) -> Arrived:
        """One datagram from `source` to `destination`, which the other side knows as `echoing`, and its echo.

        Sent again where it didn't arrive, as a host's resolver would; raises TimeoutError if none did.
        """
        here, there = (self.right, self.left) if reverse else (self.left, self.right)
        payload = bytes(index % 251 for index in range(size))
        with _socket(here, source, hop_limit) as asking, _socket(there, echoing, hop_limit) as answering:
            for tries_left in reversed(range(tries)):
                asking.sendto(payload, (destination, answering.getsockname()[1]))
                try:
                    data, ancillary, _, sender = answering.recvmsg(65536, 256)
                    break
                except TimeoutError:
                    if tries_left == 0:
                        raise
            answering.sendto(data, sender[:2])
            returned, origin = asking.recvfrom(65536)
            hops = int.from_bytes(ancillary[0][2][:4], "little")
            assert returned == data
            return Arrived(sender[0], sender[1], hops, origin[0], returned)

    def remove(self) -> None:
        self.right.remove()


def _socket(namespace: Namespace, address: str, hop_limit: int) -> socket.socket:
    if ipaddress.ip_address(address).version == 6:
        made = namespace.inside(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVHOPLIMIT, 1)
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, hop_limit)
    else:
        made = namespace.inside(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        made.setsockopt(socket.IPPROTO_IP, _IP_RECVTTL, 1)
        made.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, hop_limit)
    made.settimeout(3)
    made.bind((address, 0))
    return made
