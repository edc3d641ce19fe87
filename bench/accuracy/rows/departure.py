"""Departure: how long after its due time a frame is handed to the driver.

The frames go nowhere, so only sending is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.accuracy.core_alone import Late, late
from bench.accuracy.order import Calm, Order
from bench.accuracy.row import Bound, Row
from bench.accuracy.workbench import Workbench
from xlatperf.engine.delays import Delay
from xlatperf.results.statistics import median

GROUP = "7 departure"
RATES_FPS = (10_000, 100_000, 1_000_000)
TARGETS_NS = {"P99": 30.0, "P99.9": 1_000.0}
"""At the highest rate, on a core of its own."""
# A trial whose core was somebody else's for longer than half of what P99.9 leaves out is not on a core of its own.
CALM = Calm(late_us=10_000, late_share=0.01, core_share=0.0005)


@dataclass(frozen=True)
class Percentile:
    """Its name, and the fields that have it: of the loop, None if it isn't asked for it, and of the Tester."""

    name: str
    of_loop: str | None
    of_tester: str


PERCENTILES = (
    Percentile("P50", "p50_ns", "median_ns"),
    Percentile("P99", "p99_ns", "p99_ns"),
    Percentile("P99.9", "p999_ns", "p999_ns"),
    Percentile("maximum", None, "max_ns"),
)


def rows(bench: Workbench, core: int) -> list[Row]:
    """Each rate: medians over some trials. Before each, what an empty loop reaches on the same core."""
    return [row for rate in RATES_FPS for row in _at(bench, rate, core)]


def _at(bench: Workbench, rate_fps: int, core: int) -> list[Row]:
    extent, attempts = bench.extent, bench.attempts(short=True)
    seen: list[Delay] = []
    order = Order(rate_fps, extent.departure_s, calm=CALM, timeout_s=0.0)
    alone: list[Late] = []
    while len(seen) < extent.departure_trials:
        reached = late(core, rate_fps, order.frames)
        if reached is not None:
            alone.append(reached)
        taken = attempts.accepted(order)
        if taken is None:
            break
        if taken.forward.departure is not None and taken.forward.departure.late is not None:
            seen.append(taken.forward.departure.late)
    made: list[Row] = []
    for one in PERCENTILES:
        floor = None if one.of_loop is None else _median([getattr(reached, one.of_loop) for reached in alone])
        if one.of_loop is not None:
            what = f"{rate_fps:,} fps: an empty loop on this core, {one.name}"
            made.append(Row(GROUP, what, "ns", None, floor, None, len(alone), {}, f"median of {len(alone)} times"))
        target_ns = TARGETS_NS.get(one.name) if rate_fps == max(RATES_FPS) else None
        made.append(
            Row(
                GROUP,
                f"{rate_fps:,} fps: hand-over - due, {one.name}",
                "ns",
                0.0,
                _median([getattr(delay, one.of_tester) for delay in seen]),
                None if target_ns is None else Bound(0, target_ns, _target(target_ns)),
                attempts.trials,
                attempts.refusals,
                _remark(len(seen), floor, target_ns),
            )
        )
    return made


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _target(ns: float) -> str:
    return f"target: under {ns:g} ns on a core of its own"


def _remark(trials: int, floor_ns: float | None, target_ns: float | None) -> str:
    if not trials:
        return ""
    limit = ""
    if floor_ns is not None and target_ns is not None and floor_ns > target_ns:
        limit = f"; the core itself doesn't allow it: an empty loop reaches {floor_ns:,.0f} ns"
    return f"median of {trials} trials{limit}"
