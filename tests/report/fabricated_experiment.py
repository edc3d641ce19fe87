"""Test data: experiments with connections (RFC 9693 §4.4) that no one made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.report.fabricated_trial import direction, trial
from xlatperf.engine.mappings import Mappings
from xlatperf.procedures.connections import Connections
from xlatperf.results.trial_records import ExperimentRecord, PhaseRecord, TrialRecord


def mappings(count: int, **changes: Any) -> Mappings:
    """Everything is right, nothing keeps its port but a quarter."""
    fields: dict[str, Any] = {
        "count": count,
        "learnt": count,
        "shared": 0,
        "addresses": (("198.19.0.1", count - count // 3), ("198.19.0.2", count // 3)),
        "other_addresses": 0,
        "lowest_port": 1024,
        "highest_port": 65535,
        "ports_kept": count // 4,
        "examples": (),
    }
    return Mappings(**{**fields, **changes})


def experiment(
    number: int,
    run: str,
    rate: float,
    count: int,
    *,
    alpha: float | None = None,
    lost: int = 0,
    validation_lost: int = 0,
    held: int | None = None,
    wrong: dict[str, int] | None = None,
    cpu: dict[str, float] | None = None,
    **found: Any,
) -> TrialRecord:
    """Phase 1, and with alpha a validation if phase 1 lost nothing."""
    plain = trial(number, run, rate, duration=count / rate, reverse=False)
    first = {"forward": direction(rate, count / rate, lost / count, (84, 84), wrong), "reverse": None}
    request: dict[str, Any] = {"count": count, "phase": "establish"}
    known: dict[str, Any] = {"held_before": 2, "held": count + 2 - lost if held is None else held}
    update: dict[str, Any] = dict(first)
    if alpha is not None:
        request = {"count": count, "phase": "each_once", "establish_fps": rate}
        fields = plain.model_copy(update=first).model_dump()
        known["first_phase"] = PhaseRecord(**{name: fields[name] for name in PhaseRecord.model_fields})
        back = direction(rate * alpha, count / (rate * alpha), validation_lost / count, (84, 84))
        update = {"forward": None, "reverse": None if lost else back}
    known["mappings"] = mappings(count - lost, **{"learnt": count - lost, **found})
    purpose = "establish" if alpha is None else "validate"
    wanted = replace(
        plain.request,
        connections=Connections(**request),
        purpose=purpose,
        rate_fps=rate * (alpha or 1.0),
        directions=("forward",) if alpha is None else ("reverse",),
    )
    return plain.model_copy(
        update={**update, "request": wanted, "experiment": ExperimentRecord(**known), "device_cpu": cpu or {}}
    )
