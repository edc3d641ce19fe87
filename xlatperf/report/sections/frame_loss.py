"""Frame loss rate (RFC 2544 §26.3, RFC 8219 §7.4): the plot and the tables."""

from __future__ import annotations

from xlatperf.keys.in_words import plural
from xlatperf.procedures.frame_loss import FrameLoss
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, bullets, element, paragraph, render
from xlatperf.report.numerals import NONE, percent, rate
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import frame_loss as plots
from xlatperf.report.section import Section
from xlatperf.report.sections.throughput import same_but_timeout
from xlatperf.report.series import place
from xlatperf.report.sweep import SweepPoint, clean, sweep
from xlatperf.report.table import Column, Row, table, text
from xlatperf.results.results import Measurement

_NARROW = 40
"""If no rate is above this share of the maximum, a second plot shows the rates themselves."""


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:  # noqa: ARG001
    timed = [item for item in measurements if item.frame_timeout_ms is not None]
    classic = [item for item in measurements if item.frame_timeout_ms is None]
    standards = "; ".join(dict.fromkeys(item.standard for item in classic or measurements))
    timeouts = " or ".join(dict.fromkeys(words.frame_timeout(item) for item in timed))
    parts: list[Content] = [
        paragraph(
            f"{standards}. Loss is (sent - expected) / sent: a frame that came back wrong is lost. "
            "Rates are per direction; each direction's loss is its own."
            + (
                f" Beside it, from the same trials: the loss if frames that took longer than {timeouts} are lost, too."
                if timed and classic
                else ""
            ),
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
        _table(item, _with_timeout(item, measurements)) for item in measurements if not _is_beside(item, measurements)
    ]
    return Section("frame-loss", "Frame loss", render(parts))


def _with_timeout(item: Measurement, measurements: list[Measurement]) -> Measurement | None:
    """The same trials with frames lost that took too long."""
    if item.frame_timeout_ms is not None:
        return None
    same = same_but_timeout(item)
    return next(
        (one for one in measurements if one.frame_timeout_ms is not None and same_but_timeout(one) == same), None
    )


def _is_beside(item: Measurement, measurements: list[Measurement]) -> bool:
    return item.frame_timeout_ms is not None and any(_with_timeout(one, measurements) is item for one in measurements)


def _table(item: Measurement, timed: Measurement | None) -> Markup:
    directions = [name for name in ("forward", "reverse") if item.direction in ("bidirectional", name)]
    columns = [
        Column("Sweep"),
        Column("asked for", "frames/s", "Rate per direction"),
        Column("offered", "frames/s", "Rate per direction"),
        Column("of maximum", "%", "Rate per direction"),
        *[Column(words.ARROWS[name], "%", "Frame loss") for name in directions],
        *[Column(words.ARROWS[name], "%", _beyond(timed)) for name in directions if timed is not None],
        Column("Trial"),
        text("Remark", class_="wide"),
    ]
    beside = {(point.repetition, point.rate_fps): point for point in sweep(timed)} if timed is not None else {}
    rows = [
        Row(
            _cells(point, directions, timed is not None, beside.get((point.repetition, point.rate_fps))),
            tone="" if point.valid else "invalid",
        )
        for point in sweep(item)
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
            table(columns, rows) if rows else paragraph("No rate was measured.", class_="muted"),
            bullets((*(one.in_words() for one in item.failures), *item.remarks)),
        ]
    )


def _beyond(timed: Measurement | None) -> str:
    return "" if timed is None else f"and later than {words.frame_timeout(timed)}"


def _losses(point: SweepPoint | None, directions: list[str]) -> list[Content]:
    if point is None or not point.valid:
        return [NONE] * len(directions)
    found = {str(name): loss for name, loss in point.loss_percent.items()}
    return [percent(found.get(name), 4) for name in directions]


def _cells(point: SweepPoint, directions: list[str], timed: bool, beside: SweepPoint | None) -> list[Content]:
    losses = [*_losses(point, directions), *(_losses(beside, directions) if timed else [])]
    remark: list[Content] = [] if point.valid else [badge("invalid", "warn"), " "]
    return [
        str(point.repetition),
        rate(point.rate_fps),
        NONE if point.offered_fps is None else rate(point.offered_fps),
        percent(point.percent_of_maximum),
        *losses,
        NONE if point.trial is None else str(point.trial),
        [*remark, point.remark or ""],
    ]


def _sentence(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    valid = sorted((point for point in sweep(item) if point.valid), key=lambda point: point.rate_fps)
    where = f"Frame loss at {words.sizes(item.frame_size)} bytes{words.with_mix(item)}{place(item)}"
    if item.frame_timeout_ms is not None:
        where += f", with frames that took longer than {item.frame_timeout_ms:g} ms lost as well"
    if not valid:
        return f"{where}: no rate could be measured."
    without = clean(valid)
    sweeps = len({point.repetition for point in valid})
    sentence = f"{where}: at every rate"
    if without:
        sentence = f"{where}: none up to {without[-1]:,.0f} frames per second per direction"
    if any(point.lossy for point in valid):
        last = valid[-1]
        worst = ", ".join(f"{percent(loss)} % {name}" for name, loss in last.loss_percent.items())
        sentence += f"; {worst} at {last.rate_fps:,.0f}"
    return f"{sentence} ({plural(sweeps, 'sweep')})."


REPORT = OfProcedure(FrameLoss, _tables, _sentence)
