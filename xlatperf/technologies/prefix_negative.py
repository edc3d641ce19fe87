"""What a DUT with a translation prefix (RFC 6052) must refuse."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.negative import NegativeTest

_DOCUMENTATION = (0x20010DB8, 0x3FFF0999)
"""The first 32 bits of IPv6 addresses for documentation (RFC 3849, RFC 9637)."""
_BELOW = 96


def refused_prefix(prefix: str, mapped: Iterable[str], direction: DirectionName) -> NegativeTest:
    """Right destinations, but for the first 32 bits: translation prefixes have at least so many (RFC 6052 §2.2).

    `mapped`: other IPv6 networks that the DUT translates. A DUT that takes the last 32 bits of any destination forwards
    all right frames rightly.
    """
    own = [ipaddress.IPv6Network(one) for one in (prefix, *mapped)]
    for first in _DOCUMENTATION:
        network = ipaddress.IPv6Network((first << _BELOW, 128 - _BELOW))
        if any(network.overlaps(one) for one in own):
            continue
        return NegativeTest(
            "prefix",
            f"to IPv6 addresses under {network}, which isn't in the translation prefix",
            "RFC 6052 §2.3",
            must=False,
            direction=direction,
            changes=(Change("destination", flip=first << _BELOW, keep=(1 << _BELOW) - 1),),
            means=f"the DUT takes the IPv4 address out of a destination that isn't in {prefix}",
            routable=True,
        )
    return impossible_prefix(direction, "technology has both prefixes for documentation")


def impossible_prefix(direction: DirectionName, why: str) -> NegativeTest:
    """There is no destination that isn't translated."""
    what = "to IPv6 addresses that aren't in the translation prefix"
    return NegativeTest("prefix", what, "RFC 6052 §2.3", must=False, direction=direction, changes=(), impossible=why)
