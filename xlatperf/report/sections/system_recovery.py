"""System recovery (RFC 2544 §26.5): how long an overload is felt after it has ended."""

from __future__ import annotations

from functools import partial

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.latency import FRAMES_LOST as LOST
from xlatperf.procedures.system_recovery import LAST_LOST, RECOVERY, SystemRecovery
from xlatperf.report import headline
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, paragraph, render
from xlatperf.report.measured import (
    Identity,
    average_cells,
    average_columns,
    every_repetition,
    lost_share,
    remarks,
    repetitions,
    rows_of,
    without_result,
)
from xlatperf.report.numerals import NONE, rate
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.scale import Scale, milli
from xlatperf.report.section import Section
from xlatperf.report.sentence import each_direction, of_times, over, strong_mean
from xlatperf.report.table import Column, Row, table
from xlatperf.report.values import all_values, directions, final_trials, find, known, parameters, sent, total
from xlatperf.results.results import Measurement


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    identity = Identity(measurements, evidence.families, rates=False)
    scale = milli(all_values(measurements, lambda one: one.unit == "s"), "s")
    standards = "; ".join(dict.fromkeys(item.standard for item in measurements))
    parts: list[Content] = [
        paragraph(
            f"{standards}. {_how(measurements)} Recovery time: from the moment at which the rate was reduced to when "
            "the last lost frame was due.",
            class_="lead",
        ),
        table(
            [
                *identity.columns(),
                *[Column(name, "", "Rate per direction, frames/s") for name in ("Throughput", "Overload", "Reduced")],
                Column("N"),
                *average_columns("Recovery time, ms", ""),
                Column("Frames lost"),
            ],
            [_row(item, name, identity, scale, evidence) for item in measurements for name in rows_of(item)],
        ),
        remarks(measurements),
        every_repetition(measurements, identity, (RECOVERY, LAST_LOST, *SystemRecovery.quantities[2:]), scale),
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


def _row(item: Measurement, name: DirectionName, identity: Identity, scale: Scale, evidence: Evidence) -> Row:
    overload, reduced = rates(item, evidence)
    found = find(item, RECOVERY, name)
    why = without_result(item)
    shown = None if why is not None else name
    cells: list[Content] = [*identity.cells(item, shown), rate(item.throughput_fps), overload, reduced]
    if why is None and found is not None and found.summary is None:
        why = next((value.remark for value in found.values if value.remark), None)
    if why is not None:
        return Row(cells, rest=why)
    return Row(
        [
            *cells,
            repetitions(item),
            *average_cells(found, scale),
            lost_share(total(item, LOST, name), sent(item, evidence.trials, name)),
        ]
    )


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
