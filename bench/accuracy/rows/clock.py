"""Clock and rate: the frequency against a second calibration, and the time of sending against what was asked."""

from __future__ import annotations

from bench.accuracy.order import Calm, Order
from bench.accuracy.row import Row, within
from bench.accuracy.second_clock import UNCERTAINTY_PPM, measure_hz
from bench.accuracy.workbench import Workbench
from xlatperf.engine.message import Clock
from xlatperf.results.statistics import median

GROUP = "8 clock and rate"
RATE_FPS = 100_000.0
LATE_US = 10.0


def rows(bench: Workbench, device_core: int) -> list[Row]:
    """Frequency first: the long trial makes the engine's more certain."""
    attempts, extent = bench.attempts(), bench.extent
    calm = Calm(late_us=10_000, late_share=0.01)
    taken = attempts.accepted(Order(RATE_FPS, extent.rate_s, calm=calm, timeout_s=0.0))
    last = bench.place.take(Order(1_000.0, 0.01, timeout_s=0.0)).answer.clock  # also if the long trial was refused
    sending_ppm = None if taken is None else (taken.forward.sending_s / extent.rate_s - 1) * 1e6
    bound = within(LATE_US / extent.rate_s, f"the last frame left up to {LATE_US:g} µs late, of {extent.rate_s:g} s")
    what = f"time of sending at {RATE_FPS:,.0f} fps for {extent.rate_s:g} s"
    rate = Row(GROUP, what, "ppm", 0.0, sending_ppm, bound, attempts.trials, attempts.refusals)
    return [*_frequency(bench.place.opened.clock, last, device_core), rate]


def _frequency(opened: Clock | None, last: Clock | None, device_core: int) -> list[Row]:
    """All calibrations are against CLOCK_MONOTONIC_RAW. `last` is over the longest time."""
    if opened is None or last is None:
        return [Row(GROUP, "frequency of the time stamp counter", "Hz", None, None, None, 0)]
    certain_ppm = last.uncertainty_ppm or 0.0
    others = [hz for _ in range(3) if (hz := measure_hz(device_core)) is not None]
    second = median(others) if others else None
    first_ppm = opened.uncertainty_ppm or 0.0
    return [
        Row(
            GROUP,
            "frequency, known: the reference device's own calibration",
            "Hz",
            second,
            last.hz,
            within(last.hz * (certain_ppm + UNCERTAINTY_PPM) / 1e6, f"{UNCERTAINTY_PPM:g} ppm and {certain_ppm:g} ppm"),
            len(others),
        ),
        Row(
            GROUP,
            "frequency at the engine's start, known: after the trials",
            "Hz",
            last.hz,
            opened.hz,
            within(
                last.hz * (certain_ppm + first_ppm) / 1e6, f"the uncertainties: {first_ppm:g} and {certain_ppm:g} ppm"
            ),
            1,
        ),
        Row(GROUP, "stated uncertainty of the frequency", "ppm", None, certain_ppm, None, 1),
    ]
