"""Addresses of a bench file that contradict each other: whose a packet is must follow from its destination."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence

from xlatperf.config.check_links import check_links, named_b4s
from xlatperf.config.named_addresses import Named, Spans, links, named_network, named_pool, on_side
from xlatperf.config.tester import TesterConfig
from xlatperf.config.traffic import MOST_HOSTS, Traffic
from xlatperf.engine.message import SideName
from xlatperf.keys.addresses import HOSTS
from xlatperf.keys.in_words import plural
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.dslite import Dslite
from xlatperf.technologies.registry import AnyTechnology
from xlatperf.technologies.stateful import PoolTechnology

_BEHIND_B4S = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "192.0.0.0/29")))
"""Those of RFC 1918 and 192.0.0.0/29 (RFC 6333 §11)."""


def check_addresses(
    technology: AnyTechnology, traffic: Traffic, tester: TesterConfig, measures: Sequence[Procedure]
) -> None:
    """Raises ValueError."""
    left, right = on_side("left", technology, traffic), on_side("right", technology, traffic)
    behind = {**technology.mapped, **technology.subscriber_prefixes, **technology.way_out}
    of_technology = [named_network(place, prefix) for place, prefix in behind.items()]
    for one in (*left, *right, *of_technology, *named_b4s(technology, measures)):
        if one.nobodys:
            refuse(one.place, one.value, HOSTS)
    _check_hosts(technology, traffic)
    for there in right:
        for here in left:
            if there.meets(here):
                refuse(there.place, there.value, f"addresses on the right alone: those of {here.place} are on the left")
    _check_inside(technology, left, right)
    if isinstance(technology, PoolTechnology):
        _check_pool(named_pool(technology), left, right)
    if isinstance(technology, Dslite):
        _check_behind_b4s(left)
    check_links(technology, traffic, tester, measures)
    beside = links(technology, traffic, tester)
    subscribers = Spans(named_network(place, prefix) for place, prefix in technology.subscriber_prefixes.items())
    first_places = {prefix: place for place, prefix in reversed(list(technology.way_out.items()))}
    for prefix, place in first_places.items():
        _check_way_out(named_network(place, prefix), subscribers, (*left, *right), beside)


def _check_hosts(technology: AnyTechnology, traffic: Traffic) -> None:
    """Each network has the host that is simulated in it."""
    for name, side in (("left", traffic.left), ("right", traffic.right)):
        for group, hosts in (("hosts", side.hosts), ("background_hosts", side.background_hosts)):
            if group == "hosts" and name not in technology.hosts:
                continue
            network = ipaddress.ip_network(hosts.prefix)
            least = 1 if network.num_addresses > 2 else 0  # the network's own address (RFC 4291 §2.6.1) is no host's
            if not least <= hosts.host < network.num_addresses:
                most = network.num_addresses - 1
                numbers = f"{least} to {most}" if most else "0"
                allowed = f"{numbers}, as {network} has {plural(most + 1, 'address', 'addresses')}"
                refuse(f"traffic.{name}.{group}.host", hosts.host, allowed)
            room = min(network.num_addresses - hosts.host, MOST_HOSTS // hosts.networks)
            if hosts.hosts > room:
                why = f"{network} has from number {hosts.host} on"
                if network.num_addresses - hosts.host > room:
                    why = f"{plural(hosts.networks, 'network')} may have, {MOST_HOSTS} together"
                refuse(f"traffic.{name}.{group}.hosts", hosts.hosts, f"at most {room}, as many as {why}")


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
    out: Named, subscribers: Spans, others: Sequence[Named], beside: Mapping[SideName, Sequence[Named]]
) -> None:
    """Of an address, an end of tunnels: a link may have it, but the DUT's end of that link."""
    met = subscribers.met_by(out)
    if met is not None:
        refuse(out.place, out.value, f"outside of {met.place}, {met.value}, which subscribers have")
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
            refuse(pool.place, pool.value, f"{pool.extent}, none of {there.place}")
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
