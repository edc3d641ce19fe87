"""A DUT that lets one class of frames through and none of the other: that isn't loss of frames."""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.engine.direction_answer import ClassCounters
from xlatperf.engine.message import TrafficClass
from xlatperf.keys.does import Does

ENOUGH = 10
"""So many frames of a class aren't lost by chance while the other class's come."""
REFUSED = {
    "background": "none of the native IPv6 frames came out of the DUT while the others did (RFC 8219 §5.3): it refuses "
    "native IPv6, or has no route for traffic.left.background_hosts and traffic.right.background_hosts, which "
    "`xlatperf show` names",
    "foreground": "none but the native IPv6 frames came out of the DUT (RFC 8219 §5.3): it routes, but its transition "
    "technology refuses all others; compare technology of the bench file with the DUT's configuration",
}

ROUTED = (
    "none but the native IPv6 frames came out of the DUT: see whether it forwards the others' family too, and has "
    "routes to the hosts on both sides, which `xlatperf show` names"
)
"""In place of the foreground's, of a DUT that neither translates nor encapsulates."""


def refused_text(refused: TrafficClass, does: Does) -> str:
    """Why frames of a class may not come out of a DUT that lets the others through."""
    return ROUTED if does == "routes" and refused == "foreground" else REFUSED[refused]


def refused_class(frames: Mapping[TrafficClass, ClassCounters]) -> TrafficClass | None:
    """The class of one direction of which nothing came back though some of the other did; None: there is none."""
    for of, counters in frames.items():
        others = sum(other.sent - other.lost for name, other in frames.items() if name != of)
        if counters.sent >= ENOUGH and counters.lost == counters.sent and others:
            return of
    return None
