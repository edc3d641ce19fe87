"""Every trial, in order. Sortable by a click on a heading, filtered by run."""

from __future__ import annotations

from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, badge, element, paragraph, render
from xlatperf.report.numerals import NONE, milli, percent, rate, seconds, whole
from xlatperf.report.section import Section
from xlatperf.report.table import Column, Row, table, text
from xlatperf.results.results import DirectionRecord, TrialRecord


def section(evidence: Evidence) -> Section | None:
    """None if no trial has run."""
    trials = evidence.results.trials
    if not trials:
        return None
    sides = [
        Column(name, unit, words.ARROWS[direction])
        for direction in ("forward", "reverse")
        for name, unit in (("Sent", ""), ("Loss", ""), ("Loss", "%"), ("Wrong", ""))
    ]
    connected = any(trial.request.connections is not None for trial in trials)
    columns = [
        Column("Trial"),
        text("Purpose"),
        *(_connection_columns() if connected else []),
        Column("Size", "B"),
        Column("Rate", "frames/s"),
        Column("Duration", "s"),
        text("Verdict"),
        *sides,
        Column("Late departures"),
        Column("Longest stall", "ms"),
        text("Run"),
    ]
    return Section(
        "trials",
        f"Every trial ({len(trials):,})",
        render(
            [
                paragraph(
                    "Loss is sent - expected. Wrong: arrived, but not as expected; these are part of the loss, "
                    "except duplicates, "
                    "which come on top. Click a heading to sort.",
                    class_="lead",
                ),
                _filter(trials),
                table(columns, [_row(trial, connected) for trial in trials], sortable=True, id_="trials-table"),
            ]
        ),
        folded=len(trials) > 20,
    )


def _filter(trials: tuple[TrialRecord, ...]) -> Content:
    runs = list(dict.fromkeys(trial.run for trial in trials))
    if len(runs) < 2:
        return None
    options = [element("option", "all runs", value=""), *[element("option", run, value=run) for run in runs]]
    return element(
        "p", element("label", "Run: ", element("select", options, data_filters="trials-table")), class_="filter"
    )


def _connection_columns() -> list[Column]:
    return [
        Column("Connections"),
        text("Phase"),
        Column("Lost in phase 1"),
        Column("Entries held"),
    ]


def _connections(trial: TrialRecord) -> list[Content]:
    """Of an experiment: N, its last phase, what went before (RFC 9693 §4.4)."""
    wanted, experiment = trial.request.connections, trial.experiment
    if wanted is None:
        return [NONE] * 4
    first = experiment.first_phase if experiment is not None else None
    lost = first.forward.loss if first is not None and first.forward is not None else None
    phase = {"establish": "1", "each_once": "validation", "steady": "2"}[wanted.phase]
    return [
        whole(wanted.count),
        phase + (", then clear" if wanted.clear else ""),
        whole(lost),
        whole(experiment.held if experiment is not None else None),
    ]


def _row(trial: TrialRecord, connected: bool) -> Row:
    present = [item for _, item in trial.directions()]
    stalls = [item.longest_stall_ns for item in present if item.longest_stall_ns is not None]
    verdict: Content = (
        badge("valid", "good")
        if trial.valid
        else element(
            "span",
            badge("invalid", "warn"),
            " ",
            element("code", ", ".join(dict.fromkeys(reason.code for reason in trial.reasons))),
            title="; ".join(reason.text for reason in trial.reasons),
        )
    )
    cells: list[Content] = [
        str(trial.number),
        _purpose(trial),
        *(_connections(trial) if connected else []),
        whole(trial.request.frame_size),
        rate(trial.request.rate_fps),
        seconds(trial.request.duration_s),
        verdict,
        *_direction(trial.forward),
        *_direction(trial.reverse),
        whole(sum(item.late_frames for item in present)),
        milli(max(stalls, default=None)),
        element("code", trial.run),
    ]
    return Row(cells, tone="" if trial.valid else "invalid", data={"run": trial.run})


def _purpose(trial: TrialRecord) -> str:
    """With what happened on the way."""
    request = trial.request
    after = "".join(f", then {step.rate_fps:,.0f} for {step.duration_s:g} s" for step in request.then)
    event = "" if trial.event is None else f", {trial.event.kind} at {trial.event.started_s:.1f} s"
    return f"{request.purpose}{after}{event}"


def _direction(direction: DirectionRecord | None) -> list[Content]:
    if direction is None:
        return [NONE] * 4
    classes = [item for _, item in direction.classes()]
    wrong = {name: sum(item.wrong.get(name, 0) for item in classes) for item in classes for name in item.wrong}
    shown: Content = whole(sum(wrong.values()))
    if wrong:
        shown = element("span", shown, title=", ".join(f"{name} {count:,}" for name, count in wrong.items()))
    loss: Content = whole(direction.loss)
    if direction.lost_after_stall:
        after = f"{direction.lost_after_stall:,} right after the Tester itself was held up"
        loss = element("span", loss, title=after)
    return [whole(direction.sent), loss, percent(direction.loss_percent, 4), shown]
