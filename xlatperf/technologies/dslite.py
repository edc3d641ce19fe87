"""The AFTR of DS-Lite."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from xlatperf.engine.message import DirectionName
from xlatperf.keys.addresses import IPv6
from xlatperf.keys.model import REQUIRED, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.pool import PoolIPv4
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.b4s import B4s
from xlatperf.technologies.in_a_row import InARow, nat44, table_of
from xlatperf.technologies.stateful import PoolTechnology
from xlatperf.technologies.technology import AddressPlan
from xlatperf.technologies.tunnel import TunnelTechnology

_NOT_PRIVATE = int(ipaddress.IPv4Address("203.0.113.0"))
MOST_SESSIONS = 65535
_WELL_KNOWN_PORTS = 1024


class Dslite(TunnelTechnology, PoolTechnology):
    """An AFTR (RFC 6333): tunnels from B4s, and NAT44 in which the same clients may be behind every B4."""

    title: ClassVar[str] = "DS-Lite AFTR"
    verb: ClassVar[str] = "translated"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"dslite": {}}

    name: Literal["dslite"] = key(REQUIRED, "technology")
    aftr: IPv6 = key(
        "2001:2:0:6000::1",
        "the AFTR's end of all tunnels",
        allowed="an IPv6 address such as 2001:2:0:6000::1",
        source="RFC 6333 §5.4, §6.5",
    )
    b4s: B4s = key(None, "the tunnels' other ends", default_factory=B4s)
    pool: PoolIPv4 = key(None, "what the DUT translates clients to", default_factory=PoolIPv4)
    sessions: Whole | None = key(
        None,
        "how many connections of one B4 the DUT allows; not set: no such limit is tested",
        ge=1,
        le=MOST_SESSIONS,
        source="RFC 6888 REQ-4",
    )

    @model_validator(mode="after")
    def _two_ends(self) -> Dslite:
        aftr = int(ipaddress.IPv6Address(self.aftr))
        if self.b4s.holds_any(aftr, aftr):
            refuse("aftr", self.aftr, "an address that no B4 of b4s has")
        return self

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """IPv6 is between B4s and AFTR."""
        return 6, 4

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """RFC 9693 §3.1."""
        return AddressPlan("ipv6", client="10.0.0.2", server="198.19.0.2")

    def in_a_row(self) -> InARow | None:
        """With the only B4 in front of it (RFC 6333 §5, §6)."""
        if self.b4s.count != 1 and "count" in self.b4s.model_fields_set:
            refuse("b4s.count", self.b4s.count, "1 with two devices in a row, of which the left one is that B4")
        return InARow(
            ("B4", "AFTR"),
            left={"name": "dslite-b4", "b4": self.b4s.first, "aftr": self.aftr},
            right={**table_of(self), "b4s": {**table_of(self.b4s), "count": 1}},
            both=nat44(table_of(self.pool), translated_twice=False),
        )

    @property
    def clients_family(self) -> int:
        """They are in tunnels."""
        return 4

    @property
    def way_out(self) -> Mapping[str, str]:
        """The AFTR."""
        return {"technology.aftr": self.aftr}

    @property
    def in_front(self) -> B4s:
        """RFC 6333 §6.6."""
        return self.b4s

    @property
    def instead_of_hosts(self) -> Mapping[str, str]:
        """B4s first: how many subscribers there are is said by them."""
        return {"left": "technology.b4s and traffic.connections.clients", "right": "traffic.connections.servers"}

    @property
    def subscribers(self) -> int:
        """B4s."""
        return self.b4s.count

    @property
    def possible_subscribers(self) -> range:
        """B4s: all that are there from the first one on, or up to the AFTR."""
        number, rest = divmod(int(ipaddress.IPv6Address(self.aftr)) - self.b4s.bounds[0], self.b4s.step)
        most = self.b4s.most
        return range(1, (min(most, number) if rest == 0 and number > 0 else most) + 1)

    def with_subscribers(self, count: int) -> Self:
        """So many B4s."""
        return self.model_copy(update={"b4s": self.b4s.model_copy(update={"count": count})})

    def part(self, part: int) -> Self:  # noqa: ARG002 - there is one
        """The first B4 alone."""
        return self.with_subscribers(1)

    def message(self) -> dict[str, Any]:
        """What the engine and the DUT must know."""
        return {name: value for name, value in super().message().items() if name != "sessions"}

    @property
    def encapsulated(self) -> DirectionName:
        """Towards the B4s."""
        return "reverse"

    def negative_tests(self) -> Sequence[NegativeTest]:
        """RFC 6333 §6, §11."""
        return [
            NegativeTest(
                "source_address",
                "from an IPv4 address that isn't private",
                "RFC 6333 §11",
                must=True,
                direction="forward",
                changes=(Change("source", keep=0xFF, flip=_NOT_PRIVATE),),
            ),
            NegativeTest(
                "aftr",
                "with another IPv6 address than the AFTR's",
                "RFC 6333 §6.5",
                must=False,
                direction="forward",
                changes=(Change("outer_destination", flip=2),),
                routable=True,
            ),
            NegativeTest(
                "nobodys_port",
                "to a port that nobody has",
                "RFC 6333 §6.6",
                must=False,
                direction="reverse",
                changes=(Change("destination_port", keep=_WELL_KNOWN_PORTS - 1),),
                impossible="" if self.pool.first_port >= _WELL_KNOWN_PORTS else "technology.pool has ports below 1024",
            ),
            NegativeTest(
                "sessions",
                "on more connections than a B4 may have"
                if self.sessions is None
                else f"on more connections than the {self.sessions} that a B4 may have",
                "RFC 6888 REQ-4",
                must=False,
                direction="forward",
                changes=(),
                part=0,
                beyond=self.sessions,
                impossible="" if self.sessions is not None else "technology.sessions isn't set",
            ),
        ]
