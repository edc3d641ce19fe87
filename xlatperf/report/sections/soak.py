"""Soak: a constant rate for hours, each interval of it by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xlatperf.engine.direction_answer import Interval
from xlatperf.engine.message import DirectionName
from xlatperf.keys.in_words import plural
from xlatperf.procedures.soak import D999, DRIFT, LOSS, LOSSY, MEDIAN, WORST_D999, WORST_LOSS, Soak
from xlatperf.procedures.trial import Trial
from xlatperf.report import words
from xlatperf.report.card import card
from xlatperf.report.columns import (
    always,
    frames_lost,
    lost_share,
    median,
    repetitions,
    single,
)
from xlatperf.report.markup import Content, Markup, badge, element, folded, paragraph
from xlatperf.report.numerals import percent, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import soak
from xlatperf.report.sections.delays import DELAYS, DelayFigures
from xlatperf.report.selection import Selection
from xlatperf.report.sentence import and_lost, by_direction, strong
from xlatperf.report.series import place
from xlatperf.report.table import Column, table, text
from xlatperf.report.values import directions, final_trials, find, known, median_of, parameter
from xlatperf.results.results import Measurement

_SHOWN = 4
"""So many figures are open, the others are folded."""
_LOSS = "Loss, %"


def _figures(of: Selection) -> Content:
    """Also of trials that aren't valid, which are no result."""
    drawn: list[Content] = []
    for item in of.measurements:
        for trial in final_trials(item, of.evidence.trials):
            for name, direction in trial.directions.items():
                interval_s = trial.request.interval_s
                if interval_s is None or not direction.intervals:
                    continue
                duration_s = trial.request.sending_s
                drawn.append(
                    [
                        _heading(item, trial, name),
                        soak.plot(direction.intervals, interval_s, duration_s, f"plot-soak-{len(drawn)}"),
                        _every_interval(direction.intervals, interval_s, duration_s),
                    ]
                )
    if not drawn:
        return None
    more = len(drawn) - _SHOWN
    return [
        element("h3", "Over time"),
        paragraph(
            "Above: the share of each interval's frames that did not come back as they must, by reason. Below: delays "
            "of those that did, on a logarithmic axis. Of all frames; under the pointer, whether the Tester itself was "
            "held up in an interval: what was lost there may be its doing.",
            class_="muted",
        ),
        *drawn[:_SHOWN],
        folded(f"{plural(more, 'more figure')}", drawn[_SHOWN:], class_="more") if more > 0 else None,
    ]


def _heading(item: Measurement, trial: Trial, name: DirectionName) -> Content:
    where = f"{words.sizes(item.frame_size)} bytes{words.with_mix(item)}{place(item)}, {words.DIRECTIONS[name]}"
    rate = f" at {trial.request.rate_fps:,.0f} frames/s per direction, trial {trial.number}"
    doubt = None
    if not trial.valid:
        doubt = paragraph(badge("not valid", "warn"), f" The trial says nothing about the device: {trial.why}.")
    return [element("h4", where, element("span", rate, class_="muted")), doubt]


class _Interval(NamedTuple):
    """With when it begins and ends."""

    counted: Interval
    begin_s: float
    end_s: float


def _every_interval(intervals: tuple[Interval, ...], interval_s: float, duration_s: float) -> Content:
    spans = soak.spans(len(intervals), interval_s, duration_s)
    columns: list[Column[_Interval]] = [
        Column("from", lambda one: f"{one.begin_s:,.0f}", "s", "Due"),
        Column("to", lambda one: f"{one.end_s:,.0f}", "s", "Due"),
        Column("Sent", lambda one: whole(one.counted.sent)),
        Column("Lost", lambda one: lost_share(one.counted.not_expected, one.counted.sent)),
        text("Why", lambda one: _reasons(one.counted)),
        *[column.through(lambda one: DelayFigures.of(one.counted.delay)) for column in DELAYS],
        Column("held up", lambda one: whole(one.counted.stalls), "", "Tester"),
        Column("frames left late", lambda one: whole(one.counted.late_frames), "", "Tester"),
    ]
    lines = [_Interval(one, *span) for one, span in zip(intervals, spans, strict=True)]
    shown = table(columns, lines, tone=lambda one: "warn" if one.counted.not_expected else "")
    return folded(f"Every interval ({len(lines):,})", shown, class_="more")


def _reasons(one: Interval) -> str:
    counts = [*([("never came", one.lost)] if one.lost else []), *one.wrong.items()]
    return ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in counts)


def _each(item: Measurement, name: DirectionName) -> Content:
    loss, worst = median_of(item, LOSS, name), median_of(item, WORST_LOSS, name)
    if loss is None:
        return None
    lost: Content = "no loss" if not loss else f"{percent(loss)} % loss, at worst {percent(worst)} % in an interval"
    delay = median_of(item, WORST_D999, name)
    return [element("strong", lost), *([", D99.9 at worst ", strong(delay)] if delay is not None else [])]


def _cards(measurements: Sequence[Measurement]) -> list[Markup]:
    """The worst loss of all."""
    found = [
        (max(values), item)
        for item in measurements
        if (values := [value for name in directions(item) for value in known(find(item, LOSS, name))])
    ]
    if not found:
        return []
    loss, item = max(found, key=lambda pair: pair[0])
    caption: list[Content] = [element("b", f"{words.sizes(item.frame_size)} bytes{place(item)}"), element("br")]
    caption.append(f"over {parameter(item, 'duration_s')} s at {item.rate_fps or 0:,.0f} frames/s")
    return [card(percent(loss), "% lost while soaking", caption, "bad" if loss else "good")]


REPORT = OfProcedure(
    procedure=Soak,
    about=(
        "A constant rate for long: what is lost of each interval, and how long frames take in it. A frame belongs to "
        "the interval in which it was due. Lost is what never came back, and what came back wrong.",
    ),
    values=(
        repetitions(),
        always(Column("Sent", lambda line: parameter(line.item, "duration_s"), "s")),
        single("of all", LOSS, "median", _LOSS, strong=True),
        median("worst interval", WORST_LOSS, _LOSS),
        median("intervals with loss", LOSSY, _LOSS),
        median("Median delay", MEDIAN),
        median("D99.9", D999),
        median("D99.9, worst interval", WORST_D999),
        median("Drift of the median", DRIFT),
        frames_lost(),
    ),
    note=(
        "Medians over the N trials. Drift: the median delay of the last interval less that of the first; what slowly "
        "fills up in the device shows there.",
    ),
    plots=(_figures,),
    sentence=by_direction(_each, and_lost),
    cards=_cards,
)
