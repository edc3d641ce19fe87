"""Who is lost without load, as findings: in a campaign's measures loss is a result, before them it's a fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.about import About
from xlatperf.meaning.explain import moved
from xlatperf.meaning.lost_frames import LOST, lost_frames
from xlatperf.meaning.unrecognised import SPOILT_NUMBER, UNRECOGNISED
from xlatperf.procedures.trial import Trial
from xlatperf.results.results import Finding

MISSING = frozenset({LOST, UNRECOGNISED, SPOILT_NUMBER, "gateway_mac"})
"""Their reasons."""
TOLD_BY_THEM = MISSING | {"refused", "class_loss"}
"""Of findings in the same frames, those that say no more."""


def lost_findings(trial: Trial, about: About) -> tuple[Finding, ...]:
    """Of a trial without load; nothing where the Tester's own hold-up may be why, or frames were still arriving."""
    return () if trial.only_after_stalls else tuple(_findings(trial, about))


def _findings(trial: Trial, about: About) -> Iterator[Finding]:
    for phase in trial.phases:
        if not phase.valid:
            continue
        missing = False
        for name, direction in phase.directions.items():
            if direction.still_arriving:
                continue
            known = replace(about, came=_came(phase, name))
            for of, counters in direction.classes.items():
                lost = lost_frames(name, of, phase, known)
                if lost is None:
                    continue
                missing = True
                meaning = lost.which.removesuffix(".") + (f" ({lost.instance})" if lost.instance else "")
                yield Finding(
                    kind="error",
                    reason=lost.reason,
                    direction=name,
                    traffic_class=of,
                    count=counters.lost,
                    trials=1,
                    first_trial=trial.number,
                    meaning=meaning,
                    example=None,
                )
        for gateway in phase.moved_gateways if missing else ():
            yield Finding(
                kind="error",
                reason="gateway_mac",
                direction=None,
                traffic_class=None,
                count=1,
                trials=1,
                first_trial=trial.number,
                meaning=moved(gateway).removesuffix("."),
                example=None,
            )


def _came(answer: TrialAnswer, lost: DirectionName) -> DirectionName | None:
    """The other direction, if nothing was lost in it."""
    return next((name for name, one in answer.directions.items() if name != lost and not one.loss), None)
