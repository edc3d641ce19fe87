"""From the journal's answers to what procedures see."""

from __future__ import annotations

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.connections import Experiment
from xlatperf.procedures.trial import Outcome, outcome_of


def outcome(number: int, answer: TrialAnswer) -> Outcome:
    """Of one trial; `number`: its place in the journal. An experiment's phases are one trial."""
    return outcome_of(number, answer, _experiment(number, answer), answer.device_cpu)


def _experiment(number: int, answer: TrialAnswer) -> Experiment | None:
    found = answer.experiment
    if found is None:
        return None
    return Experiment(
        first_phase=outcome_of(number, found.first_phase) if found.first_phase is not None else None,
        held_before=found.held_before,
        held=found.held,
        old_tried=found.old_tried,
        gap_s=found.gap_s,
        cleared_s=found.cleared_s,
        collapsed=found.collapsed,
        mappings=found.mappings,
        may_lose=found.may_lose or 0.0,
    )
