"""Addresses of a bench file that contradict each other: whose a packet is must follow from its destination."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

from xlatperf.config.connections import AddressRange, ConnectionSpace
from xlatperf.config.series import more_subscribers
from xlatperf.config.tester import TesterConfig
from xlatperf.config.traffic import BackgroundHosts, Hosts, Traffic
from xlatperf.keys.addresses import any_between
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.pool import bounds
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.b4s import B4s
from xlatperf.technologies.dslite import Dslite
from xlatperf.technologies.registry import AnyTechnology
from xlatperf.technologies.stateful import PoolTechnology, StatefulTechnology

_BEHIND_B4S = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "192.0.0.0/29")))
"""Those of RFC 1918 and 192.0.0.0/29 (RFC 6333 §11)."""
_NOBODYS = ("is_multicast", "is_loopback", "is_unspecified", "is_link_local")
"""Of the properties of an address in `ipaddress`: what no router forwards to a host."""


@dataclass(frozen=True)
class _Named:
    """Addresses that the bench file gives to somebody, first and last; `value`: as the file has it."""

    place: str
    value: str
    first: ipaddress.IPv4Address | ipaddress.IPv6Address
    last: ipaddress.IPv4Address | ipaddress.IPv6Address
    step: int = 1

    def meets(self, other: _Named) -> bool:
        """Whether an address is in both."""
        if self.first.version != other.first.version:
            return False
        if self.step == 1:
            return other.has_any(int(self.first), int(self.last))
        if other.step == 1:
            return self.has_any(int(other.first), int(other.last))
        return any(other.has_any(each, each) for each in range(int(self.first), int(self.last) + 1, self.step))

    def has_any(self, low: int, high: int) -> bool:
        """Whether one of them lies between the two, both included."""
        return any_between((int(self.first), int(self.last)), self.step, low, high)

    @property
    def count(self) -> int:
        """How many there are."""
        return (int(self.last) - int(self.first)) // self.step + 1

    @property
    def nobodys(self) -> bool:
        """Whether a packet can't be to one of them."""
        return any(getattr(address, kind) for kind in _NOBODYS for address in (self.first, self.last))


def check_addresses(
    technology: AnyTechnology, traffic: Traffic, tester: TesterConfig, measures: Sequence[Procedure]
) -> None:
    """Raises ValueError."""
    left, right = _side("left", technology, traffic), _side("right", technology, traffic)
    for one in (*left, *right):
        if one.nobodys:
            refuse(one.place, one.value, "addresses of hosts: no multicast, loopback, link-local or unspecified ones")
    _check_networks(technology, traffic, tester)
    if isinstance(technology, StatefulTechnology) and traffic.connections is not None:
        more = more_subscribers(technology, measures)
        largest = technology if more is None else technology.with_subscribers(more)
        _check_ranges(largest, traffic.connections, tester)
    for there in right:
        for place, prefix in technology.inside.items():
            if there.meets(_network(place, prefix, 1)):
                refuse(there.place, there.value, f"addresses outside of {place}, {prefix}, which are on the left")
        for here in left:
            if there.meets(here):
                refuse(there.place, there.value, f"addresses on the right alone: those of {here.place} are on the left")
    if isinstance(technology, PoolTechnology):
        _check_pool(_pool(technology), left, right)
    if isinstance(technology, Dslite):
        _check_behind_b4s(left)


def _side(side: str, technology: AnyTechnology, traffic: Traffic) -> list[_Named]:
    """Whoever is there, by their own addresses or those that stand for them."""
    of = traffic.left if side == "left" else traffic.right
    found = []
    if side in technology.hosts:
        found.append(_hosts(f"traffic.{side}.hosts.prefix", of.hosts))
    if any(take < among for take, among in traffic.mix):
        found.append(_hosts(f"traffic.{side}.background_hosts.prefix", of.background_hosts))
    if traffic.connections is not None and isinstance(technology, StatefulTechnology):
        name = "clients" if side == "left" else "servers"
        found.append(_range(f"traffic.connections.{name}.first", getattr(traffic.connections, name)))
    return found


