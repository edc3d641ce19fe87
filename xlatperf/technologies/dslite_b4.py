"""The B4 of DS-Lite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from xlatperf.engine.message import DirectionName
from xlatperf.keys.addresses import IPv6
from xlatperf.keys.model import REQUIRED, key
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.b4s import FIRST_B4
from xlatperf.technologies.technology import AddressPlan
from xlatperf.technologies.tunnel import TunnelTechnology


class DsliteB4(TunnelTechnology):
    """A B4 (RFC 6333 §5): private IPv4 on the left, one tunnel to the AFTR on the right, no translation."""

    title: ClassVar[str] = "DS-Lite B4"
    templates: ClassVar[Mapping[str, Mapping[str, Any]]] = {"dslite-b4": {}}

    name: Literal["dslite-b4"] = key(REQUIRED, "technology")
    b4: IPv6 = key(
        FIRST_B4,
        "the DUT's end of the tunnel",
        allowed="an IPv6 address such as 2001:2:0:4000::2",
        source="RFC 6333 §5.7",
    )
    aftr: IPv6 = key(
        "2001:2:0:c000::1",
        "the AFTR's, which the Tester plays",
        allowed="an IPv6 address such as 2001:2:0:c000::1",
        source="RFC 6333 §5.4",
    )

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """IPv6 is between B4 and AFTR."""
        return 4, 6

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """RFC 6333 §11: private addresses behind it."""
        return AddressPlan("ipv6", {"left": "10.0.0.0/24", "right": "198.19.0.0/24"})

    @property
    def way_out(self) -> Mapping[str, str]:
        """The AFTR."""
        return {"technology.aftr": self.aftr}

    @property
    def hosts(self) -> Mapping[str, int]:
        """All are named by their IPv4 addresses."""
        return {"left": 4, "right": 4}

    @property
    def encapsulated(self) -> DirectionName:
        """From the B4."""
        return "forward"

    def negative_tests(self) -> Sequence[NegativeTest]:
        """Of what comes from the right: everything may go there."""
        return [
            NegativeTest(
                "aftr",
                "with another IPv6 address than the AFTR's",
                "RFC 6333 §5.4",
                must=False,
                direction="reverse",
                changes=(Change("outer_source", flip=2),),
            ),
            NegativeTest(
                "b4",
                "with another IPv6 address than the B4's",
                "RFC 6333 §5.7",
                must=False,
                direction="reverse",
                changes=(Change("outer_destination", flip=1 << 16),),
                routable=True,
            ),
        ]
