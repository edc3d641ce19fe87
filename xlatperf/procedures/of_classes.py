"""With background: what is measured is of all frames (RFC 8219 §7.3), and beside that of each class by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from xlatperf.engine.delays import Delays
from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures.quantity import Value
from xlatperf.procedures.trial import Trial


def values_of_classes(
    outcome: Trial, values_of: Callable[[DirectionName, Delays, int], list[Value]]
) -> tuple[Value, ...]:
    """Each direction's. `values_of` gets the direction, the delays, and how many of these frames were lost."""
    return tuple(
        replace(value, traffic_class=of)
        for name, direction in outcome.directions.items()
        for of, delays in direction.delays()
        for value in values_of(name, delays, _lost(direction, of))
    )


def _lost(direction: Direction, of: TrafficClass | None) -> int:
    if of is None:
        return direction.loss
    counters = direction.classes[of]
    return counters.sent - counters.expected
