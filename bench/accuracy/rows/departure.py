"""Departure: how long after its due time a frame leaves. The frames go nowhere, so only sending is measured."""

from __future__ import annotations

from bench.accuracy.core_alone import latest_ns
from bench.accuracy.order import Calm, Order
from bench.accuracy.row import Bound, Row
from bench.accuracy.workbench import Workbench
from xlatperf.engine.delays import Delay
from xlatperf.results.statistics import median

GROUP = "7 departure"
RATES_FPS = (10_000, 100_000, 1_000_000)
TARGET_NS = 1_000.0
# A trial whose core was somebody else's for longer than half of what P99.9 leaves out is not on a core of its own.
CALM = Calm(late_us=10_000, late_share=0.01, core_share=0.0005)


def rows(bench: Workbench, core: int) -> list[Row]:
    """Each rate: medians over some trials. Before and after each, what an empty loop reaches on the same core."""
    return [row for rate in RATES_FPS for row in _at(bench, rate, core)]


def _at(bench: Workbench, rate_fps: int, core: int) -> list[Row]:
    extent, attempts = bench.extent, bench.attempts(short=True)
    seen: list[Delay] = []
    order = Order(rate_fps, extent.departure_s, calm=CALM, timeout_s=0.0)
    alone: list[float] = []
    while len(seen) < extent.departure_trials:
        reached = latest_ns(core, rate_fps, order.frames)
        if reached is not None:
            alone.append(reached)
        taken = attempts.accepted(order)
        if taken is None:
            break
        if taken.forward.departure is not None and taken.forward.departure.late is not None:
            seen.append(taken.forward.departure.late)
    remark = f"median of {len(alone)} times"
    floor = median(alone) if alone else None
    made = [
        Row(
            GROUP,
            f"{rate_fps:,} fps: an empty loop on this core, P99.9",
            "ns",
            None,
            floor,
            None,
            len(alone),
            {},
            remark,
        )
    ]
    for what, key in (("P50", "median_ns"), ("P99", "p99_ns"), ("P99.9", "p999_ns"), ("maximum", "max_ns")):
        values = [value for late in seen if (value := getattr(late, key)) is not None]
        targeted = what == "P99.9" and rate_fps == max(RATES_FPS)
        bound = Bound(0, TARGET_NS, f"target: under {TARGET_NS / 1e3:g} µs on a core of its own") if targeted else None
        made.append(
            Row(
                GROUP,
                f"{rate_fps:,} fps: actual - due, {what}",
                "ns",
                0.0,
                median(values) if values else None,
                bound,
                attempts.trials,
                attempts.refusals,
                _remark(len(values), floor if targeted else None),
            )
        )
    return made


def _remark(trials: int, floor_ns: float | None) -> str:
    if not trials:
        return ""
    limit = ""
    if floor_ns is not None and floor_ns > TARGET_NS:
        limit = f"; the core itself doesn't allow it: an empty loop reaches {floor_ns:,.0f} ns"
    return f"median of {trials} trials{limit}"
