"""The addresses of a bench file, with the keys that give them."""

from __future__ import annotations

import bisect
import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from xlatperf.config.connections import AddressRange
from xlatperf.config.tester import TesterConfig
from xlatperf.config.traffic import BackgroundHosts, Hosts, Traffic
from xlatperf.engine.message import SideName
from xlatperf.keys.addresses import any_between, no_hosts
from xlatperf.keys.pool import bounds
from xlatperf.technologies.b4s import B4s
from xlatperf.technologies.registry import AnyTechnology
from xlatperf.technologies.stateful import PoolTechnology, StatefulTechnology


@dataclass(frozen=True)
class Named:
    """Addresses that the bench file gives to somebody, first and last: each `step` so many in a row as `width` says.

    `value`: the first, as the file has it. `step`: at least `width`.
    """

    place: str
    value: str
    first: ipaddress.IPv4Address | ipaddress.IPv6Address
    last: ipaddress.IPv4Address | ipaddress.IPv6Address
    step: int = 1
    width: int = 1

    def meets(self, other: Named) -> bool:
        """Whether an address is in both."""
        if self.first.version != other.first.version:
            return False
        if self.step == 1:
            return other.has_any(int(self.first), int(self.last))
        if other.step == 1:
            return self.has_any(int(other.first), int(other.last))
        firsts = range(int(self.first), int(self.last) + 1, self.step)
        return any(other.has_any(each, each + self.width - 1) for each in firsts)

    def has_any(self, low: int, high: int) -> bool:
        """Whether one of them lies between the two, both included."""
        beyond = self.width - 1
        return any_between((int(self.first), int(self.last) - beyond), self.step, low - beyond, high)

    @property
    def count(self) -> int:
        """How many there are."""
        return ((int(self.last) - self.width + 1 - int(self.first)) // self.step + 1) * self.width

    @property
    def extent(self) -> str:
        """What there is beside the first."""
        if "/" not in self.value:
            return f"{self.count} address(es) from there on"
        in_each = ipaddress.ip_network(self.value, strict=False).num_addresses if self.step == 1 else self.width
        return f"{self.count // in_each} network(s) from there on"

    @property
    def nobodys(self) -> bool:
        """Whether no router forwards a packet to one of them."""
        return any(address.is_link_local or no_hosts(address) for address in (self.first, self.last))


class Spans:
    """Addresses without gaps, thousands of them: of MAP rules."""

    def __init__(self, spans: Iterable[Named]) -> None:
        self._spans = sorted(spans, key=lambda one: (one.first.version, int(one.first)))
        self._firsts = [(one.first.version, int(one.first)) for one in self._spans]
        self._widest: list[Named] = []
        """Of each and all of its family before it, the one that reaches farthest."""
        for one in self._spans:
            before = self._widest[-1] if self._widest else one
            reaches = before.first.version == one.first.version and int(before.last) > int(one.last)
            self._widest.append(before if reaches else one)

    def met_by(self, one: Named) -> Named | None:
        """A span that has some of these addresses, which are without gaps, too."""
        index = bisect.bisect_right(self._firsts, (one.first.version, int(one.last))) - 1
        return self._widest[index] if index >= 0 and self._widest[index].meets(one) else None


def named_network(place: str, prefix: str, count: int = 1) -> Named:
    """So many networks of this size, from it on; of an address with its length, its network."""
    first = ipaddress.ip_network(prefix, strict=False)
    last = min(int(first.network_address) + count * first.num_addresses, 2**first.max_prefixlen) - 1
    return Named(place, prefix, first.network_address, type(first.network_address)(last))


def named_hosts(place: str, hosts: Hosts | BackgroundHosts) -> Named:
    """Their networks."""
    return named_network(place, hosts.prefix, hosts.networks)


def each_host(place: str, hosts: Hosts | BackgroundHosts) -> Named:
    """The same numbers in each of their networks."""
    first = ipaddress.ip_network(hosts.prefix)
    size = first.num_addresses
    address = int(first.network_address) + hosts.host
    last = min(address + (hosts.networks - 1) * size + hosts.hosts - 1, 2**first.max_prefixlen - 1)
    of = type(first.network_address)
    return Named(place, hosts.prefix, of(address), of(last), size, hosts.hosts)


def named_range(place: str, addresses: AddressRange | B4s) -> Named:
    """Of clients, servers or B4s."""
    first = ipaddress.ip_address(addresses.first)
    return Named(place, addresses.first, first, type(first)(addresses.bounds[1]), addresses.step)


def named_pool(technology: PoolTechnology) -> Named:
    """What the DUT translates clients to."""
    place, first = "technology.pool.first", ipaddress.ip_address(technology.pool.first)
    return Named(place, technology.pool.first, first, type(first)(bounds(technology.pool)[1]))


def on_side(side: SideName, technology: AnyTechnology, traffic: Traffic) -> list[Named]:
    """Whoever is there, by their own addresses or those that stand for them; of hosts their networks."""
    return [networks for networks, _ in each_on_side(side, technology, traffic)]


def each_on_side(side: SideName, technology: AnyTechnology, traffic: Traffic) -> list[tuple[Named, Named]]:
    """The same, with the addresses of those in it."""
    of = traffic.left if side == "left" else traffic.right
    hosts: list[tuple[str, Hosts | BackgroundHosts]] = []
    if side in technology.hosts:
        hosts.append((f"traffic.{side}.hosts.prefix", of.hosts))
    if traffic.mixed:
        hosts.append((f"traffic.{side}.background_hosts.prefix", of.background_hosts))
    found = [(named_hosts(place, one), each_host(place, one)) for place, one in hosts]
    if traffic.connections is not None and isinstance(technology, StatefulTechnology):
        name = "clients" if side == "left" else "servers"
        addresses = named_range(f"traffic.connections.{name}.first", getattr(traffic.connections, name))
        found.append((addresses, addresses))
    return found


def links(technology: AnyTechnology, traffic: Traffic, tester: TesterConfig) -> dict[SideName, list[Named]]:
    """Those of a link by the Tester's address on it, of each family that is there."""
    found: dict[SideName, list[Named]] = {}
    sides: tuple[SideName, SideName] = ("left", "right")
    for side, family in zip(sides, technology.families, strict=True):
        of = tester.left if side == "left" else tester.right
        versions = sorted({family, *((6,) if traffic.mixed else ())})
        found[side] = [
            named_network(f"tester.{side}.ipv{version}", getattr(of, f"ipv{version}")) for version in versions
        ]
    return found


def global_addresses(technology: AnyTechnology, traffic: Traffic, tester: TesterConfig) -> list[tuple[str, str]]:
    """Key and value of addresses that can be somebody's: neither for benchmarks or documentation nor private."""
    named = [one for each in links(technology, traffic, tester).values() for one in each]
    named += [*on_side("left", technology, traffic), *on_side("right", technology, traffic)]
    named += [named_network(place, prefix) for place, prefix in technology.inside.items()]
    if isinstance(technology, PoolTechnology):
        named.append(named_pool(technology))
    return [(one.place, one.value) for one in named if one.first.is_global or one.last.is_global]
