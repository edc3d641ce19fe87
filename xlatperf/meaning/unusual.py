"""What frames of a bench file may have, or lack, that a DUT doesn't bear: it loses them all, and usual ones come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from xlatperf.config.bench import Bench
from xlatperf.engine.message import DIRECTIONS, DirectionName


@dataclass(frozen=True)
class Unusual:
    """`usual`: what else such frames are, behind the name of a trial of them. `but`: what the usual ones have.

    `drops`: what the DUT does with the others if the usual ones come. `rule`: what it must do. `key`: its value makes
    frames the usual ones. `allowed`: the DUT may drop the others, so that nothing is wrong with it.
    """

    usual: str
    but: str
    drops: str
    rule: str
    key: str
    bench: Callable[[Bench], Bench]
    allowed: bool

    @property
    def verdict(self) -> str:
        """Where it may drop them, and does."""
        return (
            f"the DUT drops {self.drops}, as it may ({self.rule}); {self.but} all came back as it must, and so alone "
            f"there is something to measure in that direction: {self.key}"
        )

    def why(self, *, came: bool) -> str:
        """Why all may be lost; `came`: the usual ones did, in a trial that was like it but for that."""
        if came:
            return f"{self.but} the same frames all came, so the DUT drops {self.drops}: {self.rule}"
        return f"the DUT may drop {self.drops} ({self.rule}): do they come with {self.key}?"


def _with_checksum(bench: Bench) -> Bench:
    return bench.model_copy(update={"traffic": bench.traffic.model_copy(update={"udp_checksum": True})})


def _without_limit(bench: Bench) -> Bench:
    return bench.model_copy(update={"technology": bench.technology.without_options()})


NO_CHECKSUM = Unusual(
    usual=", with a UDP checksum",
    but="with a UDP checksum",
    drops="IPv4 UDP without a checksum instead of computing it",
    rule="RFC 7915 §4.5 leaves that to a stateless translator",
    key="traffic.udp_checksum = true",
    bench=_with_checksum,
    allowed=True,
)
NO_CHECKSUM_STATEFUL = replace(NO_CHECKSUM, rule="RFC 6146 §3.4 has a stateful translator compute it", allowed=False)
ENCAPSULATION_LIMIT = Unusual(
    usual=", without encapsulation limit",
    but="without an encapsulation limit",
    drops="packets in the tunnel behind one",
    rule="RFC 2473 §3.3 has a tunnel's exit take off all headers of the tunnel, RFC 8200 §4.2 passes over that option",
    key="no technology.tunnel.encapsulation_limit",
    bench=_without_limit,
    allowed=False,
)


def unusual(bench: Bench) -> Mapping[DirectionName, Unusual]:
    """By the directions whose frames are."""
    technology = bench.technology
    if not bench.traffic.udp_checksum and technology.does == "translates":
        family, kind = 4, NO_CHECKSUM_STATEFUL if technology.stateful else NO_CHECKSUM
    elif technology.option_bytes:
        family, kind = 6, ENCAPSULATION_LIMIT
    else:
        return {}
    sides = zip(DIRECTIONS, technology.families, strict=True)
    return {name: kind for name, of in sides if of == family and name in technology.directions}
