"""System recovery (RFC 2544 §26.5): how long an overload is felt after it has ended."""

from __future__ import annotations

from functools import partial

from xlatperf.procedures.system_recovery import LAST_LOST, RECOVERY, SystemRecovery
from xlatperf.report import headline, words
from xlatperf.report.columns import (
    average,
    frames_lost,
    repetitions,
    throughput,
)
from xlatperf.report.every_repetition import every_repetition
from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import identity
from xlatperf.report.line import Line, of_directions
from xlatperf.report.markup import Content, Markup, paragraph, render
from xlatperf.report.numerals import NONE, rate
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.remarks import remarks
from xlatperf.report.scale import milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import each_direction, of_times, over, strong_mean
from xlatperf.report.table import Column, table
from xlatperf.report.values import all_values, directions, final_trials, find, known, parameters
from xlatperf.results.results import Measurement

_RATES = "Rate per direction, frames/s"


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    columns = identity(measurements, evidence.families, rates=False)
    scale = milli(all_values(measurements, lambda one: one.unit == "s"), "s")
    parts: list[Content] = [
        paragraph(
            f"{words.standards(measurements)}. "
            f"{_how(measurements)} Recovery time: from the moment at which the rate was reduced to when "
            "the last lost frame was due.",
            class_="lead",
        ),
        table(
            [
                *columns,
                throughput("", _RATES),
                Column("Overload", lambda line: rates(line.item, evidence)[0], "", _RATES),
                Column("Reduced", lambda line: rates(line.item, evidence)[1], "", _RATES),
            ],
            of_directions(measurements),
            [
                repetitions(),
                *average("Recovery time, ms", RECOVERY, partial(scale.shown, unit="s")),
                frames_lost(evidence.trials),
            ],
            why_not=_why_not,
        ),
        remarks(measurements),
        every_repetition(measurements, columns, (RECOVERY, LAST_LOST, *SystemRecovery.quantities[2:]), scale),
    ]
    return Section("system-recovery", "System recovery", render(parts))


def _how(measurements: list[Measurement]) -> str:
    said = []
    for item in measurements:
        found = parameters(item, "overload_percent", "duration_s", "reduced_percent", "reduced_s")
        if found is not None:
            said.append(
                f"{found['overload_percent']} % of the throughput for {found['duration_s']} s, then "
                f"{found['reduced_percent']} % of that rate for {found['reduced_s']} s."
            )
    return " ".join(dict.fromkeys(said))


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


def _cards(measurements: list[Measurement]) -> list[Markup]:
    return headline.worst(measurements, RECOVERY, "system recovery")


REPORT = OfProcedure(SystemRecovery, _tables, _sentence, _cards)
