"""What technologies with a connection tracking table have in common (RFC 9693): clients left, servers right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import ValidationError

from xlatperf.keys.pool import PoolIPv4, PoolIPv6
from xlatperf.technologies.b4s import B4s
from xlatperf.technologies.technology import AddressPlan, TechnologyModel


class StatefulTechnology(TechnologyModel):
    """The base."""

    stateful: ClassVar[bool] = True

    @property
    def instead_of_hosts(self) -> Mapping[str, str]:
        """Clients and servers."""
        return {"left": "traffic.connections.clients", "right": "traffic.connections.servers"}

    @property
    def clients_family(self) -> int:
        """Of which IP version clients are."""
        return self.families[0]

    @property
    def servers_family(self) -> int:
        """By which IP version servers are named: their own."""
        return self.families[1]

    @property
    def in_front(self) -> B4s | None:
        """Behind each of these are all clients; None: they are themselves on the left."""
        return None

    @property
    def gateways(self) -> int:
        """How many times all clients are there."""
        return 1 if self.in_front is None else self.in_front.count

    @property
    def pool_size(self) -> int:
        """Pairs of address and port that clients are translated to."""
        raise NotImplementedError

    @property
    def pool_in_words(self) -> str:
        """What they are."""
        raise NotImplementedError


class PoolTechnology(StatefulTechnology):
    """Whose addresses are said by `technology.pool`."""

    pool_plan: ClassVar[Mapping[str, str]] = {"one": "198.19.0.1", "several": "198.18.0.1"}
    """The pool's first address, of one or of several (RFC 9693 §3.1, §3.2)."""

    pool: PoolIPv4 | PoolIPv6

    @classmethod
    def fill(cls, table: dict[str, Any]) -> None:
        """The pool's first address."""
        pool = table.setdefault("pool", {})
        if isinstance(pool, dict):
            several = isinstance(pool.get("addresses"), int) and pool["addresses"] > 1
            pool.setdefault("first", cls.pool_plan["several" if several else "one"])

    @property
    def pool_size(self) -> int:
        """The pool's."""
        return self.pool.size

    @property
    def pool_in_words(self) -> str:
        """The key says it."""
        return "pairs of address and port of technology.pool"


class EdgeTechnology(StatefulTechnology):
    """A customer's edge with NAPT44, whose hosts share its address and ports; IPv6 is between it and the operator."""

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """IPv4 of its hosts, IPv6 of the operator."""
        return 4, 6

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """RFC 9693 §3.1; clients use half as many ports as the edge has, so that none of them must wait for one."""
        plan = AddressPlan("ipv6", client="10.0.0.2", server="198.19.0.2")
        try:
            return replace(plan, client_ports=max(1, cls.model_validate(table).pool_size // 2))
        except ValidationError:  # which is told when the file is checked
            return plan

    @property
    def servers_family(self) -> int:
        """They are outside, on the Internet."""
        return 4
