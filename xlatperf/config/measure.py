"""`[[measure]]`: what is measured. One model per procedure, told apart by `procedure`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from xlatperf.config.measure_at_rate import AtRate, DelayMeasure, Ipdv, Latency, Pdv, Reset
from xlatperf.config.measure_base import MeasureBase, UpToMaximum
from xlatperf.config.measure_overload import BackToBack, Overload, SystemRecovery
from xlatperf.config.measure_rates import FrameLoss, LossTolerance, Throughput, TimedRates

__all__ = [
    "MEASURES",
    "AtRate",
    "BackToBack",
    "DelayMeasure",
    "FrameLoss",
    "Ipdv",
    "Latency",
    "LossTolerance",
    "Measure",
    "MeasureBase",
    "Overload",
    "Pdv",
    "Reset",
    "SystemRecovery",
    "Throughput",
    "TimedRates",
    "UpToMaximum",
]

MEASURES: tuple[type[MeasureBase], ...] = (
    Throughput,
    FrameLoss,
    Latency,
    Pdv,
    Ipdv,
    BackToBack,
    SystemRecovery,
    Reset,
)

Measure = Annotated[
    Throughput | FrameLoss | Latency | Pdv | Ipdv | BackToBack | SystemRecovery | Reset,
    Field(discriminator="procedure"),
]
