"""Both ways through a border relay or a CE of MAP-T, from the first frames of a bench's traffic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from ipaddress import IPv6Address

from xlatperf.conformance.exchange import Way
from xlatperf.conformance.rfc7599.rules import Setup
from xlatperf.conformance.ways import each_way
from xlatperf.engine.messages import OpenAnswer, ResolveAnswer
from xlatperf.engine.shown import Shown


def setup(shown: Sequence[Shown], opened: OpenAnswer, resolved: ResolveAnswer, *, border_relay: bool) -> Setup:
    """Each way between ends of its own: an IPv4 address may be several CEs'.

    Raises ValueError for frames that aren't translated, or a device without an address.
    """
    found = each_way(shown, opened, resolved)
    from_ipv6 = [one for one in found if isinstance(one.ends.source, IPv6Address)]
    from_ipv4 = [one for one in found if one not in from_ipv6]
    if not from_ipv4 or not from_ipv6:
        raise ValueError("no direction from IPv4 to IPv6, or none back")
    own = from_ipv6[0].ends.source
    others = [one.ends.source for one in from_ipv6 if border_relay and one.ends.source != own]
    another = next((one for one in others if isinstance(one, IPv6Address)), None)
    return Setup(
        _between(from_ipv4[0], 1 if border_relay else 0),
        _between(from_ipv6[0], 0 if border_relay else 1),
        border_relay,
        another,
    )


def _between(way: Way, subscriber: int) -> Way:
    return replace(way, ends=replace(way.ends, subscriber=subscriber))
