"""Every trial, in order. Sortable by a click on a heading, filtered by run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.class_loss import class_loss_percent, shown
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, badge, element, paragraph, render
from xlatperf.report.numerals import NONE, milli, percent, rate, seconds, whole
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text


def _size(request: TrialRequest) -> str:
    return f"mean {request.frame_size:,}" if request.frame_sizes else whole(request.frame_size)


def section(evidence: Evidence) -> Section | None:
    """None if no trial has run."""
    trials = evidence.results.trials
    if not trials:
        return None
    connected = any(trial.request.connections is not None for trial in trials)
    columns: list[Column[Trial]] = [
        Column("Trial", lambda trial: str(trial.number)),
        text("Purpose", _purpose),
        *(_CONNECTIONS if connected else ()),
        Column("Size", lambda trial: _size(trial.request), "B"),
        Column("Rate", lambda trial: rate(trial.request.rate_fps), "frames/s"),
        Column("Duration", lambda trial: seconds(trial.request.begun_s + trial.request.duration_s), "s"),
        text("Verdict", _verdict),
        *_of_direction("forward", lambda trial: trial.forward),
        *_of_direction("reverse", lambda trial: trial.reverse),
        Column(
            "Late departures", lambda trial: whole(sum(one.departure.late_frames for one in trial.directions.values()))
        ),
        Column("Longest stall", lambda trial: milli(_longest_stall_ns(trial)), "ms"),
        text("Run", lambda trial: element("code", trial.run)),
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
                table(
                    columns,
                    trials,
                    tone=lambda trial: "" if trial.valid else "invalid",
                    data=lambda trial: {"run": trial.run},
                    sortable=True,
                    id_="trials-table",
                ),
            ]
        ),
        folded=len(trials) > 20,
    )


def _filter(trials: tuple[Trial, ...]) -> Content:
    runs = list(dict.fromkeys(trial.run for trial in trials))
    if len(runs) < 2:
        return None
    options = [element("option", "all runs", value=""), *[element("option", run, value=run) for run in runs]]
    return element(
        "p", element("label", "Run: ", element("select", options, data_filters="trials-table")), class_="filter"
    )


def _count(trial: Trial) -> str:
    return NONE if trial.request.connections is None else whole(trial.request.connections.count)


def _phase(trial: Trial) -> str:
    """An experiment's last one (RFC 9693 §4.4)."""
    wanted = trial.request.connections
    if wanted is None:
        return NONE
    phase = {"establish": "1", "each_once": "validation", "steady": "2"}[wanted.phase]
    return phase + (", then clear" if wanted.clear else "")


def _lost_in_phase_1(trial: Trial) -> str:
    first = trial.experiment.first_phase if trial.experiment is not None else None
    return whole(first.forward.loss if first is not None and first.forward is not None else None)


def _held(trial: Trial) -> str:
    return whole(trial.experiment.held if trial.experiment is not None else None)


_CONNECTIONS: Sequence[Column[Trial]] = (
    Column("Connections", _count),
    text("Phase", _phase),
    Column("Lost in phase 1", _lost_in_phase_1),
    Column("Entries held", _held),
)


def _verdict(trial: Trial) -> Content:
    if trial.valid:
        return badge("valid", "good")
    codes = ", ".join(dict.fromkeys(reason.code for reason in trial.reasons))
    return element("span", badge("invalid", "warn"), " ", element("code", codes), title=trial.why)


def _longest_stall_ns(trial: Trial) -> float | None:
    stalls = (one.departure.longest_stall_ns for one in trial.directions.values())
    return max((stall for stall in stalls if stall is not None), default=None)


def _purpose(trial: Trial) -> str:
    """With what happened on the way."""
    request = trial.request
    after = "".join(f", then {step.rate_fps:,.0f} for {step.duration_s:g} s" for step in request.then)
    one_by_one = request.incremental
    if one_by_one is not None:
        after += f", {one_by_one.flows:,} flows {one_by_one.interval_s:g} s apart"
    event = "" if trial.event is None else f", {trial.event.kind} at {trial.event.started_s:.1f} s"
    return f"{request.purpose}{after}{event}"


def _of_direction(name: DirectionName, of: Callable[[Trial], Direction | None]) -> list[Column[Trial]]:
    def column(title: str, cell: Callable[[Direction], Content], unit: str = "") -> Column[Trial]:
        def shown(trial: Trial) -> Content:
            direction = of(trial)
            return NONE if direction is None else cell(direction)

        return Column(title, shown, unit, words.ARROWS[name])

    return [
        column("Sent", lambda one: whole(one.sent)),
        column("Loss", _loss),
        column("Loss", _loss_percent, "%"),
        column("Wrong", _wrong),
    ]


def _loss(direction: Direction) -> Content:
    lost_after_stall = direction.departure.lost_after_stall
    if not lost_after_stall:
        return whole(direction.loss)
    after = f"{lost_after_stall:,} right after the Tester itself was held up"
    return element("span", whole(direction.loss), title=after)


def _loss_percent(direction: Direction) -> Content:
    """With that of each class, where they differ."""
    of_all, losses = percent(direction.loss_percent, 4), class_loss_percent(direction.classes)
    return [of_all, f" ({shown(losses)})"] if losses else of_all


def _wrong(direction: Direction) -> Content:
    counts: Counter[str] = Counter()
    for one in direction.classes.values():
        counts.update(one.wrong)
    if not counts:
        return "0"
    reasons = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    return element("span", whole(counts.total()), title=reasons)
