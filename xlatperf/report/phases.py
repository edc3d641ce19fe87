"""The phases of an experiment of RFC 9693 §4.4: what the Tester saw in each."""

from __future__ import annotations

from xlatperf.campaign.results import PhaseRecord, TrialRecord


def phases(trial: TrialRecord) -> tuple[PhaseRecord, ...]:
    """A trial, with the phase 1 that went before it in the same experiment."""
    first = trial.experiment.first_phase if trial.experiment is not None else None
    return (trial,) if first is None else (first, trial)
