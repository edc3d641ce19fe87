"""Finds its way through the values of a measurement: one series per quantity, direction and class.

`of`: the class of frames where there is background; None: all frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures.quantity import Quantity
from xlatperf.procedures.trial import Trial
from xlatperf.results.results import Measurement, Repetition
from xlatperf.results.value_records import TesterAloneDelay, ValueSeries

_DIRECTIONS: tuple[DirectionName, ...] = get_args(DirectionName)


def directions(item: Measurement) -> tuple[DirectionName, ...]:
    """Those that sent, in order."""
    return tuple(name for name in _DIRECTIONS if item.direction in ("bidirectional", name))


def classes(item: Measurement) -> list[TrafficClass | None]:
    """Of which frames it has values: of all (None), and of each class where there are both."""
    each: tuple[TrafficClass, ...] = ("foreground", "background")
    return [None, *(of for of in each if any(one.traffic_class == of for one in item.values))]


def find(
    item: Measurement,
    quantity: Quantity,
    direction: DirectionName | None,
    of: TrafficClass | None = None,
    rate_fps: float | None = None,
) -> ValueSeries | None:
    """The series of a quantity in a direction. `rate_fps`: where there are values at several rates."""
    wanted = (quantity.name, direction, of, rate_fps)
    return next(
        (one for one in item.values if (one.quantity, one.direction, one.traffic_class, one.rate_fps) == wanted), None
    )


def rates(item: Measurement) -> list[float | None]:
    """Those that it has values at, from the highest down; None alone: it has one rate."""
    found = {one.rate_fps for one in item.values if one.rate_fps is not None}
    return [*sorted(found, reverse=True)] if found else [None]


def repetitions(item: Measurement) -> int:
    """How many have a result."""
    return max((one.summary.n for one in item.values if one.role == "result" and one.summary is not None), default=0)


def has_result(item: Measurement) -> bool:
    """Whether any repetition has one."""
    return any(one.role == "result" and one.summary is not None for one in item.values)


def with_results(item: Measurement) -> list[DirectionName | None]:
    """Directions that have results of their own; None alone: they are of both together."""
    having = {one.direction for one in item.values if one.role == "result"}
    found: list[DirectionName | None] = [name for name in directions(item) if name in having]
    return [*found, *([None] if None in having or not found else [])]


def known(found: ValueSeries | None) -> list[float]:
    """The values that there are."""
    return [] if found is None else [one.value for one in found.values if one.value is not None]


def total(
    item: Measurement, quantity: Quantity, direction: DirectionName | None, of: TrafficClass | None = None
) -> float | None:
    """Sum over all repetitions; None if there is nothing to add."""
    values = known(find(item, quantity, direction, of))
    return sum(values) if values else None


def median_of(
    item: Measurement, quantity: Quantity, direction: DirectionName | None, of: TrafficClass | None = None
) -> float | None:
    """Median over the repetitions."""
    found = find(item, quantity, direction, of)
    return None if found is None or found.summary is None else found.summary.median


def alone(item: Measurement, direction: DirectionName, of: TrafficClass | None = None) -> TesterAloneDelay | None:
    """The Tester by itself at the same rate."""
    own = item.tester_alone.delays if item.tester_alone is not None else ()
    return next((one for one in own if (one.direction, one.traffic_class) == (direction, of)), None)


def sent(
    item: Measurement, trials: Mapping[int, Trial], direction: DirectionName, of: TrafficClass | None = None
) -> float | None:
    """Frames sent in a direction in the trials that gave the values, all repetitions together."""
    records = [trial.directions.get(direction) for trial in final_trials(item, trials)]
    counts = [record.sent if of is None else record.classes[of].sent for record in records if record is not None]
    return sum(counts) if counts and len(counts) == len(item.repetitions) else None


def final_trials(item: Measurement, trials: Mapping[int, Trial]) -> Iterator[Trial]:
    """Of each repetition the trial that counts, as far as there is one."""
    for one in item.repetitions:
        if one.final_trial is not None and one.final_trial in trials:
            yield trials[one.final_trial]


def passed(item: Measurement, trials: Mapping[int, Trial]) -> Iterator[tuple[Repetition, Trial]]:
    """The searches that found a rate which passes, each with the trial at that rate."""
    for one in item.repetitions:
        found = one.search is not None and one.search.lower_fps is not None
        trial = trials.get(one.final_trial) if found and one.final_trial is not None else None
        if trial is not None:
            yield one, trial


def parameter(item: Measurement, name: str) -> str:
    """What was reported of how it was measured, as text; empty if it is not known."""
    value = item.parameters.get(name)
    return f"{value:g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value or ""


def parameters(item: Measurement, *names: str) -> dict[str, str] | None:
    """Several of them; None if one is not known."""
    found = {name: parameter(item, name) for name in names}
    return found if all(found.values()) else None
