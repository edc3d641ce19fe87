"""What technologies with a connection tracking table have in common (RFC 9693): clients left, servers right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from xlatperf.config.pool import PoolIPv4, PoolIPv6
from xlatperf.technologies.technology import TechnologyModel


class StatefulTechnology(TechnologyModel):
    """The base."""

    stateful: ClassVar[bool] = True
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
    def instead_of_hosts(self) -> Mapping[str, str]:
        """Clients and servers."""
        return {"left": "traffic.connections.clients", "right": "traffic.connections.servers"}

    @property
    def servers_family(self) -> int:
        """By which IP version servers are named: their own."""
        return self.families[1]
