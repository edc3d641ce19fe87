"""Known distribution of delays: TL and WCL (RFC 8219 §7.2) and PDV (§7.3.1) must fall where their definitions say.

99 % of the frames take D1, 0.95 % D2 and 0.05 % D3: the median is D1, the 99.9th percentile D2, only the maximum D3.
A device whose delays are periodic is seen by tags as by all frames, however many are tagged.
"""

from __future__ import annotations

from dataclasses import dataclass

from bench.accuracy.order import Order, mostly_undisturbed
from bench.accuracy.row import EXACTLY, Bound, Row
from bench.accuracy.rows.delay import added
from bench.accuracy.workbench import Floor, Workbench
from xlatperf.results.statistics import median, percentile

GROUP = "4 two modes"
RATE_FPS = 10_000.0
D1_US, D2_US, D3_US = 1_000.0, 20_000.0, 50_000.0
D2_EVERY, D3_EVERY = 100, 2_000
PERIOD = 4
"""Every fourth frame takes D2, and so many tags there are that at a fixed distance they'd be each fourth."""
IMPAIR = {
    "delay_us": D1_US,
    "delays": [{"delay_us": D2_US, "every": D2_EVERY}, {"delay_us": D3_US, "every": D3_EVERY}],
}


CALM = mostly_undisturbed(0.01)
"""And never for as long as the modes are apart: frames of the first would be taken for the second's."""


@dataclass(frozen=True)
class Expected:
    """By RFC 2330 §11.3 from the delays that the device was told, in us."""

    typical_us: float
    worst_us: float
    variation_us: float


def delay_at(position: int) -> float:
    """Of the frame that arrives at this position, counted from 1: of several rules the last one counts."""
    if position % D3_EVERY == 0:
        return D3_US
    return D2_US if position % D2_EVERY == 0 else D1_US


def expected(first: int, last: int) -> Expected:
    """For the frames at positions `first` to `last`."""
    delays = [delay_at(position) for position in range(first, last + 1)]
    worst = percentile(delays, 99.9)
    return Expected(median(delays), worst, worst - min(delays))


def rows(bench: Workbench, floor: Floor) -> list[Row]:
    """TL and WCL from tagged frames: all that are due in the second half. PDV from all frames."""
    attempts, duration_s = bench.attempts(), bench.extent.bimodal_s
    order = Order(RATE_FPS, duration_s, IMPAIR, tag_from_s=duration_s / 2, calm=CALM)
    taken = attempts.accepted(order, lambda taken: taken.held_up(D2_US - D1_US))
    half, whole = expected(order.frames // 2 + 1, order.frames), expected(1, order.frames)
    tagged = None if taken is None else taken.frames.tagged
    delay = None if taken is None else taken.frames.delay

    def us(value_ns: float | None) -> float | None:
        return None if value_ns is None else value_ns / 1e3

    def row(what: str, known: float, measured: float | None, bound: Bound | None, unit: str = "µs") -> Row:
        return Row(GROUP, what, unit, known, measured, bound, attempts.trials, attempts.refusals)

    variation = None
    if delay is not None and delay.p999_ns is not None and delay.min_ns is not None:
        variation = (delay.p999_ns - delay.min_ns) / 1e3
    around = added(floor, D2_US)
    both_ways = None
    if around is not None:
        # The smallest delay has its own share of what is added, and the percentile is a bucket's.
        bucket = D2_US / 1e3
        both_ways = Bound(-around.high - bucket, around.high + bucket, f"{around.why}; the histogram's 0.1 %")
    return [
        row("tagged frames", order.frames // 2, None if tagged is None else tagged.received, EXACTLY, "frames"),
        row(
            "TL: median of the tagged",
            half.typical_us,
            us(None if tagged is None else tagged.median_ns),
            added(floor, D1_US),
        ),
        row(
            "WCL: 99.9th percentile of the tagged",
            half.worst_us,
            us(None if tagged is None else tagged.p999_ns),
            around,
        ),
        row("PDV: D99.9 - Dmin of all", whole.variation_us, variation, both_ways),
        row("largest delay", D3_US, us(None if delay is None else delay.max_ns), None),
        _periodic(bench, floor),
    ]


def _periodic(bench: Workbench, floor: Floor) -> Row:
    attempts, duration_s = bench.attempts(), bench.extent.bimodal_s / 2
    impair = {"delay_us": D1_US, "delays": [{"delay_us": D2_US, "every": PERIOD}]}
    tags = round(RATE_FPS * duration_s) // PERIOD
    order = Order(RATE_FPS, duration_s, impair, tag_from_s=0.0, tags=tags, calm=CALM)
    taken = attempts.accepted(order, lambda taken: taken.held_up(D2_US - D1_US))
    tagged = None if taken is None else taken.frames.tagged
    median_ns = None if tagged is None else tagged.median_ns
    return Row(
        GROUP,
        f"every {PERIOD}th takes D2, a tag for every {PERIOD}th: TL",
        "µs",
        D1_US,
        None if median_ns is None else median_ns / 1e3,
        added(floor, D1_US),
        attempts.trials,
        attempts.refusals,
    )
