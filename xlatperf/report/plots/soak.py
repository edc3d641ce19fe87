"""A long trial over time: what was lost of each interval and why, and the delays of those frames that came back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plotly.subplots import make_subplots

from xlatperf.engine.direction_answer import Interval
from xlatperf.keys.in_words import plural
from xlatperf.report.markup import Markup
from xlatperf.report.numerals import percent
from xlatperf.report.plots.look import COLOURS, axis, draw

_UNITS = (("s", 1.0, 600.0), ("min", 60.0, 3 * 3600.0), ("h", 3600.0, float("inf")))
"""Name, seconds, and up to which duration it's the axis' unit."""
_DELAYS: tuple[tuple[str, Callable[[Interval], float | None], int], ...] = (
    ("maximum", lambda one: one.delay.max_ns, 3),
    ("D99.9", lambda one: one.delay.p999_ns, 1),
    ("D99", lambda one: one.delay.p99_ns, 5),
    ("median", lambda one: one.delay.median_ns, 0),
    ("minimum", lambda one: one.delay.min_ns, 2),
)
"""From the longest to the shortest, with their colours."""
_COUNTED_BEFORE = frozenset({"duplicate", "beyond_window"})
"""What such a frame's number is was known: it has come, or is lost."""


def plot(intervals: Sequence[Interval], interval_s: float, duration_s: float, name: str) -> Markup:
    """Of one direction."""
    unit, length_s = next((unit, length) for unit, length, upto in _UNITS if duration_s <= upto)
    times = spans(len(intervals), interval_s, duration_s)
    middles = [(begin + end) / 2 / length_s for begin, end in times]
    widths = [(end - begin) / length_s for begin, end in times]
    told = [_told(one, *time) for one, time in zip(intervals, times, strict=True)]
    losses = losses_by_reason(intervals)
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.06, row_heights=[0.4, 0.6])
    for place, (reason, shares) in enumerate(losses.items()):
        figure.add_bar(
            x=middles,
            y=shares,
            width=widths,
            customdata=told,
            name=reason,
            marker={"color": COLOURS[(place + 1) % len(COLOURS)], "line": {"width": 0}},
            hovertemplate=f"<b>{reason}</b> %{{y:.4~g}} %<br>%{{customdata}}<extra></extra>",
            row=1,
            col=1,
        )
    for title, value, colour in _DELAYS:
        figure.add_scatter(
            x=middles,
            y=[None if (found := value(one)) is None else found / 1000 for one in intervals],
            customdata=told,
            mode="lines+markers" if len(intervals) <= 60 else "lines",
            line={"color": COLOURS[colour], "width": 2 if title in ("median", "D99.9") else 1},
            marker={"size": 4},
            name=title,
            hovertemplate=f"<b>{title}</b> %{{y:,.1f}} µs<br>%{{customdata}}<extra></extra>",
            row=2,
            col=1,
        )
    worst = max(map(sum, zip(*losses.values(), strict=True)), default=0.0)
    figure.update_layout(barmode="stack", bargap=0)
    whole = [0, duration_s / length_s]
    figure.update_xaxes(axis("", range=whole), row=1, col=1)
    figure.update_xaxes(axis(f"time since the first frame was due, {unit}", range=whole), row=2, col=1)
    figure.update_yaxes(axis("loss, %", range=[0, 1.1 * worst if worst else 1]), row=1, col=1)
    figure.update_yaxes(axis("delay, µs", type="log", exponentformat="none"), row=2, col=1)
    if not worst:
        figure.add_annotation(text="no frame was lost", showarrow=False, x=0.5, y=0.5, xref="x domain", yref="y domain")
    return draw(figure, name, "Loss and delays of each interval; the table below has them.", 460)


def spans(count: int, interval_s: float, duration_s: float) -> list[tuple[float, float]]:
    """When each interval begins and ends, in s; the last one may be shorter."""
    return [(at * interval_s, min((at + 1) * interval_s, duration_s)) for at in range(count)]


def losses_by_reason(intervals: Sequence[Interval]) -> dict[str, list[float]]:
    """By reason the percentage of each interval's frames, as far as a reason occurs; what never came first.

    A wrong frame without a readable number is also one that never came, so the sum may be more than the loss.
    """
    reasons = dict.fromkeys(reason for one in intervals for reason in one.wrong if reason not in _COUNTED_BEFORE)
    found = {"lost": [_percent(one.lost, one) for one in intervals]}
    for reason in reasons:
        found[reason.replace("_", " ")] = [_percent(one.wrong.get(reason, 0), one) for one in intervals]
    return {reason: shares for reason, shares in found.items() if any(shares)}


def _percent(frames: int, of: Interval) -> float:
    return 100 * frames / of.sent if of.sent else 0.0


def _told(one: Interval, begin_s: float, end_s: float) -> str:
    """For the pointer: when, how many, and whether the Tester itself was held up."""
    said = f"{begin_s:,.0f} to {end_s:,.0f} s: {one.sent:,} frames, {percent(one.loss_percent)} % lost"
    if one.stalls or one.late_frames:
        said += f"<br>Tester: held up {plural(one.stalls, 'time')}, {plural(one.late_frames, 'frame')} left late"
    return said
