"""A campaign's first frames: who is lost without load, and which header fields the DUT spoils.

They have a traffic class that isn't 0. What the measures send may hide it: a DUT that writes a traffic class of its own
is right where that one is sent.
"""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Measure, MeasurementFailed, Trial, measure_once
from xlatperf.procedures.trial_request import FEW, FIRST_LOOK, LEAST_RATE_FPS, MOST_OF_FEW, TrialRequest

TRAFFIC_CLASS = 0xB8
"""Expedited forwarding, so that a traffic class that was not copied shows (RFC 7915 §4.1, §5.1)."""
LOST_AMONG = 20_000
"""Of so many of a trial's first frames is asked who they are between, if any are lost: enough to see a rule in it."""


@dataclass(frozen=True)
class FirstLook:
    """`trials`: their numbers. `untried`: why nothing is known; None: something is."""

    trials: tuple[int, ...] = ()
    untried: str | None = None


def first_look(
    trial: TrialRequest,
    mix: tuple[int, int],
    directions: tuple[DirectionName, ...],
    measure: Measure,
    retries: int,
    *,
    connections: int | None,
) -> FirstLook:
    """One trial, and one with more frames if some of a class were lost, which shows who. `mix`: [take, of] foreground.

    `connections`: of a stateful DUT, how many there can be; the frames are those of a phase 2 (RFC 9693 §4.7).
    """
    seen: list[Trial] = []

    def watched(request: TrialRequest) -> Trial:
        seen.append(measure(request))
        return seen[-1]

    def look(request: TrialRequest, few: int) -> FirstLook:
        if connections is not None:
            wanted = Connections(min(few, connections), "steady", LEAST_RATE_FPS)
            request = request.experiment(wanted, request.rate_fps, FIRST_LOOK)
        try:
            return FirstLook(measure_once(watched, request, retries)[1])
        except MeasurementFailed as failure:
            return FirstLook(untried=str(failure))

    few = trial.few(mix, directions, FIRST_LOOK)
    found = look(few, FEW)
    if few.frames < MOST_OF_FEW and any(map(_some_lost, seen)):
        again = look(few.without_load(MOST_OF_FEW, LEAST_RATE_FPS, FIRST_LOOK), MOST_OF_FEW)
        return FirstLook(found.trials + again.trials, None if found.trials else again.untried)
    return found


def _some_lost(trial: Trial) -> bool:
    """Of a class, in any phase."""
    return any(
        0 < counters.lost < counters.sent
        for phase in trial.phases
        if phase.valid
        for direction in phase.directions.values()
        for counters in direction.classes.values()
    )
