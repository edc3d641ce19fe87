"""Frame loss rate (RFC 2544 §26.3, RFC 8219 §7.4): the plot and the tables."""

from __future__ import annotations

from xlatperf.campaign.results import LossPoint, Measurement
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, bullets, element, paragraph, render
from xlatperf.report.numerals import NONE, percent, rate
from xlatperf.report.plots import frame_loss as plots
from xlatperf.report.section import Section
from xlatperf.report.table import Column, Row, table, text

_NARROW = 40
"""If no rate is above this share of the maximum, a second plot shows the rates themselves."""


def section(evidence: Evidence) -> Section | None:
    """None if no frame loss was measured."""
    measurements = evidence.measurements("frame_loss")
    if not measurements:
        return None
    standards = "; ".join(dict.fromkeys(item.standard for item in measurements))
    parts: list[Content] = [
        paragraph(
            f"{standards}. Loss is (sent - expected) / sent: a frame that came back wrong is lost. "
            "Rates are per direction; each direction's loss is its own.",
            class_="lead",
        )
    ]
    valid = [point for item in measurements for point in item.points if point.valid]
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
    parts += [_table(item) for item in measurements]
    return Section("frame-loss", "Frame loss", render(parts))


def _table(item: Measurement) -> Markup:
    directions = [name for name in ("forward", "reverse") if item.direction in ("bidirectional", name)]
    columns = [
        Column("Sweep"),
        Column("Offered rate", "frames/s"),
        Column("of maximum", "%"),
        *[Column(words.ARROWS[name], "%", "Frame loss") for name in directions],
        Column("Trial"),
        text("Remark", class_="wide"),
    ]
    rows = [Row(_cells(point, directions), tone="" if point.valid else "invalid") for point in item.points]
    title = f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[item.direction]}, {words.mix(item.mix)}"
    maximum = item.theoretical_maximum_fps or item.maximum_fps
    of_what = "theoretical maximum of the media" if item.theoretical_maximum_fps else "highest rate asked for"
    return render(
        [
            element("h3", title),
            paragraph("100 % is ", rate(maximum), f" frames per second, the {of_what}.", class_="muted"),
            table(columns, rows) if rows else paragraph("No rate was measured.", class_="muted"),
            bullets(item.failures),
        ]
    )


def _cells(point: LossPoint, directions: list[str]) -> list[Content]:
    losses: list[Content] = [
        percent(value, 4) if point.valid and value is not None else NONE
        for value in ({str(key): loss for key, loss in point.loss_percent.items()}.get(name) for name in directions)
    ]
    remark: list[Content] = [] if point.valid else [badge("invalid", "warn"), " "]
    return [
        str(point.repetition),
        rate(point.rate_fps),
        percent(point.percent_of_maximum),
        *losses,
        NONE if point.trial is None else str(point.trial),
        [*remark, point.remark or ""],
    ]
