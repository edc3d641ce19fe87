"""All rules of MAP-T that single packets show: those of RFC 7915 (RFC 7599 §8), and of who has which port."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import IPv6Address

from xlatperf.conformance.came import Came
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.fragmented import DATA, ORDERS, fault, fragments
from xlatperf.conformance.packet import Ipv4, Ipv6
from xlatperf.conformance.probe import Make, Probe, answered, describe, dropped
from xlatperf.conformance.rfc7915 import rules as rfc7915
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict

_VALIDATION = "RFC 7599 §8.3"
_OTHER_PROTOCOL = 253
"""For experiments (RFC 3692 §2.1)."""


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
    whole = ends.udp(DATA)
    parts = fragments(ends, whole)
    section = "RFC 7599 §10.2" if isinstance(whole, Ipv4) else "RFC 7599 §10.3"
    rule = Rule(section, Level.STATES, f"fragments from {_family(ends)} come through{how}")

    def judge(came: Came) -> Iterable[Finding]:
        wrong = fault(came.far, ends.translated(whole)) if came.far else came.instead()
        kept = "put together" if len(came.far) == 1 else "as fragments"
        yield Finding(rule, Verdict.NOT_KEPT, wrong) if wrong else Finding(rule, Verdict.KEPT, kept)

    return Probe(tuple(parts[at] for at in order), (rule,), judge)


def _without_ports(ends: Ends) -> Probe:
    packet = ends.packet(_OTHER_PROTOCOL, ends.data(24))
    rule = Rule("RFC 7599 §8", Level.STATES, f"a protocol without ports, from {_family(ends)}")

    def judge(came: Came) -> Iterable[Finding]:
        text = f"forwarded: {', '.join(describe(one) for one in came.far)}" if came.far else came.instead()
        yield Finding(rule, Verdict.DECIDED, text)

    return Probe((packet,), (rule,), judge)


_SPOOFED = Rule(_VALIDATION, Level.MUST, "what another CE sends with this one's port is dropped")
_TOLD = Rule(_VALIDATION, Level.SHOULD, "who sends with another's port is told: ICMPv6 1/5")


def _spoofed(ends: Ends, another: IPv6Address | None) -> tuple[Ipv6, ...]:
    own = ends.udp()
    return (replace(own, source=another),) if another is not None and isinstance(own, Ipv6) else ()


def _not_tried(rule: Rule) -> Probe:
    why = Finding(rule, Verdict.NOT_TRIED, "the traffic has just one CE")
    return Probe((), (rule,), lambda _: (why,))


def _dropped(ends: Ends, another: IPv6Address | None) -> Probe:
    packets = _spoofed(ends, another)
    return dropped(packets, _SPOOFED) if packets else _not_tried(_SPOOFED)


def _told(ends: Ends, another: IPv6Address | None) -> Probe:
    packets = _spoofed(ends, another)
    return answered(packets[0], (1, 5), _TOLD) if packets else _not_tried(_TOLD)


_BOTH_WAYS: tuple[Make, ...] = (*(partial(_fragments, order=order, how=how) for order, how in ORDERS), _without_ports)


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
