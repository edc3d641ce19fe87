"""Both ways through a tunnel's end, from the first frames that the engine shows of a bench's traffic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address

from xlatperf.conformance.exchange import Way
from xlatperf.conformance.nesting import carried
from xlatperf.conformance.packet import Ipv4, Ipv6
from xlatperf.conformance.translate import Pairs
from xlatperf.conformance.tunnel.ends import Outer, TunnelEnds
from xlatperf.conformance.ways import SIDES, first_ports, link, packet_of
from xlatperf.engine.message import DirectionName, SideName
from xlatperf.engine.messages import OpenAnswer, ResolveAnswer
from xlatperf.engine.shown import Shown


@dataclass(frozen=True)
class _Seen:
    """A frame as sent and as it must come: one of both is in a tunnel."""

    direction: DirectionName
    plain: Ipv4
    outer: Ipv6
    enters: bool
    inner: Ipv4

    @property
    def hops(self) -> int:
        """By which the device decrements."""
        return (self.plain.ttl - self.inner.ttl) * (1 if self.enters else -1)


def ways(
    shown: Sequence[Shown],
    opened: OpenAnswer,
    resolved: ResolveAnswer,
    routers: dict[SideName, IPv6Address],
    *,
    edge: bool,
) -> tuple[Way, Way]:
    """Into the tunnel, and out of it.

    `routers`: an address of each side that isn't a tunnel's end. `edge`: the device is a subscriber's own end (CE, B4),
    so that who sends into the tunnel is one. Raises ValueError for frames that aren't tunnelled, or
    a device without an address.
    """
    seen = [_seen(one) for one in shown]
    found = []
    for enters in (True, False):
        own = [one for one in seen if one.enters is enters]
        if not own:
            raise ValueError("no direction into the tunnel, or none out of it")
        first = own[0]
        sent = first.plain if enters else first.inner
        others = [one.outer.source for one in own if one.outer.source != first.outer.source]
        sent_from, comes_to = SIDES[first.direction]
        port_mac, device_mac = link(sent_from, "ipv4" if enters else "ipv6", opened, resolved)
        outer = Outer(
            first.outer.source,
            first.outer.destination,
            routers[comes_to if enters else sent_from],
            first.outer.hop_limit,
            others[0] if others else None,
        )
        ends = TunnelEnds(
            source=sent.source,
            destination=sent.destination,
            ports=first_ports(sent),
            pairs=Pairs({}),
            hops=first.hops,
            outer=outer,
            enters=enters,
            subscriber=0 if enters is edge else 1,
        )
        found.append(Way(ends, sent_from, comes_to, port_mac, device_mac))
    return found[0], found[1]


def _seen(shown: Shown) -> _Seen:
    sent, expected = packet_of(shown.sent.hex), packet_of(shown.expected.hex)
    enters = isinstance(sent, Ipv4)
    plain, outer = (sent, expected) if enters else (expected, sent)
    inner = carried(outer)
    if not isinstance(plain, Ipv4) or not isinstance(outer, Ipv6) or not isinstance(inner, Ipv4):
        raise ValueError("not a tunnel's end: neither what is sent nor what comes is IPv4 in IPv6")
    return _Seen(shown.direction, plain, outer, enters, inner)
