"""What is known beside a trial's answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from xlatperf.config.bench import Bench
from xlatperf.engine.message import DirectionName
from xlatperf.keys.does import Does
from xlatperf.meaning.unusual import Unusual, unusual


@dataclass(frozen=True)
class About:
    """What is known of the DUT and of the trials beside this one.

    `does`: to packets. `accept`: of what the engine accepts, what the bench file does. `by_size`: why it may be that
    all is lost, from a trial of another size in which nothing was. `came`: the other direction, if nothing was lost in
    its trial. `unusual`: what frames of a direction are; `usual_came`: whether all did of those that
    aren't; None: not tried.
    """

    does: Does = "translates"
    accept: Collection[str] = ()
    by_size: str | None = None
    came: DirectionName | None = None
    unusual: Mapping[DirectionName, Unusual] = field(default_factory=dict)
    usual_came: bool | None = None

    @classmethod
    def of(cls, bench: Bench) -> About:
        """What the bench file says."""
        return cls(bench.technology.does, bench.traffic.accept, unusual=unusual(bench))