def _hosts(place: str, hosts: Hosts | BackgroundHosts) -> _Named:
    return _network(place, hosts.prefix, hosts.networks)


def _network(place: str, prefix: str, count: int) -> _Named:
    first = ipaddress.ip_network(prefix, strict=False)
    last = min(int(first.network_address) + count * first.num_addresses, 2**first.max_prefixlen) - 1
    return _Named(place, prefix, first.network_address, type(first.network_address)(last))


def _range(place: str, addresses: AddressRange | B4s) -> _Named:
    first = ipaddress.ip_address(addresses.first)
    return _Named(place, addresses.first, first, type(first)(addresses.bounds[1]), addresses.step)


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
            if _hosts("", hosts).meets(_network("", own, 1)):
                refuse(
                    f"traffic.{name}.{group}.networks",
                    hosts.networks,
                    f"the networks from {first} on reach the link {own} of tester.{name}; use fewer, or another link",
                )


def _check_ranges(technology: StatefulTechnology, space: ConnectionSpace, tester: TesterConfig) -> None:
    """Neither can clients, servers, what is in front of the clients, and the pool."""
    clients = (
        ("technology.b4s.first", technology.in_front)
        if technology.in_front is not None
        else (("traffic.connections.clients.first", space.clients))
    )
    beyond = [("left", _range(*clients)), ("right", _range("traffic.connections.servers.first", space.servers))]
    if isinstance(technology, PoolTechnology):
        beyond.insert(0, ("right", _pool(technology)))
    for side, one in beyond:
        link = tester.left if side == "left" else tester.right
        own = str(ipaddress.ip_interface(link.ipv4 if one.first.version == 4 else link.ipv6).network)
        if one.meets(_network("", own, 1)):
            said = f"{one.count} address(es) from there on outside of the link {own} of tester.{side}"
            refuse(one.place, one.value, said)


def _check_pool(pool: _Named, left: list[_Named], right: list[_Named]) -> None:
    if pool.nobodys:
        refuse(pool.place, pool.value, "addresses that packets can be sent to")
    for there in right:
        if pool.meets(there):
            refuse(pool.place, pool.value, f"{pool.count} address(es) from there on, none of {there.place}")
    for here in left:
        if pool.meets(here):
            refuse(pool.place, pool.value, f"addresses on the right alone: those of {here.place} are on the left")


def _pool(technology: PoolTechnology) -> _Named:
    first = ipaddress.ip_address(technology.pool.first)
    return _Named("technology.pool.first", technology.pool.first, first, type(first)(bounds(technology.pool)[1]))


def _check_behind_b4s(left: list[_Named]) -> None:
    """RFC 6333 §11: an AFTR drops packets from any other address."""
    for one in left:
        if one.first.version == 4 and not any(one.first in network and one.last in network for network in _BEHIND_B4S):
            refuse(
                one.place,
                one.value,
                f"addresses in {', '.join(map(str, _BEHIND_B4S))}: an AFTR drops packets from others (RFC 6333 §11)",
            )


def global_addresses(technology: AnyTechnology, traffic: Traffic, tester: TesterConfig) -> list[tuple[str, str]]:
    """Key and value of addresses that can be somebody's: neither for benchmarks or documentation nor private."""
    named = [
        _network(f"tester.{name}.ipv{version}", getattr(side, f"ipv{version}"), 1)
        for name, side, families in zip(
            ("left", "right"), (tester.left, tester.right), _families_of_links(technology, traffic), strict=True
        )
        for version in families
    ]
    named += [*_side("left", technology, traffic), *_side("right", technology, traffic)]
    named += [_network(place, prefix, 1) for place, prefix in technology.inside.items()]
    if isinstance(technology, PoolTechnology):
        named.append(_pool(technology))
    return [(one.place, one.value) for one in named if one.first.is_global or one.last.is_global]


def _families_of_links(technology: AnyTechnology, traffic: Traffic) -> list[list[int]]:
    mixed = any(take < among for take, among in traffic.mix)
    return [sorted({family, *((6,) if mixed else ())}) for family in technology.families]
