"""Addresses of a bench file that contradict each other: whose a packet is must follow from its destination."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence

from xlatperf.config.connections import ConnectionSpace
from xlatperf.config.named_addresses import (
    Named,
    links,
    named_hosts,
    named_network,
    named_pool,
    named_range,
    on_side,
)
from xlatperf.config.series import more_subscribers
from xlatperf.config.tester import TesterConfig
from xlatperf.config.traffic import Traffic
from xlatperf.engine.message import SideName
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.dslite import Dslite
from xlatperf.technologies.registry import AnyTechnology
from xlatperf.technologies.stateful import PoolTechnology, StatefulTechnology

_BEHIND_B4S = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "192.0.0.0/29")))
"""Those of RFC 1918 and 192.0.0.0/29 (RFC 6333 §11)."""
_HOSTS = "addresses of hosts: no multicast, reserved, loopback, link-local or unspecified ones"


def check_addresses(
    technology: AnyTechnology, traffic: Traffic, tester: TesterConfig, measures: Sequence[Procedure]
) -> None:
    """Raises ValueError."""
    left, right = on_side("left", technology, traffic), on_side("right", technology, traffic)
    beside = links(technology, traffic, tester)
    for one in (*left, *right):
        if one.nobodys:
            refuse(one.place, one.value, _HOSTS)
    _check_networks(technology, traffic, tester)
    if isinstance(technology, StatefulTechnology) and traffic.connections is not None:
        more = more_subscribers(technology, measures)
        largest = technology if more is None else technology.with_subscribers(more)
        _check_ranges(largest, traffic.connections, beside)
    for there in right:
        for here in left:
            if there.meets(here):
                refuse(there.place, there.value, f"addresses on the right alone: those of {here.place} are on the left")
    _check_inside(technology, left, right)
    if isinstance(technology, PoolTechnology):
        _check_pool(named_pool(technology), left, right)
    if isinstance(technology, Dslite):
        _check_behind_b4s(left)
    _check_links(beside, (*left, *right))
    for place, prefix in technology.way_out.items():
        _check_way_out(named_network(place, prefix), technology, (*left, *right), beside)


def _check_networks(technology: AnyTechnology, traffic: Traffic, tester: TesterConfig) -> None:
    """The simulated hosts are one hop beyond the link (RFC 5180 §4): they can't have the link's addresses."""
    for name, side, link, family in (
        ("left", traffic.left, tester.left, technology.families[0]),
        ("right", traffic.right, tester.right, technology.families[1]),
    ):
        for group, hosts in (("hosts", side.hosts), ("background_hosts", side.background_hosts)):
            if group == "hosts" and name not in technology.hosts:
                continue
            first = ipaddress.ip_network(hosts.prefix)
            if hosts.host >= first.num_addresses:
                allowed = f"less than {first.num_addresses}, the size of {first}"
                refuse(f"traffic.{name}.{group}.host", hosts.host, allowed)
            if group == "hosts" and first.version != family:
                continue  # named by IPv4 addresses, but that link has none
            own = str(ipaddress.ip_interface(link.ipv4 if first.version == 4 else link.ipv6).network)
            if named_hosts("", hosts).meets(named_network("", own)):
                refuse(
                    f"traffic.{name}.{group}.networks",
                    hosts.networks,
                    f"the networks from {first} on reach the link {own} of tester.{name}; use fewer, or another link",
                )


def _check_links(beside: Mapping[SideName, Sequence[Named]], others: Sequence[Named]) -> None:
    """A DUT routes between two links, and nobody beyond them has an address of one."""
    for here in beside["left"]:
        for there in beside["right"]:
            if here.meets(there) and not here.first.is_link_local:  # RFC 4007 §5: of each link alone
                refuse(there.place, there.value, f"another network than {here.place}, {here.value}")
    for link in (*beside["left"], *beside["right"]):
        for one in others:
            if one.meets(link):
                refuse(one.place, one.value, f"addresses outside of the link of {link.place}, {link.value}")


def _check_ranges(
    technology: StatefulTechnology, space: ConnectionSpace, beside: Mapping[SideName, Sequence[Named]]
) -> None:
    """Neither can clients, servers, what is in front of the clients, and the pool."""
    clients = (
        ("technology.b4s.first", technology.in_front)
        if technology.in_front is not None
        else (("traffic.connections.clients.first", space.clients))
    )
    beyond = [named_range(*clients), named_range("traffic.connections.servers.first", space.servers)]
    if isinstance(technology, PoolTechnology):
        beyond.insert(0, named_pool(technology))
    for one in beyond:
        for side, of_link in beside.items():
            for link in of_link:
                if one.meets(link):
                    own = ipaddress.ip_interface(link.value).network
                    said = f"{one.count} address(es) from there on outside of the link {own} of tester.{side}"
                    refuse(one.place, one.value, said)


def _check_inside(technology: AnyTechnology, left: Sequence[Named], right: Sequence[Named]) -> None:
    """Subscribers' addresses are theirs alone."""
    for place, prefix in technology.inside.items():
        for there in right:
            if there.meets(named_network(place, prefix)):
                refuse(there.place, there.value, f"addresses outside of {place}, {prefix}, which are on the left")
    for place, prefix in technology.subscriber_prefixes.items():
        for here in left:
            if here.meets(named_network(place, prefix)):
                refuse(here.place, here.value, f"addresses outside of {place}, {prefix}, which subscribers have")


def _check_way_out(
    out: Named, technology: AnyTechnology, others: Sequence[Named], beside: Mapping[SideName, Sequence[Named]]
) -> None:
    """Of an address, an end of tunnels: a link may have it, but the DUT's end of that link."""
    for place, prefix in technology.subscriber_prefixes.items():
        if out.meets(named_network(place, prefix)):
            refuse(out.place, out.value, f"outside of {place}, {prefix}, which subscribers have")
    for one in others:
        if one.meets(out):
            refuse(one.place, one.value, f"addresses outside of {out.place}, {out.value}")
    for link in (*beside["left"], *beside["right"]):
        if out.count > 1 and out.meets(link):
            refuse(out.place, out.value, f"outside of the link of {link.place}, {link.value}")
        if out.first == ipaddress.ip_interface(link.value).ip:
            refuse(out.place, out.value, f"another address than the Tester's, {link.place}")


def _check_pool(pool: Named, left: Sequence[Named], right: Sequence[Named]) -> None:
    if pool.nobodys:
        refuse(pool.place, pool.value, "addresses that packets can be sent to")
    for there in right:
        if pool.meets(there):
            refuse(pool.place, pool.value, f"{pool.count} address(es) from there on, none of {there.place}")
    for here in left:
        if pool.meets(here):
            refuse(pool.place, pool.value, f"addresses on the right alone: those of {here.place} are on the left")


def _check_behind_b4s(left: Sequence[Named]) -> None:
    """RFC 6333 §11: an AFTR drops packets from any other address."""
    for one in left:
        if one.first.version == 4 and not any(one.first in network and one.last in network for network in _BEHIND_B4S):
            refuse(
                one.place,
                one.value,
                f"addresses in {', '.join(map(str, _BEHIND_B4S))}: an AFTR drops packets from others (RFC 6333 §11)",
            )
