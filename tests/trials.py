"""Trials as a simulated device makes them."""

from __future__ import annotations

from typing import Any

from xlatperf.engine.trial_answer import Experiment, TrialAnswer
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest

COUNTS = {"received": 0, "arp_nd": 0}
REQUEST = TrialRequest(84, "ipv6", 1000.0, 1.0)


def trial_of(number: int, request: TrialRequest, document: dict[str, Any]) -> Trial:
    """As the engine answered."""
    return Trial.of(number, "run", request, TrialAnswer.model_validate(document))


def without_frames(
    number: int = 0,
    *reasons: str,
    valid: bool = True,
    request: TrialRequest = REQUEST,
    experiment: Experiment | None = None,
) -> Trial:
    """One that did not come to what it measures."""
    document = {
        "number": number,
        "valid": valid,
        "reasons": [{"code": code, "text": f"because of {code}"} for code in reasons],
        "elapsed_s": 0.0,
        "left": COUNTS,
        "right": COUNTS,
    }
    return changed(trial_of(number, request, document), experiment=experiment)


def changed(trial: Trial, **members: Any) -> Trial:
    """The same trial with other members."""
    return trial.model_copy(update=members)


def with_experiment(trial: Trial, **members: Any) -> Trial:
    """The same trial with other members of its experiment."""
    experiment = trial.experiment if trial.experiment is not None else Experiment()
    return changed(trial, experiment=experiment.model_copy(update=members))
