"""`[technology.b4s]`: the B4s in front of an AFTR (RFC 6333 §5), whose part the Tester plays."""

from __future__ import annotations

import ipaddress

from pydantic import model_validator

from xlatperf.keys.addresses import IPv6, any_between
from xlatperf.keys.limits import MOST_SUBSCRIBERS
from xlatperf.keys.model import ConfigModel, Whole, key
from xlatperf.keys.not_allowed import refuse

FIRST_B4 = "2001:2:0:4000::2"


class B4s(ConfigModel):
    """One is in each of `count` consecutive networks. Behind each of them are all clients of traffic.connections."""

    first: IPv6 = key(
        FIRST_B4,
        "the first one's address",
        allowed="an IPv6 address such as 2001:2:0:4000::2",
        source="RFC 6333 §5.7; RFC 5180 §5.2.1: the range's first half is left",
    )
    count: Whole = key(
        1000, "how many", ge=1, le=MOST_SUBSCRIBERS, source="RFC 6333 §6.6: the B4 is a part of the connection"
    )
    network_length: Whole = key(
        64,
        "length of the networks; 128: the addresses are consecutive",
        ge=32,
        le=128,
        source="RFC 7084 WPD-1: customers have prefixes of their own",
    )

    @property
    def addresses(self) -> int:
        """One each."""
        return self.count

    @property
    def step(self) -> int:
        """Distance of two addresses."""
        return 1 << (128 - self.network_length)

    @property
    def bounds(self) -> tuple[int, int]:
        """First and last address as numbers."""
        first = int(ipaddress.IPv6Address(self.first))
        return first, first + (self.count - 1) * self.step

    @property
    def most(self) -> int:
        """How many there can be from the first one on."""
        return min(MOST_SUBSCRIBERS, ((1 << 128) - 1 - self.bounds[0]) // self.step + 1)

    @model_validator(mode="after")
    def _fits(self) -> B4s:
        if self.bounds[1] >= 1 << 128:
            refuse("count", self.count, "the addresses end before that")
        return self

    def holds_any(self, first: int, last: int) -> bool:
        """Whether one of the addresses lies between the two, both included."""
        return any_between(self.bounds, self.step, first, last)
