"""Which technologies have rules that `check --all` tries, and by what of a bench file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, IPv6Network

from xlatperf.config.bench import Bench
from xlatperf.conformance.exchange import Exchanges
from xlatperf.conformance.nat44 import rules as nat44
from xlatperf.conformance.nat44 import ways as nat44_ways
from xlatperf.conformance.nat44.clients import Nat44Setup
from xlatperf.conformance.rfc6146 import rules as rfc6146
from xlatperf.conformance.rfc6146.setup import setup as nat64_setup
from xlatperf.conformance.rfc7599 import map_ways, napt44
from xlatperf.conformance.rfc7599 import rules as rfc7599
from xlatperf.conformance.rfc7915 import rules as rfc7915
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.stateful.clients import Pool
from xlatperf.conformance.tunnel import hairpin, tunnel_ways
from xlatperf.conformance.tunnel import rules as of_tunnels
from xlatperf.conformance.tunnel import standard as of_tunnel
from xlatperf.conformance.tunnel.standard import Standard
from xlatperf.conformance.ways import ways
from xlatperf.engine.message import SideName
from xlatperf.engine.messages import OpenAnswer, ResolveAnswer
from xlatperf.engine.shown import Shown
from xlatperf.technologies.dslite import Dslite
from xlatperf.technologies.dslite_b4 import DsliteB4
from xlatperf.technologies.lw4o6 import Lw4o6
from xlatperf.technologies.lw4o6_b4 import Lw4o6B4
from xlatperf.technologies.map_e import MapE
from xlatperf.technologies.map_e_ce import MapECe
from xlatperf.technologies.map_t import MapT
from xlatperf.technologies.map_t_ce import MapTCe
from xlatperf.technologies.nat44 import Nat44
from xlatperf.technologies.nat64 import Nat64
from xlatperf.technologies.siit import Siit

_LEAST_POOL = 2048
"""More than what `check` and all rules together open, also when each is tried three times."""
_SUBSCRIBERS = 64
"""Frames among which another subscriber's is looked for."""


@dataclass(frozen=True)
class Seen:
    """What is known of the links: the first frames, the Tester's ports, the device's addresses."""

    shown: Sequence[Shown]
    opened: OpenAnswer
    resolved: ResolveAnswer


@dataclass(frozen=True)
class Rules:
    """A technology's own: of which standards, how many exchanges, and how they are tried.

    `frames`: how many of each direction it looks at first. `least_pool`: pairs of address and port that they need.
    """

    standards: str
    count: int
    found: Callable[[Exchanges, Bench, Seen], Iterator[Finding]]
    frames: int = 1
    least_pool: int = 0


def _of_siit(exchanges: Exchanges, _: Bench, seen: Seen) -> Iterator[Finding]:
    return rfc7915.findings(exchanges, *ways(seen.shown, seen.opened, seen.resolved))


def _of_nat64(exchanges: Exchanges, bench: Bench, seen: Seen, *, technology: Nat64) -> Iterator[Finding]:
    from_ipv4, from_ipv6 = ways(seen.shown, seen.opened, seen.resolved)
    prefix = IPv6Network(technology.prefix)
    setup = nat64_setup(from_ipv6, from_ipv4, _other(bench), prefix, _pool_of(technology))
    return rfc6146.of_nat64(exchanges, setup)


def _pool_of(technology: Nat44 | Nat64) -> Pool:
    own = technology.pool
    return Pool(IPv4Address(own.first), own.addresses, own.first_port, own.last_port)


def _other(bench: Bench) -> IPv4Address:
    """The Tester's port on the right: a host that the device has a way to."""
    return IPv4Interface(bench.tester.right.ipv4).ip


def _of_nat44(exchanges: Exchanges, bench: Bench, seen: Seen, *, technology: Nat44) -> Iterator[Finding]:
    clients = nat44_ways.clients(seen.shown, seen.opened, seen.resolved, twice=technology.double_translation)
    setup = Nat44Setup(clients, _other(bench), _pool_of(technology))
    return nat44.findings(exchanges, _nat44_standard(technology), setup)


def _nat44_standard(technology: Nat44) -> nat44.Standard:
    return nat44.TWICE if technology.double_translation else nat44.ALONE


def _nat44(technology: Nat44) -> Rules:
    standard = _nat44_standard(technology)
    return Rules(standard.names, standard.count, partial(_of_nat44, technology=technology), least_pool=_LEAST_POOL)


