"""System recovery (RFC 2544 §26.5): how long an overload is felt after it has ended."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from xlatperf.procedures.system_recovery import RECOVERY, SystemRecovery
from xlatperf.report import headline
from xlatperf.report.columns import (
    average,
    frames_lost,
    repetitions,
    throughput,
)
from xlatperf.report.evidence import Evidence
from xlatperf.report.line import Line
from xlatperf.report.markup import Content
from xlatperf.report.numerals import NONE, rate
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.scale import milli
from xlatperf.report.selection import Selection
from xlatperf.report.sentence import each_direction, of_times, over, strong_mean
from xlatperf.report.table import Column
from xlatperf.report.told import of_parameters
from xlatperf.report.values import directions, final_trials, find, known
from xlatperf.results.results import Measurement

_RATES = "Rate per direction, frames/s"


def _why_not(line: Line) -> Content:
    """Also of one direction."""
    found = line.find(RECOVERY)
    if line.why_not() is None and found is not None and found.summary is None:
        return next((value.remark for value in found.values if value.remark), None)
    return line.why_not()


def rates(item: Measurement, evidence: Evidence) -> tuple[Content, Content]:
    """Overload and reduced rate, from the trials."""
    trial = next(final_trials(item, evidence.trials), None)
    if trial is None:
        return NONE, NONE
    after = trial.request.then
    return rate(trial.request.rate_fps), rate(after[0].rate_fps) if after else NONE


def _sentence(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    def said() -> Content:
        if not any(sum(known(find(item, RECOVERY, name))) for name in directions(item)):
            return f"no frame was lost after the rate was reduced ({over(item, 'average')})"
        return [
            "the last lost frame was due ",
            each_direction(item, partial(strong_mean, item, RECOVERY)),
            f" after the rate was reduced ({over(item, 'average')})",
        ]

    return of_times(item, said)


def _rates_of_trials(of: Selection) -> Iterable[Column[Line]]:
    return [
        Column("Overload", lambda line: rates(line.item, of.evidence)[0], "", _RATES),
        Column("Reduced", lambda line: rates(line.item, of.evidence)[1], "", _RATES),
    ]


REPORT = OfProcedure(
    procedure=SystemRecovery,
    about=(
        of_parameters(
            "{overload_percent} % of the throughput for {duration_s} s, then {reduced_percent} % of that rate for "
            "{reduced_s} s."
        ),
        "Recovery time: from the moment at which the rate was reduced to when the last lost frame was due.",
    ),
    scale=milli,
    identity={"rates": False},
    given=(throughput("", _RATES), _rates_of_trials),
    values=(repetitions(), average("Recovery time", RECOVERY), frames_lost()),
    why_not=_why_not,
    sentence=_sentence,
    cards=partial(headline.worst, quantity=RECOVERY, unit="system recovery"),
)
