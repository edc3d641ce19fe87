"""The values of results.json that repetitions give, and what the Tester alone takes."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

from pydantic import Field

from xlatperf.engine.delays import Delay, DelayVariation, Tagged
from xlatperf.engine.message import DirectionName, Message, TrafficClass
from xlatperf.engine.trial_answer import JoinedOver
from xlatperf.procedures.quantity import Headline, Quantity, Role, Unit
from xlatperf.results.statistics import Summary, summarise


class RepetitionValue(Message):
    """The value of one repetition. None: there is none, `remark` says why."""

    repetition: int
    value: float | None
    remark: str | None
    trial: int | None = Field(default=None, description="that gave it, where a repetition has values at several rates")


class ValueSeries(Message):
    """One quantity in one direction over all repetitions."""

    quantity: str = Field(description="such as `throughput`, `TL`, `PDV`, `error of the binary search`")
    unit: Unit
    meaning: str
    standard: str
    direction: DirectionName | None = Field(description="None: both directions together")
    traffic_class: TrafficClass | None = Field(
        default=None, description="of the frames of one class, where there is background; None: of all"
    )
    rate_fps: float | None = Field(
        default=None, description="asked for, where a measurement has values at several rates"
    )
    role: Role = Field(description="the benchmark's result, or what stands beside it")
    headline: Headline = Field(description="how the standard summarises repetitions")
    values: tuple[RepetitionValue, ...]
    summary: Summary | None = Field(description="of the values that there are; None if there is none")
    mean: float | None
    standard_deviation: float | None = Field(description="with N - 1; None with less than two values")


def value_series(
    quantity: Quantity,
    values: Sequence[RepetitionValue],
    *,
    direction: DirectionName | None = None,
    traffic_class: TrafficClass | None = None,
    rate_fps: float | None = None,
) -> ValueSeries:
    """What the repetitions found, and what they say together."""
    known = [one.value for one in values if one.value is not None]
    return ValueSeries(
        quantity=quantity.name,
        unit=quantity.unit,
        meaning=quantity.meaning,
        standard=quantity.standard,
        direction=direction,
        traffic_class=traffic_class,
        rate_fps=rate_fps,
        role=quantity.role,
        headline=quantity.headline,
        values=tuple(values),
        summary=summarise(known) if known else None,
        mean=fmean(known) if known else None,
        standard_deviation=stdev(known) if len(known) > 1 else None,
    )


class HistogramFile(Message):
    """Histograms of the delays of one trial; `report/histogram.py` reads the file."""

    file: str = Field(description="in the campaign's folder")
    trial: int
    tester_alone: bool


class TesterAloneDelay(Message):
    """The Tester's own delays in one direction, in ns."""

    direction: DirectionName
    traffic_class: TrafficClass | None = Field(default=None, description="None: of all frames")
    tl_ns: float | None = Field(description="median of the tagged frames")
    wcl_ns: float | None = Field(description="99.9th percentile of the tagged frames")
    pdv_ns: float | None = Field(description="D99.9 - Dmin")
    tagged: Tagged | None
    delay: Delay
    delay_variation: DelayVariation | None


class TesterAlone(Message):
    """The Tester measured without a DUT at the rate of a measurement."""

    over: JoinedOver = Field(default="memory", description="the ports in use, joined to each other, or ports in memory")
    rate_fps: float
    duration_s: float
    trial: int | None = Field(description="its number among `tester_trials`")
    delays: tuple[TesterAloneDelay, ...]
    failure: str | None = Field(description="why there are no delays")
