"""All rules of MAP-T that single packets show: those of RFC 7915 (RFC 7599 §8), and of who has which port."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import IPv4Address, IPv6Address

from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.fragmented import ORDERS, come_through
from xlatperf.conformance.nat44.clients import Nat44Clients
from xlatperf.conformance.packet import EXPERIMENT, Ipv6
from xlatperf.conformance.probe import Make, Probe, answered, decided, dropped, untried
from xlatperf.conformance.rfc7915 import rules as rfc7915
from xlatperf.conformance.rule import Finding, Level, Rule
from xlatperf.conformance.stateful.sessions import Sessions

_VALIDATION = "RFC 7599 §8.3"


@dataclass(frozen=True)
class Setup:
    """Both ways. `another`: of another CE, if the traffic has one; None as well where the device is a CE."""

    from_ipv4: Way
    from_ipv6: Way
    border_relay: bool
    another: IPv6Address | None


def _family(ends: Ends) -> str:
    return "IPv6" if isinstance(ends.source, IPv6Address) else "IPv4"


def _fragments(ends: Ends, order: Sequence[int], how: str) -> Probe:
    """Of which only the first has ports."""
    section = "RFC 7599 §10.2" if isinstance(ends.source, IPv4Address) else "RFC 7599 §10.3"
    rule = Rule(section, Level.STATES, f"fragments from {_family(ends)} come through{how}")
    return come_through(ends, rule, order)


def _without_ports(ends: Ends) -> Probe:
    rule = Rule("RFC 7599 §8", Level.STATES, f"a protocol without ports, from {_family(ends)}")
    return decided(ends.packet(EXPERIMENT, ends.data(24)), rule)


_SPOOFED = Rule(_VALIDATION, Level.MUST, "what another CE sends with this one's port is dropped")
_TOLD = Rule(_VALIDATION, Level.SHOULD, "who sends with another's port is told: ICMPv6 1/5")
_ALONE = "the traffic has just one CE"


def _spoofed(ends: Ends, another: IPv6Address | None) -> tuple[Ipv6, ...]:
    own = ends.udp()
    return (replace(own, source=another),) if another is not None and isinstance(own, Ipv6) else ()


def _dropped(ends: Ends, another: IPv6Address | None) -> Probe:
    packets = _spoofed(ends, another)
    return dropped(packets, _SPOOFED) if packets else untried(_SPOOFED, _ALONE)


def _told(ends: Ends, another: IPv6Address | None) -> Probe:
    packets = _spoofed(ends, another)
    return answered(packets[0], (1, 5), _TOLD) if packets else untried(_TOLD, _ALONE)


_BOTH_WAYS: tuple[Make, ...] = (*(partial(_fragments, order=order, how=how) for order, how in ORDERS), _without_ports)


FROM_CLIENTS: tuple[Make, ...] = (*_BOTH_WAYS, *rfc7915.CLIENTS_FROM_IPV4)
TO_CLIENTS: tuple[Make, ...] = (*_BOTH_WAYS, *rfc7915.CLIENTS_FROM_IPV6)
"""Of a CE with NAPT44."""


CLIENTS = 1 + len(FROM_CLIENTS) + len(TO_CLIENTS)
"""Exchanges with it; what opens sessions as one."""


def from_ipv4() -> tuple[Make, ...]:
    """From outside to a CE, or from a CE's hosts."""
    return (*_BOTH_WAYS, *rfc7915.SHARED_FROM_IPV4)


def from_ipv6(*, border_relay: bool, another: IPv6Address | None) -> tuple[Make, ...]:
    """The other way."""
    validated: tuple[Make, ...] = (partial(_dropped, another=another), partial(_told, another=another))
    return (*(validated if border_relay else ()), *_BOTH_WAYS, *rfc7915.SHARED_FROM_IPV6)


def findings(exchanges: Exchanges, setup: Setup) -> Iterator[Finding]:
    """In the RFCs' order. Raises EngineError, EngineDied."""
    yield from exchanges.findings(setup.from_ipv4, from_ipv4())
    yield from exchanges.findings(setup.from_ipv6, from_ipv6(border_relay=setup.border_relay, another=setup.another))


def of_clients(exchanges: Exchanges, out: Way, back: Way) -> Iterator[Finding]:
    """Of a CE with NAPT44, in sessions of one of its clients. Raises EngineError, EngineDied."""
    sessions = Sessions(exchanges, Nat44Clients(out, back))
    yield from sessions.opened()
    yield from exchanges.findings(out, FROM_CLIENTS, sessions.outward)
    yield from exchanges.findings(back, TO_CLIENTS, sessions.inward)
