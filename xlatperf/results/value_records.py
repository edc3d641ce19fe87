"""The values of results.json that repetitions give, and what the Tester alone takes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from xlatperf.engine.message import TrafficClass
from xlatperf.engine.trial_answer import JoinedOver
from xlatperf.results.statistics import Summary
from xlatperf.results.trial_records import DelaySummary, DelayVariationRecord, DirectionName, Record, TaggedRecord


class RepetitionValue(Record):
    """The value of one repetition. None: there is none, `remark` says why."""

    repetition: int
    value: float | None
    remark: str | None


class ValueSeries(Record):
    """One quantity in one direction over all repetitions."""

    quantity: str = Field(description="such as `TL`, `WCL`, `PDV`, `recovery time`")
    unit: Literal["ns", "s", "frames", "frames/s", "connections", "connections/s"]
    meaning: str
    standard: str
    direction: DirectionName | None = Field(description="None: both directions together")
    traffic_class: TrafficClass | None = Field(
        default=None, description="of the frames of one class, where there is background; None: of all"
    )
    role: Literal["result", "beside"] = Field(description="the benchmark's result, or what stands beside it")
    headline: Literal["median", "mean"] = Field(description="how the standard summarises repetitions")
    values: tuple[RepetitionValue, ...]
    summary: Summary | None = Field(description="of the values that there are; None if there is none")
    mean: float | None
    standard_deviation: float | None = Field(description="with N - 1; None with less than two values")


class DerivedValue(Record):
    """A value that follows from the summary over all repetitions."""

    quantity: str
    unit: Literal["ns", "s", "frames", "frames/s", "connections", "connections/s"]
    meaning: str
    standard: str
    value: float | None


class HistogramFile(Record):
    """Histograms of the delays of one trial; `report/histogram.py` reads the file."""

    file: str = Field(description="in the campaign's folder")
    trial: int
    tester_alone: bool


class TesterAloneDelay(Record):
    """The Tester's own delays in one direction, in ns."""

    direction: DirectionName
    traffic_class: TrafficClass | None = Field(default=None, description="None: of all frames")
    tl_ns: float | None = Field(description="median of the tagged frames")
    wcl_ns: float | None = Field(description="99.9th percentile of the tagged frames")
    pdv_ns: float | None = Field(description="D99.9 - Dmin")
    tagged: TaggedRecord | None
    delay: DelaySummary
    delay_variation: DelayVariationRecord | None


class TesterAlone(Record):
    """The Tester measured without a DUT at the rate of a measurement."""

    over: JoinedOver = Field(default="memory", description="the ports in use, joined to each other, or ports in memory")
    rate_fps: float
    duration_s: float
    trial: int | None = Field(description="its number among `tester_trials`")
    delays: tuple[TesterAloneDelay, ...]
    failure: str | None = Field(description="why there are no delays")
