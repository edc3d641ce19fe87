"""What is known beside a trial's answer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from xlatperf.keys.does import Does


@dataclass(frozen=True)
class About:
    """What is known of the DUT and of the trials beside this one.

    `does`: to packets. `accept`: of what the engine accepts, what the bench file
    does. `domain`: what the bench file calls each of several domains. `by_size` and `by_direction`: why it may be that
    all is lost, from trials of another size or direction in which nothing was.
    """

    does: Does = "translates"
    accept: Collection[str] = ()
    domain: str = "technology.domains[{}]"
    by_size: str | None = None
    by_direction: str | None = None
