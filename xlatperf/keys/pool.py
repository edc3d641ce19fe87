"""`[technology.pool]`: the addresses and ports that a stateful DUT translates its clients to."""

from __future__ import annotations

import ipaddress

from pydantic import model_validator

from xlatperf.keys.addresses import IPv4, IPv6
from xlatperf.keys.model import ConfigModel, Whole, key
from xlatperf.keys.not_allowed import refuse

_PORTS_SOURCE = "RFC 4787 §4.2.1, REQ-3 a): a client's port from 1024 on stays there"


class Pool(ConfigModel):
    """Consecutive addresses, each with the same range of ports. A frame that comes from elsewhere is wrong."""

    addresses: Whole = key(1, "number of consecutive addresses", ge=1, le=65536, source="RFC 9693 §3.1: one")
    first_port: Whole = key(1024, "lowest port", ge=0, le=65535, source=_PORTS_SOURCE)
    last_port: Whole = key(65535, "highest port", ge=0, le=65535, source=_PORTS_SOURCE)

    @model_validator(mode="after")
    def _ordered(self) -> Pool:
        if self.first_port > self.last_port:
            refuse("first_port", self.first_port, f"at most last_port, {self.last_port}")
        return self

    @property
    def size(self) -> int:
        """Pairs of address and port."""
        return self.addresses * (self.last_port - self.first_port + 1)


class PoolIPv4(Pool):
    """Of NAT44 and NAT64."""

    first: IPv4 = key(
        "198.19.0.1",
        "the first address; the DUT's own, gateway_ipv4 of the right link, if it masquerades",
        allowed="an IPv4 address such as 198.19.0.1, no server's",
        source="RFC 9693 §3.1: 198.19.0.1; §3.2: several from 198.18.0.1 on",
    )


class PoolIPv6(Pool):
    """Of NAT66."""

    first: IPv6 = key(
        "2001:2:0:8000::1",
        "the first address; the DUT's own, gateway_ipv6 of the right link, if it masquerades",
        allowed="an IPv6 address such as 2001:2:0:8000::1, no server's",
        source="RFC 5180 §5.2.1: the DUT is ::1 of the range's second half",
    )


def bounds(pool: PoolIPv4 | PoolIPv6) -> tuple[int, int]:
    """First and last address as numbers."""
    first = int(ipaddress.ip_address(pool.first))
    return first, first + pool.addresses - 1
