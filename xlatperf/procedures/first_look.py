"""A campaign's first frames: which header fields the DUT spoils, seen with a traffic class that isn't 0.

What they are sent with in the measures may hide it: a DUT that writes a traffic class of its own is right where that
one is sent.
"""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Measure, MeasurementFailed, measure_once
from xlatperf.procedures.trial_request import FEW, FIRST_LOOK, LEAST_RATE_FPS, TrialRequest

TRAFFIC_CLASS = 0xB8
"""Expedited forwarding, so that a traffic class that was not copied shows (RFC 7915 §4.1, §5.1)."""


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
    """One trial. `mix`: [take, of] foreground.

    `connections`: of a stateful DUT, how many there can be; the frames are those of a phase 2 (RFC 9693 §4.7).
    """
    request = trial.few(mix, directions, FIRST_LOOK)
    if connections is not None:
        wanted = Connections(min(FEW, connections), "steady", LEAST_RATE_FPS)
        request = request.experiment(wanted, request.rate_fps, FIRST_LOOK)
    try:
        return FirstLook(measure_once(measure, request, retries)[1])
    except MeasurementFailed as failure:
        return FirstLook(untried=str(failure))
