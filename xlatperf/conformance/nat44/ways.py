"""Both ways through a NAT44, from the first frames of a bench's traffic."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.conformance.exchange import Way
from xlatperf.conformance.nat44.clients import Nat44Clients
from xlatperf.conformance.nat44.ends import ClientEnds
from xlatperf.conformance.nat44.twice import TwiceEnds
from xlatperf.conformance.translate import Pairs
from xlatperf.conformance.ways import SIDES, first_ports, hops_between, link, packet_of
from xlatperf.engine.messages import OpenAnswer, ResolveAnswer
from xlatperf.engine.shown import Shown


def clients(shown: Sequence[Shown], opened: OpenAnswer, resolved: ResolveAnswer, *, twice: bool) -> Nat44Clients:
    """Of the first client and its server; `twice`: by 464XLAT.

    Raises ValueError: not both directions, or a device without an address.
    """
    ways: dict[bool, Way] = {}
    for one in shown:
        sent, expected = packet_of(one.sent.hex), packet_of(one.expected.hex)
        sent_from, comes_to = SIDES[one.direction]
        outward = one.direction == "forward"
        ends = (TwiceEnds if twice else ClientEnds)(
            sent.source,
            sent.destination,
            first_ports(sent),
            Pairs({}),
            hops_between(sent, expected),
            outward=outward,
        )
        ways.setdefault(outward, Way(ends, sent_from, comes_to, *link(sent_from, "ipv4", opened, resolved)))
    if len(ways) < len(SIDES):
        raise ValueError("no direction from clients, or none back")
    return Nat44Clients(ways[True], ways[False])
