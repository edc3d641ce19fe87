"""Trials as results.json has them: without what grows with faults, or depends on how often a campaign was started.

The journal has both.
"""

from __future__ import annotations

from typing import TypeVar

from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.trial_answer import Experiment, Sample, TrialAnswer

SAMPLES_PER_TRIAL = 8
Phase = TypeVar("Phase", bound=TrialAnswer)


def compact(trial: Phase) -> Phase:
    """With few samples, and without the lists of lost frames; also in what went before its last phase."""
    changed: dict[str, object] = {name: _direction(one) for name, one in trial.directions.items()}
    changed |= {"frame_tag": None, "samples": bounded(trial.samples), "experiment": _experiment(trial.experiment)}
    return trial.model_copy(update=changed)


def _direction(direction: Direction) -> Direction:
    changed: dict[str, object] = {"lost_ranges": (), "lost_ranges_complete": not direction.lost_ranges}
    for name, counters in direction.classes.items():
        changed[name] = counters.model_copy(update={"lost_among": None})
    return direction.model_copy(update=changed)


def _experiment(found: Experiment | None) -> Experiment | None:
    if found is None:
        return None
    return found.model_copy(
        update={
            "first_phase": None if found.first_phase is None else compact(found.first_phase),
            "attempts": tuple(compact(one) for one in found.attempts),
            "reopened": None if found.reopened is None else compact(found.reopened),
        }
    )


def bounded(samples: tuple[Sample, ...]) -> tuple[Sample, ...]:
    """At most SAMPLES_PER_TRIAL, the first of each kind before the second of any."""
    seen: dict[tuple[str, str | None], int] = {}
    ranked: list[tuple[int, int, Sample]] = []
    for position, sample in enumerate(samples):
        kind = (sample.reason, sample.direction)
        ranked.append((seen.get(kind, 0), position, sample))
        seen[kind] = seen.get(kind, 0) + 1
    ranked.sort(key=lambda item: item[:2])
    return tuple(sample for _, _, sample in ranked[:SAMPLES_PER_TRIAL])
