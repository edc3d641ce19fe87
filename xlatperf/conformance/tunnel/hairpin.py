"""From a subscriber to another, out of one tunnel and into the other (RFC 7596 §6.2, RFC 7597 §5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv6Address

from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.nesting import carried
from xlatperf.conformance.packet import Ipv4, Ipv6, Packet
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.through import fragment_rules, through_rules
from xlatperf.conformance.translate import Pairs
from xlatperf.conformance.tunnel.decapsulation import decapsulation_rules
from xlatperf.conformance.tunnel.encapsulation import encapsulation_rules
from xlatperf.conformance.tunnel.ends import Outer, TunnelEnds, TunnelMake, makes
from xlatperf.conformance.tunnel.fragments import outer_fragments
from xlatperf.conformance.tunnel.standard import Standard
from xlatperf.conformance.ways import SIDES, first_ports, link, packet_of
from xlatperf.engine.messages import OpenAnswer, ResolveAnswer
from xlatperf.engine.shown import Shown


@dataclass(frozen=True, kw_only=True)
class HairpinEnds(TunnelEnds):
    """`beyond`: of the other subscriber's tunnel. `to`: who that is."""

    beyond: Outer
    to: str = "lwB4"

    @property
    def way(self) -> str:
        """In words."""
        return f"to another {self.to}"

    @property
    def written(self) -> Outer:
        """Of the tunnel behind the device."""
        return self.beyond

    def is_answer(self, packet: Packet) -> bool:
        """What goes to the sender comes on the same side."""
        return isinstance(packet, Ipv6) and packet.destination == self.outer.source


def hairpin_rules(says: Standard) -> tuple[TunnelMake, ...]:
    """All of one way, which is the only one."""
    # The identifier of an echo would be in the sets of both (RFC 7596 §8.1, RFC 7597 §8.2).
    one_way = replace(says.out, errors=says.into.errors, echoes=())
    return (
        *encapsulation_rules(says),
        *through_rules(one_way, shared=says.shared),
        *decapsulation_rules(says),
        *fragment_rules(one_way),
        *outer_fragments(says),
    )


def findings(exchanges: Exchanges, says: Standard, way: Way) -> Iterator[Finding]:
    """Of an lwAFTR or a border relay. Raises EngineError, EngineDied."""
    yield from exchanges.findings(way, makes(hairpin_rules(says)))


def hairpin_way(
    shown: Sequence[Shown], opened: OpenAnswer, resolved: ResolveAnswer, router: IPv6Address, to: str
) -> Way:
    """From the first subscriber to another; `to`: what they are.

    Raises ValueError for frames that aren't in tunnels, or a device without an address.
    """
    outers = [(one, packet_of(one.sent.hex), packet_of(one.expected.hex)) for one in shown]
    first, sent, expected = outers[0]
    inner, made = carried(sent), carried(expected)
    if not isinstance(sent, Ipv6) or not isinstance(expected, Ipv6):
        raise ValueError("not from tunnel to tunnel")
    if not isinstance(inner, Ipv4) or not isinstance(made, Ipv4):
        raise ValueError("not from tunnel to tunnel")
    sent_from, _ = SIDES[first.direction]
    others = [one.source for _, one, _ in outers if isinstance(one, Ipv6) and one.source != sent.source]
    ends = HairpinEnds(
        source=inner.source,
        destination=inner.destination,
        ports=first_ports(inner),
        pairs=Pairs({}),
        hops=inner.ttl - made.ttl,
        outer=Outer(sent.source, sent.destination, router, sent.hop_limit, others[0] if others else None),
        beyond=Outer(expected.source, expected.destination, router, expected.hop_limit),
        enters=False,
        to=to,
    )
    return Way(ends, sent_from, sent_from, *link(sent_from, "ipv6", opened, resolved))
