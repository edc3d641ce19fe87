"""What the host uses an interface for itself, as netlink tells: also by what lies on it."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from xlatperf.lab.network import Network


class Message(dict[str, Any]):
    """As pyroute2 has them: fields, and attributes."""

    def get_attr(self, name: str) -> Any:
        return self.get("attributes", {}).get(name)


def message(fields: dict[str, Any], **attributes: Any) -> Message:
    return Message(**fields, attributes=attributes)


def link(index: int, name: str, kind: str | None = None, **attributes: Any) -> Message:
    info = {} if kind is None else {"IFLA_LINKINFO": message({}, IFLA_INFO_KIND=kind)}
    return message({"index": index}, IFLA_IFNAME=name, **info, **attributes)


def route(family: int, length: int, **attributes: Any) -> Message:
    return message({"family": family, "dst_len": length}, **attributes)


class Netlink:
    def __init__(self, links: list[Message], routes: list[Message], addresses: dict[int, str]) -> None:
        self.links, self.routes, self.addresses = links, routes, addresses

    def link_lookup(self, ifname: str) -> list[int]:
        return [one["index"] for one in self.links if one.get_attr("IFLA_IFNAME") == ifname]

    def get_links(self, index: int | None = None) -> list[Message]:
        return [one for one in self.links if index in (None, one["index"])]

    def get_routes(self) -> list[Message]:
        return self.routes

    def get_addr(self, index: int) -> list[Message]:
        return [message({}, IFA_ADDRESS=self.addresses[index])] if index in self.addresses else []


def use(
    *links: Message, routes: tuple[Message, ...] = (), addresses: dict[int, str] | None = None, of: str = "p"
) -> str | None:
    network = Network(None)
    network._netlink = Netlink([link(1, "p"), *links], list(routes), addresses or {})
    return network.own_use(of)


V4, V6 = socket.AF_INET, socket.AF_INET6
DEFAULT = "its default route leads through it"


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (route(V4, 0, RTA_OIF=1), DEFAULT),
        (route(V6, 0, RTA_OIF=1), DEFAULT),
        (route(V4, 1, RTA_OIF=1), DEFAULT),
        (route(V6, 1, RTA_OIF=1), DEFAULT),
        (route(V6, 3, RTA_OIF=1), DEFAULT),
        (route(V4, 0, RTA_MULTIPATH=[{"oif": 5}, {"oif": 1}]), DEFAULT),
        (route(V4, 0, RTA_MULTIPATH=[{"oif": 5}, {"oif": 6}]), None),
        (route(V4, 0, RTA_OIF=2), None),
        (route(V4, 2, RTA_OIF=1), None),
        (route(V6, 4, RTA_OIF=1), None),
    ],
)
def test_routes(one: Message, said: str | None) -> None:
    assert use(routes=(one,)) == said


def test_addresses() -> None:
    assert use(addresses={1: "8.8.4.4"}) == "it has the address 8.8.4.4 there"
    assert use(addresses={1: "198.18.0.1"}) is None
    assert use(addresses={2: "8.8.4.4"}) is None
    assert use(of="none") is None


@pytest.mark.parametrize("kind", ["vlan", "macvlan", "ipvlan"])
def test_what_lies_on_it(kind: str) -> None:
    over = link(2, "over", kind, IFLA_LINK=1)
    assert use(over, addresses={2: "8.8.4.4"}) == "it has the address 8.8.4.4, by over on it"
    assert use(over, link(3, "more", kind, IFLA_LINK=2), routes=(route(V4, 0, RTA_OIF=3),)) == (
        f"{DEFAULT}, by more on it, by over on it"
    )
    assert use(over) is None
    # one of another namespace has a number of its own
    assert use(link(2, "over", kind, IFLA_LINK=1, IFLA_LINK_NETNSID=0), addresses={2: "8.8.4.4"}) is None


def test_its_bridge() -> None:
    port = link(3, "q", None, IFLA_MASTER=2)
    assert use(link(2, "br0", "bridge"), port, routes=(route(V6, 0, RTA_OIF=2),), of="q") == f"{DEFAULT}, by br0 on it"
    assert use(link(2, "br0", "bridge"), port, routes=(route(V6, 0, RTA_OIF=2),)) is None


def test_the_other_end_of_a_veth() -> None:
    """It's another cable's end, and each end names the other."""
    ends = (link(2, "v", "veth", IFLA_LINK=3), link(3, "w", "veth", IFLA_LINK=2))
    assert use(*ends, addresses={3: "8.8.4.4"}, of="v") is None
    assert use(*ends, addresses={3: "8.8.4.4"}, of="w") is not None


def test_those_that_lie_on_each_other() -> None:
    """No kernel has such; the look ends all the same."""
    assert use(link(2, "a", "vlan", IFLA_LINK=3), link(3, "b", "vlan", IFLA_LINK=2), of="a") is None
