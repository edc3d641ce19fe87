"""Links, addresses, routes and neighbours of one network namespace (netlink, through pyroute2)."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from xlatperf.lab.error import LabError

_IFA_F_NODAD = 0x02  # linux/if_addr.h: an address that is usable at once, RFC 4862 §5.4 left out
_NUD_PERMANENT = 0x80  # linux/neighbour.h
_AF = {4: socket.AF_INET, 6: socket.AF_INET6}
_EVERYWHERE = {socket.AF_INET: str(ipaddress.IPv4Address(0)), socket.AF_INET6: str(ipaddress.IPv6Address(0))}
_HALVES = {socket.AF_INET: 1, socket.AF_INET6: 3}
"""Routes as short as that are a default route, or stand for one: of IPv6 all global unicast addresses."""
_POLL_S = 0.02


class Place(Protocol):
    """A network namespace: its name, and the file that keeps it."""

    name: str
    path: Path


class Network:
    """Use as a context: `with Network(namespace) as network: network.add_route(...)`. None: where this process is."""

    def __init__(self, namespace: Place | None) -> None:
        self._netns = None if namespace is None else namespace.name
        self._where = "here" if namespace is None else f"in namespace {namespace.name}"
        self._netlink: Any = None

    def __enter__(self) -> Self:
        from pyroute2 import IPRoute

        try:
            # no flags: the namespace must exist
            self._netlink = IPRoute() if self._netns is None else IPRoute(netns=self._netns, flags=0)
        except OSError as error:
            raise LabError(f"can't enter namespace {self._netns}: {error.strerror}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._netlink.close()

    def add_veth(self, name: str, mac: str, peer: str, peer_mac: str, peer_namespace: Place) -> None:
        """A pair of virtual Ethernet devices; with one queue each, as an AF_XDP socket sees one queue only."""
        queues = {"num_tx_queues": 1, "num_rx_queues": 1}
        other = {"ifname": peer, "address": peer_mac, "net_ns_fd": str(peer_namespace.path), **queues}
        self._do(f"make {name} and {peer}", "link", "add", kind="veth", ifname=name, address=mac, peer=other, **queues)

    def add_vlan(self, name: str, mac: str, on: str, vlan: int) -> None:
        """An interface for the frames of one VLAN on another one (IEEE 802.1Q)."""
        self._do(
            f"make {name} for VLAN {vlan} on {on}", "link", "add",
            kind="vlan", ifname=name, address=mac, link=self._index(on), vlan_id=vlan,
        )  # fmt: skip

    def set_link(self, name: str, **properties: object) -> None:
        """For instance `set_link("d0", state="up", mtu=1500, txqlen=10000)`."""
        self._do(f"set {properties} on {name}", "link", "set", index=self._index(name), **properties)

    def move(self, name: str, namespace: Place) -> None:
        """To another network namespace, where it is down."""
        self._do(
            f"move {name} to {namespace.name}", "link", "set", index=self._index(name), net_ns_fd=str(namespace.path)
        )

    def set_mtu(self, name: str, mtu: int) -> None:
        """In bytes."""
        self.set_link(name, mtu=mtu)

    def set_queue_length(self, name: str, packets: int) -> None:
        """How many may wait to be sent."""
        self.set_link(name, txqlen=packets)

    def set_up(self, name: str) -> None:
        """The link is used."""
        self.set_link(name, state="up")

    def add_address(self, link: str, address: str) -> None:
        """`address` with prefix length ("198.18.255.1/30"); usable at once."""
        interface = ipaddress.ip_interface(address)
        flags = {"flags": _IFA_F_NODAD} if interface.version == 6 else {}
        self._do(
            f"give {link} the address {address}", "addr", "add",
            index=self._index(link), address=str(interface.ip), prefixlen=interface.network.prefixlen, **flags,
        )  # fmt: skip

    def add_route(self, prefix: str, link: str, via: str | None = None) -> None:
        """A route through `link`, to the next hop `via` if there is one."""
        network = ipaddress.ip_network(prefix)
        to = {"gateway": via} if via is not None else {}
        family = _AF[network.version]  # a default route doesn't tell by its destination
        what = f"route {prefix} through {link}" + (f" to {via}" if via else "")
        self._do(what, "route", "replace", family=family, dst=str(network), oif=self._index(link), **to)

    def add_neighbour(self, link: str, address: str, mac: str) -> None:
        """An entry that never ages, so that no trial loses frames to address resolution."""
        self._do(
            f"set the neighbour {address}", "neigh", "replace",
            ifindex=self._index(link), dst=address, lladdr=mac, state=_NUD_PERMANENT,
        )  # fmt: skip

    def links(self) -> list[str]:
        """Names of all interfaces."""
        return [str(link.get_attr("IFLA_IFNAME")) for link in self._netlink.get_links()]

    def receive_queues(self, link: str) -> int:
        """So many at most."""
        return int(self._netlink.get_links(self._index(link))[0].get_attr("IFLA_NUM_RX_QUEUES"))

    def routes(self, link: str) -> set[str]:
        """The destinations routed through `link`, as prefixes."""
        index = self._index(link)
        found = set()
        for route in self._netlink.get_routes():
            if route.get_attr("RTA_OIF") == index:
                destination = route.get_attr("RTA_DST") or _EVERYWHERE[route["family"]]
                found.add(f"{destination}/{route['dst_len']}")
        return found

    def own_use(self, link: str) -> str | None:
        """What the host itself uses an interface for; None: nothing, or it isn't there.

        Also through one that lies on it: a bridge, a bond, VLANs, macvlan.
        """
        found = self._netlink.link_lookup(ifname=link)
        return None if not found else self._use_of(found[0], {int(found[0])})

    def _use_of(self, index: int, seen: set[int]) -> str | None:
        if any(self._leads_out(route, index) for route in self._netlink.get_routes()):
            return "its default route leads through it"
        for one in self._netlink.get_addr(index=index):
            address = ipaddress.ip_address(one.get_attr("IFA_ADDRESS"))
            if address.is_global:
                return f"it has the address {address} there"
        for other in self._on_top_of(index):
            if other["index"] in seen:
                continue
            seen.add(other["index"])
            if (use := self._use_of(other["index"], seen)) is not None:
                return f"{use.removesuffix(' there')}, by {other.get_attr('IFLA_IFNAME')} on it"
        return None

    def _on_top_of(self, index: int) -> Iterator[Any]:
        """Its bridge or bond, and its VLANs and the like; the other end of a veth isn't one."""
        (itself,) = self._netlink.get_links(index)
        for other in self._netlink.get_links():
            kind = (other.get_attr("IFLA_LINKINFO") or other).get_attr("IFLA_INFO_KIND")
            lies_on_it = (
                kind != "veth" and other.get_attr("IFLA_LINK") == index and other.get_attr("IFLA_LINK_NETNSID") is None
            )
            if lies_on_it or other["index"] == itself.get_attr("IFLA_MASTER"):
                yield other

    @staticmethod
    def _leads_out(route: Any, index: int) -> bool:
        """A default route, or one of two halves of it, by one way or several."""
        ways = {route.get_attr("RTA_OIF"), *(way["oif"] for way in route.get_attr("RTA_MULTIPATH") or ())}
        return index in ways and route["dst_len"] <= _HALVES[route["family"]]

    def transmit_drops(self, link: str) -> int:
        """Frames that the kernel had to send through `link` and dropped, since the link exists."""
        return int(self._netlink.get_links(self._index(link))[0].get_attr("IFLA_STATS64")["tx_dropped"])

    def link_is_on(self, name: str) -> bool:
        """Whether somebody has set it up; that it has a carrier is another thing."""
        return self._state(name)[0]

    def link_is_up(self, name: str) -> bool:
        """Up, and with a carrier."""
        return all(self._state(name))

    def wait_for_link(self, name: str, timeout_s: float) -> None:
        """Waits until a link is up, raises LabError at the end of the time."""
        deadline = time.monotonic() + timeout_s
        while not self.link_is_up(name):
            if time.monotonic() > deadline:
                raise LabError(f"{name} {self._where} wasn't up within {timeout_s:g} s")
            time.sleep(_POLL_S)

    def _state(self, name: str) -> tuple[bool, bool]:
        """Whether it is set up, and has a carrier; one that isn't there has neither."""
        found = self._netlink.link_lookup(ifname=name)
        if not found:
            return False, False
        link = self._netlink.get_links(found[0])[0]
        return link["state"] == "up", bool(link.get_attr("IFLA_CARRIER"))

    def _index(self, link: str) -> int:
        found = self._netlink.link_lookup(ifname=link)
        if not found:
            raise LabError(f"there is no interface {link} {self._where}")
        return int(found[0])

    def _do(self, what: str, kind: str, verb: str, /, **arguments: object) -> None:
        from pyroute2.netlink.exceptions import NetlinkError

        try:
            getattr(self._netlink, kind)(verb, **arguments)
        except NetlinkError as error:
            raise LabError(f"can't {what} {self._where}: {error.args[1]}") from error
