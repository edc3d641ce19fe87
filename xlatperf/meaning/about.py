"""What is known beside a trial's answer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class About:
    """What is known of the DUT and of the trials beside this one.

    `only_routes`: it neither translates nor encapsulates. `accept`: of what the engine accepts, what the bench file
    does. `domain`: what the bench file calls each of several domains. `beside`: why it may be that all is lost, from
    trials of which nothing was.
    """

    only_routes: bool = False
    accept: Collection[str] = ()
    domain: str = "technology.domains[{}]"
    beside: str | None = None
