"""`[technology.pool]`: the addresses and ports that a stateful DUT translates its clients to."""

from __future__ import annotations

import ipaddress

from pydantic import model_validator

from xlatperf.keys.addresses import IPv4, IPv6
from xlatperf.keys.model import ConfigModel, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.port_set import PORT_BITS, port_set

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
    def ports(self) -> int:
        """Of each address."""
        return self.last_port - self.first_port + 1

    @property
    def size(self) -> int:
        """Pairs of address and port."""
        return self.addresses * self.ports


class PoolIPv4(Pool):
    """Of NAT44 and NAT64."""

    first: IPv4 = key(
        "198.19.0.1",
        "the first address; the DUT's own, gateway_ipv4 of the right link, if it masquerades",
        allowed="an IPv4 address such as 198.19.0.1, no server's",
        source="RFC 9693 §3.1: 198.19.0.1; §3.2: several from 198.18.0.1 on",
    )
    psid_length: Whole = key(
        0,
        "bits of the DUT's PSID, if it shares the addresses: of the ports only those of its port set; 0: it doesn't",
        ge=0,
        le=16,
        source="RFC 7597 §5.1, RFC 7596 §5.1",
    )
    psid_offset: Whole = key(0, "bits before the PSID in a port", ge=0, le=15, source="RFC 7597 §5.1")
    psid: Whole = key(0, "the PSID", ge=0, le=65535, source="RFC 7597 §5.1")

    @model_validator(mode="after")
    def _some_port(self) -> PoolIPv4:
        if self.psid_offset + self.psid_length > PORT_BITS:
            refuse(
                "psid_length", self.psid_length, f"0 to {PORT_BITS - self.psid_offset}, as psid_offset has the others"
            )
        if self.psid >= 1 << self.psid_length:
            refuse("psid", self.psid, f"less than {1 << self.psid_length}: psid_length says so")
        if not self.psid_length and self.psid_offset:
            refuse("psid_offset", self.psid_offset, "0 without psid_length")
        if not self.ports:
            refuse("psid", self.psid, f"one with a port from {self.first_port} to {self.last_port}")
        return self

    @property
    def ports(self) -> int:
        """Of each address: those between the two, and of these those of the port set."""
        if not self.psid_length:
            return super().ports
        between = range(self.first_port, self.last_port + 1)
        own = port_set(self.psid_offset, self.psid_length, self.psid)
        return sum(max(0, min(one.stop, between.stop) - max(one.start, between.start)) for one in own)


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
