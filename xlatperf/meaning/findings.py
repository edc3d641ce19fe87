"""What was wrong or remarkable, all trials of a campaign together, most frequent first."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal

from xlatperf.engine.acceptable import ACCEPTABLE, ACCEPTED, REMARK_OF, reason_of
from xlatperf.engine.counters import SideCounters
from xlatperf.engine.icmp import icmp_name
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.engine.trial_answer import Sample, TrialAnswer
from xlatperf.keys.does import Does
from xlatperf.meaning.meanings import (
    CLASS_LOSS,
    DROPPED_AT_MOST,
    NOT_TAKEN,
    SHARED,
    SIDE,
    STILL_ARRIVING,
    TESTER,
    icmp_meaning,
    waited,
)
from xlatperf.meaning.refused import refused_class, refused_text
from xlatperf.meaning.unrecognised import came_otherwise, told_otherwise
from xlatperf.meaning.wrong import remark_meaning, wrong_meaning
from xlatperf.procedures.class_loss import class_loss_percent
from xlatperf.procedures.trial import Trial
from xlatperf.results.results import Finding

_Kind = Literal["error", "remark", "icmp", "tester"]
_ORDER = {"error": 0, "icmp": 1, "remark": 2, "tester": 3}


@dataclass(frozen=True)
class _Key:
    kind: _Kind
    reason: str
    direction: DirectionName | None
    traffic_class: TrafficClass | None


@dataclass
class _Sum:
    meaning: str
    first_trial: int
    count: int = 0
    trials: int = 0
    example: Sample | None = None
    seen: set[int] = field(default_factory=set)


class _Collection:
    """Sums by key, with the first matching sample."""

    def __init__(self) -> None:
        self.sums: dict[_Key, _Sum] = {}
        self._longest_ns: dict[_Key, float] = {}

    def waited(self, key: _Key, longest_ns: float, trial: Trial) -> None:
        """Counts the trial; the meaning tells of the longest of all."""
        self.add(key, 1, "", trial)
        self._longest_ns[key] = max(self._longest_ns.get(key, 0.0), longest_ns)
        self.sums[key].meaning = waited(self._longest_ns[key])

    def add(self, key: _Key, count: int, meaning: str, trial: Trial, phase: TrialAnswer | None = None) -> None:
        if not count:
            return
        total = self.sums.setdefault(key, _Sum(meaning, trial.number))
        total.count += count
        total.trials += trial.number not in total.seen
        total.seen.add(trial.number)
        if total.example is None:
            total.example = next(
                (
                    sample
                    for sample in (phase or trial).samples
                    if sample.reason in (key.reason, REMARK_OF.get(key.reason))
                    and key.direction in (None, sample.direction)
                    and key.traffic_class in (None, sample.traffic_class)
                ),
                None,
            )


def findings(
    trials: Iterable[Trial], does: Does = "translates", accept: Collection[str] = ACCEPTABLE
) -> tuple[Finding, ...]:
    """Errors, ICMP errors, remarks, and the Tester's own troubles. Loss itself is a result, not a finding.

    `does`: the DUT to packets. `accept`: of the header fields that the engine was told
    to accept, those in which nothing is wrong for the bench file either.
    """
    found = _Collection()
    for trial in trials:
        for phase in trial.phases:
            _frames(found, trial, phase, does, accept)
            _ports(found, trial, phase)
        _experiments(found, trial)
        for code, text in {reason.code: reason.text for reason in trial.reasons}.items():  # once, not per direction
            kind: _Kind = "error" if code == "fell_silent" else "tester"
            found.add(_Key(kind, code, None, None), 1, TESTER.get(code, text), trial)
    ordered = sorted(
        found.sums.items(),
        key=lambda item: (
            _ORDER[item[0].kind],
            -item[1].count,
            item[0].reason,
            item[0].direction or "",
            item[0].traffic_class or "",
        ),
    )
    return tuple(
        Finding(
            kind=key.kind,
            reason=key.reason,
            direction=key.direction,
            traffic_class=key.traffic_class,
            count=total.count,
            trials=total.trials,
            first_trial=total.first_trial,
            meaning=total.meaning,
            example=total.example,
        )
        for key, total in ordered
    )


def _experiments(found: _Collection, trial: Trial) -> None:
    """What the phases together show (RFC 9693 §4.4, §4.9)."""
    experiment = trial.experiment
    if experiment is None:
        return
    mappings = experiment.mappings
    if mappings is not None and mappings.shared:
        meaning = SHARED + (f"; for instance {mappings.examples[0]}" if mappings.examples else "")
        if mappings.compared is not None and mappings.compared < mappings.learnt:
            meaning += f"; of {mappings.learnt:,} connections {mappings.compared:,} were compared"
        found.add(_Key("error", "shared_mapping", None, None), mappings.shared, meaning, trial)
    if experiment.collapsed is not None:
        found.add(_Key("error", "collapsed", None, None), 1, f"the DUT collapsed: {experiment.collapsed}", trial)


def _frames(found: _Collection, trial: Trial, phase: TrialAnswer, does: Does, accept: Collection[str]) -> None:
    for name, direction in phase.directions.items():
        for traffic_class, counters in direction.classes.items():
            for reason, count in counters.wrong.items():
                meaning = wrong_meaning(reason, traffic_class, does)
                if reason in ACCEPTABLE:
                    meaning += f'. "{reason}" in traffic.accept has such frames count as received'
                found.add(_Key("error", reason, name, traffic_class), count, meaning, trial, phase)
            for reason, count in counters.remarks.items():
                if reason == ACCEPTED:  # its fields are told one by one
                    continue
                field = reason_of(reason)
                if field is not None and field not in accept:
                    meaning = wrong_meaning(field, traffic_class, does)
                    found.add(_Key("error", field, name, traffic_class), count, meaning, trial, phase)
                    continue
                meaning = remark_meaning(reason, traffic_class, does)
                found.add(_Key("remark", reason, name, traffic_class), count, meaning, trial, phase)
        found.add(_Key("remark", "not_taken", name, None), direction.departure.not_taken, NOT_TAKEN, trial, phase)
        if direction.waited_ns:
            found.waited(_Key("remark", "waited", name, None), direction.waited_ns, trial)
        missing = direction.loss if direction.still_arriving else 0
        found.add(_Key("remark", "still_arriving", name, None), missing, STILL_ARRIVING, trial, phase)
        if phase.valid:
            found.add(
                _Key("tester", "dropped_at_most", name, None), direction.dropped_at_most, DROPPED_AT_MOST, trial, phase
            )
        otherwise = came_otherwise(name, phase)
        if otherwise is not None:
            missing = sum(counters.lost for counters in direction.classes.values())
            found.add(_Key("error", otherwise.reason, name, None), missing, otherwise.of_trials(), trial, phase)
            continue
        refused = refused_class(direction.classes)
        losses = class_loss_percent(direction.classes) if refused is None and phase.valid else {}
        if losses:
            most = max(losses, key=lambda of: losses[of])
            count = direction.classes[most].lost
            found.add(_Key("remark", "class_loss", name, most), count, CLASS_LOSS, trial, phase)
        if refused is not None:
            count = direction.classes[refused].lost
            found.add(_Key("error", "refused", name, refused), count, refused_text(refused, does), trial, phase)


def _ports(found: _Collection, trial: Trial, phase: TrialAnswer) -> None:
    for side in phase.sides.values():
        for error in side.icmp_errors:
            reason = f"{icmp_name(error.version, error.type, error.code)} from {error.sender or 'nobody'}"
            meaning = icmp_meaning(error.version, error.type, error.code)
            found.add(_Key("icmp", reason, None, None), error.count, meaning, trial)
    ours = told_otherwise(phase)
    for name in SideCounters.model_fields:
        if name in SIDE:
            count = sum(getattr(side, name) for of, side in phase.sides.items() if (of, name) not in ours)
            found.add(_Key("remark", name, None, None), count, SIDE[name], trial)
