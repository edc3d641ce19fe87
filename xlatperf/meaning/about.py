"""What is known beside a trial's answer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from xlatperf.config.bench import Bench
from xlatperf.engine.message import DIRECTIONS, DirectionName
from xlatperf.keys.does import Does


@dataclass(frozen=True)
class About:
    """What is known of the DUT and of the trials beside this one.

    `does`: to packets. `accept`: of what the engine accepts, what the bench file does. `by_size`: why it may be that
    all is lost, from a trial of another size in which nothing was. `came`: the other direction, if nothing was lost in
    its trial. `without_checksum`: directions in which a translator gets IPv4 UDP that has none; `with_checksum_came`:
    the same frames with one all did.
    """

    does: Does = "translates"
    accept: Collection[str] = ()
    by_size: str | None = None
    came: DirectionName | None = None
    without_checksum: Collection[DirectionName] = ()
    with_checksum_came: bool = False

    @classmethod
    def of(cls, bench: Bench) -> About:
        """What the bench file says."""
        technology, traffic = bench.technology, bench.traffic
        unsummed: tuple[DirectionName, ...] = ()
        if not traffic.udp_checksum and technology.does == "translates":
            unsummed = tuple(name for name, of in zip(DIRECTIONS, technology.families, strict=True) if of == 4)
        return cls(technology.does, traffic.accept, without_checksum=unsummed)
