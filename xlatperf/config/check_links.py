"""Who may have an address of a link: the Tester, the DUT with its pool, and hosts beside them (RFC 9693 §3.1)."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence

from xlatperf.config.named_addresses import (
    Named,
    each_on_side,
    links,
    named_network,
    named_pool,
    named_range,
)
from xlatperf.config.series import more_subscribers
from xlatperf.config.tester import TesterConfig
from xlatperf.config.traffic import Traffic
from xlatperf.engine.message import SideName
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.registry import AnyTechnology
from xlatperf.technologies.siit import Siit
from xlatperf.technologies.stateful import PoolTechnology, StatefulTechnology

_OTHER: Mapping[SideName, SideName] = {"left": "right", "right": "left"}


def check_links(
    technology: AnyTechnology, traffic: Traffic, tester: TesterConfig, measures: Sequence[Procedure]
) -> None:
    """Raises ValueError.

    Hosts, clients, servers and B4s may be the DUT's neighbours on the link of their side, where the Tester answers for
    them; the Tester's own address may be one of theirs. The pool may have addresses of the right link, the DUT's own
    among them. Whoever else is simulated is one hop beyond (RFC 5180 §4).
    """
    neighbours = {side: each_on_side(side, technology, traffic) for side in _OTHER}
    neighbours["left"] += [(one, one) for one in named_b4s(technology, measures)]
    pool = [named_pool(technology)] if isinstance(technology, PoolTechnology) else []
    mapped = [named_network(place, prefix) for place, prefix in technology.mapped.items()]
    beside = links(technology, traffic, tester)
    _check_two_networks(beside)
    for side, of_link in beside.items():
        for link in of_link:
            of_tester = tester.left if side == "left" else tester.right
            dut = getattr(of_tester, f"gateway_ipv{link.first.version}")
            for networks, hosts in neighbours[side]:
                if networks.meets(link):
                    _check_neighbours(networks, hosts, link, dut)
            elsewhere = [networks for networks, _ in neighbours[_OTHER[side]]]
            if isinstance(technology, Siit) and side == technology.ipv6_side:
                if link.first.version == 6:
                    _check_images(technology, [hosts for _, hosts in neighbours[side]], link, dut)
            else:
                elsewhere += mapped
            if side == "left":
                elsewhere += pool
            else:
                for one in pool:
                    _check_pool(one, link)
            for one in elsewhere:
                if one.meets(link):
                    refuse(one.place, one.value, f"{one.extent} outside of the link {_network(link)} of tester.{side}")


def named_b4s(technology: AnyTechnology, measures: Sequence[Procedure]) -> list[Named]:
    """In front of the clients, as many as any measure has."""
    if not isinstance(technology, StatefulTechnology):
        return []
    more = more_subscribers(technology, measures)
    b4s = (technology if more is None else technology.with_subscribers(more)).in_front
    return [named_range("technology.b4s.first", b4s)] if b4s is not None else []


def _network(link: Named) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    return ipaddress.ip_interface(link.value).network


def _check_two_networks(beside: Mapping[SideName, Sequence[Named]]) -> None:
    """A DUT routes between two links."""
    for here in beside["left"]:
        for there in beside["right"]:
            if here.meets(there) and not here.first.is_link_local:  # RFC 4007 §5: of each link alone
                refuse(there.place, there.value, f"another network than {here.place}, {here.value}")


def _check_neighbours(networks: Named, hosts: Named, link: Named, dut: str) -> None:
    """`hosts` of `networks` with addresses of the link: the link alone routes to them, or to none of a network."""
    own = _network(link)
    if "/" in networks.value and ipaddress.ip_network(networks.value, strict=False).prefixlen < own.prefixlen:
        refuse(networks.place, networks.value, f"{networks.extent} outside of the link {own}, or inside of it")
    _check_without(hosts, link, dut, "the DUT's address")
    _check_of_hosts(hosts, link)


def _check_pool(pool: Named, link: Named) -> None:
    """The DUT's own address may be in it, and any that it answers for."""
    tester = str(ipaddress.ip_interface(link.value).ip)
    _check_without(pool, link, tester, "the Tester's address")
    _check_of_hosts(pool, link)


def _check_of_hosts(one: Named, link: Named) -> None:
    """The first address of an IPv4 network is its own, the last one everybody's; of IPv6 the first one routers' (RFC
    4291 §2.6.1)."""
    own = _network(link)
    if own.prefixlen >= own.max_prefixlen - 1:
        return
    if own.version == 6:
        _check_without(one, link, str(own.network_address), "the routers' address")
        return
    _check_without(one, link, str(own.network_address), "the network's address")
    _check_without(one, link, str(own.broadcast_address), "the broadcast address")


def _check_images(siit: Siit, hosts: Sequence[Named], link: Named, dut: str) -> None:
    """Of hosts that are named by their IPv4 addresses; a mapping may have other addresses that nobody has."""
    whose = {dut: "the DUT's address"}
    own = _network(link)
    if own.prefixlen < own.max_prefixlen - 1:
        whose.setdefault(str(own.network_address), "the routers' address")
    for address, of in whose.items():
        found = siit.host_of(ipaddress.IPv6Address(address))
        if found is None:
            continue
        index, host = found
        for one in hosts:
            if one.first.version == 4 and one.has_any(int(host), int(host)):
                mapped = f"which technology.eam[{index}] maps to {of} on the link {own}, {address}"
                refuse(one.place, one.value, f"{one.extent} without {host}, {mapped}")


def _check_without(one: Named, link: Named, address: str, whose: str) -> None:
    other = ipaddress.ip_address(address)
    if one.first.version == other.version and one.has_any(int(other), int(other)):
        refuse(one.place, one.value, f"{one.extent} without {whose} on the link {_network(link)}, {address}")
