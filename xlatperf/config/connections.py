"""`[traffic.connections]`: what the connections through a stateful DUT are made of (RFC 9693 §3.2, §4.1, §4.4)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Literal

from pydantic import model_validator

from xlatperf.keys.addresses import Address, any_between
from xlatperf.keys.limits import MOST_CONNECTIONS
from xlatperf.keys.model import ConfigModel, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.port_ranges import ClientPorts, ServerPorts

MOST_CLIENTS = 2**24
"""Of all gateways."""


class AddressRange(ConfigModel):
    """Address i is first + i * step."""

    first: Address
    addresses: Whole = key(
        1,
        "how many addresses",
        ge=1,
        le=65536,
        source="RFC 9693 §3.1: one; §3.2: several, with fewer ports each (§4.1)",
    )
    step: Whole = key(
        1,
        "distance of two addresses; IPv6: 65536, so that bits 96 to 111 vary",
        ge=1,
        le=2**63 - 1,
        source="RFC 9693 §3.2",
    )

    @property
    def version(self) -> int:
        """4 or 6."""
        return ipaddress.ip_address(self.first).version

    @property
    def bounds(self) -> tuple[int, int]:
        """First and last address as numbers."""
        first = int(ipaddress.ip_address(self.first))
        return first, first + (self.addresses - 1) * self.step

    @model_validator(mode="after")
    def _fits(self) -> AddressRange:
        if self.bounds[1] >= 2 ** (32 if self.version == 4 else 128):
            refuse("addresses", self.addresses, "the addresses end before that")
        return self

    def holds_any(self, first: int, last: int) -> bool:
        """Whether one of the addresses lies between the two, both included."""
        return any_between(self.bounds, self.step, first, last)


class Clients(AddressRange):
    """Behind the left side: they open connections."""

    first: Address = key(
        "10.0.0.2",
        "the first client's address",
        allowed="an IPv4 address such as 10.0.0.2, or an IPv6 address such as 2001:2::2",
        source="RFC 9693 §3.1, §3.2",
    )


class Servers(AddressRange):
    """Behind the right side; with nat64 named by their IPv4 addresses."""

    first: Address = key(
        "198.19.0.2",
        "the first server's address (nat64: IPv4)",
        allowed="an IPv4 address such as 198.19.0.2, or an IPv6 address such as 2001:2:0:8000::2",
        source="RFC 9693 §3.1, §3.2",
    )


class ConnectionSpace(ConfigModel):
    """`[traffic.connections]`: clients x client ports x servers x server ports; a connection is one of these tuples."""

    clients: Clients = key(None, "who opens connections", default_factory=Clients)
    client_ports: ClientPorts = key(None, "their source ports", default_factory=ClientPorts)
    servers: Servers = key(None, "to whom", default_factory=Servers)
    server_ports: ServerPorts = key(None, "the destination ports", default_factory=ServerPorts)
    enumeration: Literal["pseudorandom", "increasing", "decreasing"] = key(
        "pseudorandom",
        "in which order phase 1 goes through all connections",
        source="RFC 9693 §4.4: pseudorandom required, the others may be measured beside",
    )
    read_order: Literal["pseudorandom", "round_robin"] = key(
        "pseudorandom",
        "in which order the Responder uses the connections that it has learnt",
        source="RFC 9693 §4.10: pseudorandom recommended",
    )
    write_order: Literal["round_robin", "pseudorandom"] = key(
        "round_robin", "in which order it keeps them", source="RFC 9693 §4.10: round robin recommended"
    )

    def with_ports(self, client: ClientPorts | None, server: ServerPorts | None) -> ConnectionSpace:
        """With other ports; None: the same."""
        given = {name: ports for name, ports in (("client_ports", client), ("server_ports", server)) if ports}
        return self.model_copy(update=given)


@dataclass(frozen=True)
class FourTuples:
    """All that connections can be. `gateways`: how many times all clients are there, behind one of them each time."""

    space: ConnectionSpace
    gateways: int = 1

    @property
    def clients(self) -> int:
        """Of all gateways."""
        return self.gateways * self.space.clients.addresses

    @property
    def of_one_server_port(self) -> int:
        """Four tuples with one server port."""
        return self.clients * self.space.servers.addresses * self.space.client_ports.ports

    @property
    def size(self) -> int:
        """How many connections there can be at once."""
        return min(MOST_CONNECTIONS, self.of_one_server_port * self.space.server_ports.ports)

    def right_hand_tuples(self, count: int, pool: int) -> int:
        """How many four tuples the DUT has on its right side for `count` connections; `pool`: addresses x ports."""
        used = -(-count // self.of_one_server_port)
        return pool * self.space.servers.addresses * used
