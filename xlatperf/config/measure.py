"""`[[measure]]`: what is measured. One model per procedure, told apart by `procedure`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from xlatperf.config.measure_at_rate import AtRate, DelayMeasure, Ipdv, Latency, Pdv, Reset
from xlatperf.config.measure_base import AfterPhase1, MeasureBase, OfConnections, OneWay, TrafficMeasure, UpToMaximum
from xlatperf.config.measure_connections import Capacity, ConnectionMeasure, ConnectionRates, Establishment, Teardown
from xlatperf.config.measure_overload import BackToBack, Overload, SystemRecovery
from xlatperf.config.measure_rates import FrameLoss, LossTolerance, Throughput, TimedRates

__all__ = [
    "MEASURES",
    "AfterPhase1",
    "AtRate",
    "BackToBack",
    "Capacity",
    "ConnectionMeasure",
    "ConnectionRates",
    "DelayMeasure",
    "Establishment",
    "FrameLoss",
    "Ipdv",
    "Latency",
    "LossTolerance",
    "Measure",
    "MeasureBase",
    "OfConnections",
    "OneWay",
    "Overload",
    "Pdv",
    "Reset",
    "SystemRecovery",
    "Teardown",
    "Throughput",
    "TimedRates",
    "TrafficMeasure",
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
    Establishment,
    Teardown,
    Capacity,
)

Measure = Annotated[
    Throughput
    | FrameLoss
    | Latency
    | Pdv
    | Ipdv
    | BackToBack
    | SystemRecovery
    | Reset
    | Establishment
    | Teardown
    | Capacity,
    Field(discriminator="procedure"),
]
