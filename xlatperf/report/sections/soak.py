"""Soak: a constant rate for hours, each interval of it by itself."""

from __future__ import annotations

from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import Interval
from xlatperf.keys.in_words import plural
from xlatperf.procedures.latency import FRAMES_LOST as LOST
from xlatperf.procedures.soak import D999, DRIFT, LOSS, LOSSY, MEDIAN, WORST_D999, WORST_LOSS, Soak
from xlatperf.report import sentence, words
from xlatperf.report.card import card
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, element, folded, paragraph, render
from xlatperf.report.measured import (
    Identity,
    every_repetition,
    lost_share,
    remarks,
    repetitions,
    rows_of,
    without_result,
)
from xlatperf.report.numerals import percent, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import soak
from xlatperf.report.scale import Scale, micro_or_milli
from xlatperf.report.section import Section
from xlatperf.report.sections.delays import delay_cells, delay_columns
from xlatperf.report.sentence import each_direction, of_times, over, strong
from xlatperf.report.series import place
from xlatperf.report.table import Column, Row, table, text
from xlatperf.report.values import all_values, directions, final_trials, find, known, median_of, parameter, sent, total
from xlatperf.results.results import Measurement, TrialRecord

_SHOWN = 4
"""So many figures are open, the others are folded."""


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    scale = micro_or_milli(all_values(measurements, lambda one: one.unit == "ns"))
    identity = Identity(measurements, evidence.families)
    parts: list[Content] = [
        paragraph(
            "A constant rate for long, which no RFC has: what is lost of each interval, and how long frames take in "
            "it. A frame belongs to the interval in which it was due. Loss is counted as in RFC 2544 §26.3: what never "
            "came back, and what came back wrong; percentiles are those of RFC 2330 §11.3.",
            class_="lead",
        ),
        table(
            [
                *identity.columns(),
                Column("N"),
                Column("Sent", "s"),
                Column("of all", "", "Loss, %"),
                Column("worst interval", "", "Loss, %"),
                Column("intervals with loss", "", "Loss, %"),
                Column("Median", scale.unit, "Delay"),
                Column("D99.9", scale.unit, "Delay"),
                Column("D99.9, worst interval", scale.unit, "Delay"),
                Column("Drift of the median", scale.unit, "Delay"),
                Column("Frames lost"),
            ],
            [_row(item, name, identity, scale, evidence) for item in measurements for name in rows_of(item)],
        ),
        paragraph(
            "Medians over the N trials. Drift: the median delay of the last interval less that of the first; what "
            "slowly fills up in the device shows there.",
            class_="muted",
        ),
        remarks(measurements),
        every_repetition(measurements, identity, Soak.quantities, scale),
        _figures(evidence, measurements),
    ]
    return Section("soak", "Soak", render(parts))


def _row(item: Measurement, name: DirectionName, identity: Identity, scale: Scale, evidence: Evidence) -> Row:
    why = without_result(item)
    if why is not None:
        return Row(identity.cells(item), rest=why)
    return Row(
        [
            *identity.cells(item, name),
            repetitions(item),
            parameter(item, "duration_s"),
            element("strong", percent(median_of(item, LOSS, name))),
            percent(median_of(item, WORST_LOSS, name)),
            percent(median_of(item, LOSSY, name)),
            *[scale.shown(median_of(item, one, name)) for one in (MEDIAN, D999, WORST_D999, DRIFT)],
            lost_share(total(item, LOST, name), sent(item, evidence.trials, name)),
        ]
    )


def _figures(evidence: Evidence, measurements: list[Measurement]) -> Content:
    """Also of trials that aren't valid, which are no result."""
    drawn: list[Content] = []
    for item in measurements:
        for trial in final_trials(item, evidence.trials):
            for name, direction in trial.directions():
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


def _heading(item: Measurement, trial: TrialRecord, name: DirectionName) -> Content:
    where = f"{words.sizes(item.frame_size)} bytes{words.with_mix(item)}{place(item)}, {words.DIRECTIONS[name]}"
    rate = f" at {trial.request.rate_fps:,.0f} frames/s per direction, trial {trial.number}"
    doubt = None
    if not trial.valid:
        why = "; ".join(reason.text for reason in trial.reasons)
        doubt = paragraph(badge("not valid", "warn"), f" The trial says nothing about the device: {why}.")
    return [element("h4", where, element("span", rate, class_="muted")), doubt]


def _every_interval(intervals: tuple[Interval, ...], interval_s: float, duration_s: float) -> Content:
    rows = [
        Row(
            [
                f"{begin_s:,.0f}",
                f"{end_s:,.0f}",
                whole(one.sent),
                lost_share(one.not_expected, one.sent),
                ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in _reasons(one)),
                *delay_cells(one.delay),
                whole(one.stalls),
                whole(one.late_frames),
            ],
            tone="warn" if one.not_expected else "",
        )
        for one, (begin_s, end_s) in zip(intervals, soak.spans(len(intervals), interval_s, duration_s), strict=True)
    ]
    columns = [
        Column("from", "s", "Due"),
        Column("to", "s", "Due"),
        Column("Sent"),
        Column("Lost"),
        text("Why"),
        *delay_columns(),
        Column("held up", "", "Tester"),
        Column("frames left late", "", "Tester"),
    ]
    return folded(f"Every interval ({len(rows):,})", table(columns, rows), class_="more")


def _reasons(one: Interval) -> list[tuple[str, int]]:
    return [*([("never came", one.lost)] if one.lost else []), *one.wrong.items()]


def _sentence(evidence: Evidence, item: Measurement) -> Content:
    def each(name: DirectionName) -> Content:
        loss, worst = median_of(item, LOSS, name), median_of(item, WORST_LOSS, name)
        if loss is None:
            return None
        lost: Content = "no loss" if not loss else f"{percent(loss)} % loss, at worst {percent(worst)} % in an interval"
        delay = median_of(item, WORST_D999, name)
        return [element("strong", lost), *([", D99.9 at worst ", strong(delay)] if delay is not None else [])]

    def said() -> Content:
        return [each_direction(item, each), f" ({over(item, 'median')}, {sentence.lost(evidence, item)})"]

    return of_times(item, said)


def _cards(measurements: list[Measurement]) -> list[Markup]:
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


REPORT = OfProcedure(Soak, _tables, _sentence, _cards)
