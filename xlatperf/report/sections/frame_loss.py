"""Frame loss rate (RFC 2544 §26.3, RFC 8219 §7.4): the plot and the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from xlatperf.engine.message import DirectionName
from xlatperf.keys.in_words import plural
from xlatperf.procedures.class_loss import class_loss_percent, shown
from xlatperf.procedures.frame_loss import FrameLoss
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, bullets, element, paragraph, render
from xlatperf.report.numerals import NONE, percent, rate
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import frame_loss as plots
from xlatperf.report.sections.throughput import same_but_timeout
from xlatperf.report.selection import Selection
from xlatperf.report.series import place
from xlatperf.report.sweep import SweepPoint, SweptRate, clean, over_sweeps, sweep
from xlatperf.report.table import Column, table, text
from xlatperf.report.told import INCREMENTAL, told
from xlatperf.report.values import directions
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary

_NARROW = 40
"""If no rate is above this share of the maximum, a second plot shows the rates themselves."""


def _body(of: Selection) -> Content:
    measurements = of.measurements
    timed = [item for item in measurements if item.frame_timeout_ms is not None]
    classic = [item for item in measurements if item.frame_timeout_ms is None]
    timeouts = " or ".join(dict.fromkeys(words.frame_timeout(item) for item in timed))
    parts: list[Content] = [
        paragraph(
            f"{words.standards(measurements)}. "
            "Loss is (sent - expected) / sent: a frame that came back wrong is lost. "
            "Rates are per direction; each direction's loss is its own."
            + (
                f" Beside it, from the same trials: the loss if frames that took longer than {timeouts} are lost, too."
                if timed and classic
                else ""
            )
            + f" {told((INCREMENTAL,), measurements)}".rstrip(),
            class_="lead",
        )
    ]
    valid = [point for item in measurements for point in sweep(item) if point.valid]
    if valid:
        figures: list[Content] = [plots.plot(measurements)]
        if max(point.percent_of_maximum for point in valid) < _NARROW:
            figures.append(plots.plot_by_rate(measurements))
        parts.append(element("div", figures, class_="pair" if len(figures) > 1 else None))
        if len(figures) > 1:
            parts.append(
                paragraph(
                    "Left as RFC 2544 §26.3 draws it. The rates are far below the maximum of the "
                    "media, so the "
                    "same losses are drawn against the rates themselves on the right.",
                    class_="muted",
                )
            )
    parts += [
        _table(of.evidence, item, _with_timeout(item, measurements))
        for item in measurements
        if not _is_beside(item, measurements)
    ]
    return parts


def _with_timeout(item: Measurement, measurements: Sequence[Measurement]) -> Measurement | None:
    """The same trials with frames lost that took too long."""
    if item.frame_timeout_ms is not None:
        return None
    same = same_but_timeout(item)
    return next(
        (one for one in measurements if one.frame_timeout_ms is not None and same_but_timeout(one) == same), None
    )


def _is_beside(item: Measurement, measurements: Sequence[Measurement]) -> bool:
    return item.frame_timeout_ms is not None and any(_with_timeout(one, measurements) is item for one in measurements)


def _table(evidence: Evidence, item: Measurement, timed: Measurement | None) -> Markup:
    beside = {(point.repetition, point.rate_fps): point for point in sweep(timed)} if timed is not None else {}
    points = sweep(item)
    columns: list[Column[SweepPoint]] = [
        Column("Sweep", lambda point: str(point.repetition)),
        Column("asked for", lambda point: rate(point.rate_fps), "frames/s", "Rate per direction"),
        Column("offered", lambda point: rate(point.offered_fps), "frames/s", "Rate per direction"),
        Column("of maximum", lambda point: percent(point.percent_of_maximum), "%", "Rate per direction"),
        *[_lost(name, "Frame loss") for name in directions(item)],
        *[
            _lost(name, f"and later than {words.frame_timeout(timed)}", beside)
            for name in directions(item)
            if timed is not None
        ],
        Column("Trial", lambda point: NONE if point.trial is None else str(point.trial)),
        text("Remark", partial(_remark, evidence), class_="wide"),
    ]
    title = f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[item.direction]}, {words.mix(item.mix)}{place(item)}"
    if item.frame_timeout_ms is not None:
        title += f", later than {item.frame_timeout_ms:g} ms is lost"
    maximum = item.theoretical_maximum_fps or item.maximum_fps
    of_what = "theoretical maximum of the media" if item.theoretical_maximum_fps else "highest rate asked for"
    return render(
        [
            element("h3", title),
            paragraph("100 % is ", rate(maximum), f" frames per second, the {of_what}.", class_="muted"),
            table(columns, points, tone=lambda point: "" if point.valid else "invalid")
            if points
            else paragraph("No rate was measured.", class_="muted"),
            _all_sweeps(item),
            bullets((*(one.in_words() for one in item.failures), *item.remarks)),
        ]
    )


def _all_sweeps(item: Measurement) -> Content:
    """Median, P1 and P99 of each rate, if there is more than one sweep (RFC 8219 §12)."""
    if len({point.repetition for point in sweep(item)}) < 2:
        return None
    ways: list[DirectionName | None] = [*directions(item), *([None] if len(directions(item)) > 1 else [])]
    columns: list[Column[SweptRate]] = [
        Column("of all sweeps", lambda one: rate(one.rate_fps), "frames/s", "Rate per direction"),
        Column("of maximum", lambda one: percent(one.points[0].percent_of_maximum), "%", "Rate per direction"),
        Column("N", lambda one: str(len(one.points))),
        *(_statistic(way, name, get) for way in ways for name, get in _STATISTICS.items()),
    ]
    return table(columns, over_sweeps(item))


_STATISTICS: Mapping[str, Callable[[Summary], float]] = {
    "median": lambda one: one.median,
    "P1": lambda one: one.p1,
    "P99": lambda one: one.p99,
}


def _statistic(way: DirectionName | None, name: str, get: Callable[[Summary], float]) -> Column[SweptRate]:
    group = "both together" if way is None else words.ARROWS[way]
    return Column(name, lambda one: percent(get(one.of[way]), 4) if way in one.of else NONE, "%", f"Frame loss {group}")


def _lost(
    name: DirectionName, group: str, beside: Mapping[tuple[int, float], SweepPoint] | None = None
) -> Column[SweepPoint]:
    """Of a direction. `beside`: the same sweep with frames lost that took too long, by repetition and rate."""

    def cell(point: SweepPoint) -> Content:
        at = point if beside is None else beside.get((point.repetition, point.rate_fps))
        return NONE if at is None else percent(at.loss_percent.get(name), 4)

    return Column(words.ARROWS[name], cell, "%", group)


def _remark(evidence: Evidence, point: SweepPoint) -> Content:
    """Why there is no loss; or of each class, where they differ."""
    if not point.valid:
        return [[badge("invalid", "warn"), " "], point.remark]
    trial = next((one for one in evidence.results.trials if one.number == point.trial), None)
    each = {} if trial is None else {name: class_loss_percent(one.classes) for name, one in trial.directions.items()}
    return [point.remark, "; ".join(f"{name} {shown(losses)} lost" for name, losses in each.items() if losses)]


def _sentence(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    valid = sorted((point for point in sweep(item) if point.valid), key=lambda point: point.rate_fps)
    where = f"Frame loss at {words.sizes(item.frame_size)} bytes{words.with_mix(item)}{place(item)}"
    if item.frame_timeout_ms is not None:
        where += f", with frames that took longer than {item.frame_timeout_ms:g} ms lost as well"
    if not valid:
        return f"{where}: no rate could be measured."
    without = clean(valid)
    sentence = f"{where}: at every rate"
    if without:
        sentence = f"{where}: none up to {without[-1]:,.0f} frames per second per direction"
        sentence += _highest(item, without[-1])
    if any(point.lossy for point in valid):
        last = valid[-1]
        worst = ", ".join(f"{percent(loss)} % {name}" for name, loss in last.loss_percent.items())
        sentence += f"; {worst} at {last.rate_fps:,.0f}"
    return f"{sentence} ({_sweeps(item, without[-1] if without else valid[-1].rate_fps)})."


def _highest(item: Measurement, rate_fps: float) -> str:
    """Of the highest rate without loss, if none above it was measured: why not."""
    above = [point for point in sweep(item) if point.rate_fps > rate_fps]
    if any(point.valid for point in above):
        return ""
    if not above:
        return ", the highest rate asked"
    return f", the highest rate measured of those up to {max(point.rate_fps for point in above):,.0f} that were asked"


def _sweeps(item: Measurement, rate_fps: float) -> str:
    """How many had a valid trial at this rate, of all."""
    points = sweep(item)
    all_of_them = len({point.repetition for point in points})
    measured = sum(point.valid for point in points if point.rate_fps == rate_fps)
    return f"{'' if measured == all_of_them else f'{measured:,} of '}{plural(all_of_them, 'sweep')}"


REPORT = OfProcedure(procedure=FrameLoss, section_body=_body, sentence=_sentence, cards=lambda _: [])
