"""Hops and the outer hop limit of the DUT, learnt from the first frames: then they are required of all others.

How often a tunnel's end decrements the TTL of what it carries differs: at the entry, at the exit, or at both
(RFC 2473 §3.1, §3.3). The outer hop limit is the tunnel's own (§6.3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from xlatperf.engine.acceptable import REMARK_OF
from xlatperf.engine.direction_answer import ClassCounters
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Measure, MeasurementFailed, measure_once
from xlatperf.procedures.trial_request import FEW, LEARNING, LEAST_RATE_FPS, TrialRequest

SUPPOSED_HOPS, SUPPOSED_HOP_LIMIT = 1, 64
"""Until more is known: one hop (RFC 2473 §3.1), and a router's default (§6.3)."""


def known_hops(hops: int | Literal["learn"]) -> int:
    """Those to compare with."""
    return SUPPOSED_HOPS if hops == "learn" else hops


def known_hop_limit(hop_limit: int | Literal["learn"]) -> int:
    """The outer one to compare with."""
    return SUPPOSED_HOP_LIMIT if hop_limit == "learn" else hop_limit


@dataclass(frozen=True)
class Unknown:
    """What isn't known of the frames of one direction and class. `outer_hop_limit` None: they come in no tunnel."""

    direction: DirectionName
    traffic_class: TrafficClass
    hops: int | Literal["learn"]
    outer_hop_limit: int | Literal["learn"] | None = None


@dataclass(frozen=True)
class Learnt:
    """What the first frames of one direction and class told; what was known before is None.

    `untold`: why they did not; then these are what is supposed, and required.
    """

    direction: DirectionName
    traffic_class: TrafficClass
    hops: int | None = None
    outer_hop_limit: int | None = None
    untold: str | None = None
    trials: tuple[int, ...] = ()


_Phase = Literal["establish", "steady"]
"""Of connections (RFC 9693 §4.4), of which the frames to learn from are."""


def learn(
    unknown: Sequence[Unknown],
    trial: TrialRequest,
    mix: tuple[int, int],
    sent_hop_limit: int,
    measure: Measure,
    retries: int,
    *,
    connections: int | None,
    require: Callable[[Sequence[Learnt]], None],
) -> list[Learnt]:
    """All from one trial, whose frames leave with TTL and hop limit `sent_hop_limit`; `mix`: [take, of] foreground.

    `connections`: of a stateful DUT, how many there can be: then from two, as frames must come through phase 1 right
    before there is a phase 2 (RFC 9693 §4.7).
    `require` is told what is known before the first trial and after each: so frames must come back from then on.
    """
    learnt: list[Learnt] = []
    for phase, part in _stages(unknown, connections=connections is not None):
        require(learnt)
        request = _request(part, trial, mix, phase, connections or 0)
        learnt += _from_one_trial(part, request, sent_hop_limit, measure, retries)
    if learnt:
        require(learnt)
    return learnt


def _stages(unknown: Sequence[Unknown], *, connections: bool) -> list[tuple[_Phase | None, list[Unknown]]]:
    """What is learnt together."""
    if not connections:
        return [(None, list(unknown))] if unknown else []
    opening = [one for one in unknown if (one.direction, one.traffic_class) == ("forward", "foreground")]
    others = [one for one in unknown if one not in opening]
    found: list[tuple[_Phase | None, list[Unknown]]] = [("establish", opening), ("steady", others)]
    return [(phase, part) for phase, part in found if part]


def _request(
    unknown: Sequence[Unknown], trial: TrialRequest, mix: tuple[int, int], phase: _Phase | None, connections: int
) -> TrialRequest:
    request = trial.few(mix, tuple(dict.fromkeys(one.direction for one in unknown)), LEARNING)
    if phase is None:
        return request
    wanted = Connections(min(FEW, connections), phase, None if phase == "establish" else LEAST_RATE_FPS)
    return request.experiment(wanted, request.rate_fps, LEARNING)


def _from_one_trial(
    unknown: Sequence[Unknown], request: TrialRequest, sent_hop_limit: int, measure: Measure, retries: int
) -> list[Learnt]:
    try:
        outcome, trials = measure_once(measure, request, retries)
    except MeasurementFailed as failure:
        return [_untold(one, str(failure)) for one in unknown]
    found = []
    for one in unknown:
        counters = outcome.directions[one.direction].classes.get(one.traffic_class)
        told = _untold(one, "there was none") if counters is None else _told(one, counters, sent_hop_limit)
        found.append(replace(told, trials=trials))
    return found


def _untold(one: Unknown, why: str) -> Learnt:
    hops = SUPPOSED_HOPS if one.hops == "learn" else None
    outer = SUPPOSED_HOP_LIMIT if one.outer_hop_limit == "learn" else None
    return Learnt(one.direction, one.traffic_class, hops, outer, why)


def _told(one: Unknown, counters: ClassCounters, sent_hop_limit: int) -> Learnt:
    """From frames that are right, or wrong in nothing but what is to be learnt."""
    accepted = counters.remarks.get(REMARK_OF["hop_limit"], 0)
    others = counters.wrong.get("hop_limit", 0) + accepted
    if not counters.expected and not others:
        wrong = ", ".join(f"{number} {reason}" for reason, number in counters.wrong.items())
        return _untold(one, f"none of {counters.sent} frames came back right" + (f": {wrong}" if wrong else ""))
    hops = known_hops(one.hops)
    outer = None if one.outer_hop_limit is None else known_hop_limit(one.outer_hop_limit)
    if others:
        seen, seen_outer = _only(counters.seen_hop_limit), _only(counters.seen_outer_hop_limit)
        if counters.expected > accepted or seen is None or (outer is not None and seen_outer is None):
            return _untold(one, "it isn't the same in all frames")
        if not 0 < seen <= sent_hop_limit:
            return _untold(one, f"hop limit {seen} arrived where {sent_hop_limit} was sent")
        hops = sent_hop_limit - seen
        outer = None if outer is None else seen_outer
    return Learnt(
        one.direction,
        one.traffic_class,
        hops=hops if one.hops == "learn" else None,
        outer_hop_limit=outer if one.outer_hop_limit == "learn" else None,
    )


def _only(extent: tuple[int, int] | None) -> int | None:
    """The one value between least and most."""
    return extent[0] if extent is not None and extent[0] == extent[1] else None