def _of_map_t(exchanges: Exchanges, _: Bench, seen: Seen, *, border_relay: bool) -> Iterator[Finding]:
    both = map_ways.setup(seen.shown, seen.opened, seen.resolved, border_relay=border_relay)
    return rfc7599.findings(exchanges, both)


def _map_t(*, border_relay: bool) -> Rules:
    count = len(rfc7599.from_ipv4()) + len(rfc7599.from_ipv6(border_relay=border_relay, another=None))
    found = partial(_of_map_t, border_relay=border_relay)
    return Rules("RFC 7599 and RFC 7915", count, found, _SUBSCRIBERS)


def _of_map_t_clients(exchanges: Exchanges, _: Bench, seen: Seen, *, shared: IPv4Address) -> Iterator[Finding]:
    return rfc7599.of_clients(exchanges, *napt44.client_ways(seen.shown, seen.opened, seen.resolved, shared))


def _of_a_tunnel(exchanges: Exchanges, bench: Bench, seen: Seen, *, says: Standard) -> Iterator[Finding]:
    tester = bench.tester
    routers: dict[SideName, IPv6Address] = {
        "left": IPv6Interface(tester.left.ipv6).ip,
        "right": IPv6Interface(tester.right.ipv6).ip,
    }
    both = tunnel_ways.ways(seen.shown, seen.opened, seen.resolved, routers, edge=says.edge)
    return of_tunnels.findings(exchanges, says, *both)


def _of_hairpins(exchanges: Exchanges, bench: Bench, seen: Seen, *, says: Standard, to: str) -> Iterator[Finding]:
    router = IPv6Interface(bench.tester.left.ipv6).ip
    way = hairpin.hairpin_way(seen.shown, seen.opened, seen.resolved, router, to)
    return hairpin.findings(exchanges, says, way)


def _hairpin(says: Standard, to: str) -> Rules:
    found = partial(_of_hairpins, says=says, to=to)
    return Rules(f"{says.names} and RFC 2473", len(hairpin.hairpin_rules(says)), found, _SUBSCRIBERS)


def _tunnel(says: Standard) -> Rules:
    found = partial(_of_a_tunnel, says=says)
    return Rules(f"{says.names} and RFC 2473", of_tunnels.count(says), found, _SUBSCRIBERS)


NAMES = "siit, nat64, nat44, map-t, map-e, lw4o6, dslite, and map-t-ce, map-e-ce, lw4o6-b4, dslite-b4"
"""Technologies with rules."""


def rules_of(bench: Bench) -> Rules | None:
    """Of the bench's technology, in its role; None: there are none yet."""
    match bench.technology:
        case Siit():
            return Rules("RFC 7915", len(rfc7915.FROM_IPV4) + len(rfc7915.FROM_IPV6), _of_siit)
        case Nat64() as own:
            found = partial(_of_nat64, technology=own)
            return Rules("RFC 6146 and RFC 7915", rfc6146.COUNT, found, least_pool=_LEAST_POOL)
        case Nat44() as own:
            return _nat44(own)
        case MapT(hairpinning=True) | MapT(mesh=True) | MapE(mesh=True) | MapTCe(mesh=True) | MapECe(mesh=True):
            return None
        case MapT(role=role):
            return _map_t(border_relay=role == "br")
        case MapTCe(shared_address=shared):
            found = partial(_of_map_t_clients, shared=IPv4Address(shared))
            return Rules("RFC 7599 and RFC 7915", rfc7599.CLIENTS, found)
        case MapE(hairpinning=True):
            return _hairpin(of_tunnel.MAP_E, "CE")
        case MapE(role="br"):
            return _tunnel(of_tunnel.MAP_E)
        case MapE():
            return _tunnel(of_tunnel.MAP_E_CE)
        case Lw4o6(hairpinning=True):
            return _hairpin(of_tunnel.LWAFTR, "lwB4")
        case Lw4o6(role="lwaftr"):
            return _tunnel(of_tunnel.LWAFTR)
        case Lw4o6():
            return _tunnel(of_tunnel.LWB4)
        case Dslite():
            return _tunnel(of_tunnel.AFTR)
        case MapECe():
            return _tunnel(of_tunnel.MAP_E_NAT)
        case Lw4o6B4():
            return _tunnel(of_tunnel.LWB4_NAT)
        case DsliteB4():
            return _tunnel(of_tunnel.B4)
        case _:
            return None
