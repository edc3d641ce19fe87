"""What a campaign found of one kind: the values that are compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlatperf.procedures.lower_bounds import more_possible
from xlatperf.procedures.quantity import Bound, LimitedBy
from xlatperf.procedures.registry import BY_NAME
from xlatperf.report import words
from xlatperf.report.bounds import of_series, of_share
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.kind import Kind, kind_of
from xlatperf.report.series import bound_of, performance
from xlatperf.report.sweep import SweepPoint, highest_clean, sweep
from xlatperf.report.values import directions
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary, summarise
from xlatperf.results.value_records import ValueSeries

NO_QUANTITY = ""
"""Of a measurement that has no result: it can't say which quantities it would have had."""
_CLEAN = "highest rate of a sweep without loss"
_PER_DIRECTION = "frames/s per direction"


@dataclass(frozen=True)
class Found:
    """`value`: the median, or the mean where the standard wants it; `bound`: of it.

    `stateless`: it has no connections. `limits`: what kept each repetition from being higher, where the measurement
    doesn't say it. `remark`: why no repetition has a value.
    """

    measurement: Measurement
    summary: Summary | None
    mean: float | None = None
    bound: Bound = ""
    stateless: bool = False
    limits: tuple[LimitedBy, ...] = ()
    remark: str | None = None

    @property
    def value(self) -> float | None:
        """None: no result."""
        if self.summary is None:
            return None
        return self.summary.median if self.mean is None else self.mean

    @property
    def why_not(self) -> str:
        """Why there is no result."""
        item = self.measurement
        if item.no_result is not None:
            return item.no_result.in_words()
        if item.failures:
            return item.failures[0].why
        return self.remark or "no repetition has ended"

    @property
    def limited_by(self) -> str:
        """DUT, Tester, highest rate asked ...; a dash where it doesn't apply."""
        return words.limits(self.limits) if self.limits else words.limited_by(self.measurement)

    @property
    def of_share(self) -> Bound:
        """Of the share of the throughput that it was measured at."""
        return of_share(self.measurement)

    @property
    def load_fps(self) -> float | None:
        """The throughput that its load follows from, if that is a lower bound; None: it's none, or there is no load."""
        item = self.measurement
        bound = item.throughput_more_possible and item.procedure != "back_to_back"
        return item.throughput_fps if bound else None

    @property
    def frames_per_s(self) -> float | None:
        """All frames that the DUT got per second, both directions together; None if it isn't a rate."""
        if not BY_NAME[self.measurement.procedure].facts.finds or self.value is None:
            return None
        return self.value * len(directions(self.measurement))


def overlap(one: Found, other: Found) -> bool:
    """The ranges from minimum to maximum have values in common: no difference can be told."""
    if one.summary is None or other.summary is None:
        return False
    return one.summary.minimum <= other.summary.maximum and other.summary.minimum <= one.summary.maximum


def found_in(campaign: Campaign) -> Iterator[tuple[Kind, Found]]:
    """All kinds of a campaign, each once."""
    seen: dict[Kind, int] = {}
    for item in campaign.results.measurements:
        for kind, found in _of(campaign, item):
            number = seen[kind] = seen.get(kind, -1) + 1
            yield replace(kind, further=number), found


def _of(campaign: Campaign, item: Measurement) -> Iterator[tuple[Kind, Found]]:
    if item.procedure == "frame_loss":
        yield kind_of(campaign, item, _CLEAN, _PER_DIRECTION, item.direction), _without_loss(item)
        return
    results = [one for one in item.values if one.role == "result"]
    rates = {rate.name for rate in BY_NAME[item.procedure].facts.performance}
    for one in results:
        unit = _PER_DIRECTION if one.unit == "frames/s" else one.unit
        kind = kind_of(campaign, item, one.quantity, unit, one.direction or item.direction)
        kind = replace(kind, traffic_class=one.traffic_class)
        if one.quantity in rates:
            summary = performance(item)
            yield kind, Found(item, summary, bound="" if summary is None else bound_of(item, summary.median))
        else:
            yield kind, _statistic(item, one)
    if not results:
        yield kind_of(campaign, item, NO_QUANTITY, "", item.direction), Found(item, None)


def _statistic(item: Measurement, series: ValueSeries) -> Found:
    remark = next((one.remark for one in series.values if one.remark), None)
    if series.headline == "mean":
        return Found(item, series.summary, series.mean, of_series(item, series), remark=remark)
    median = None if series.summary is None else series.summary.median
    return Found(item, series.summary, bound=of_series(item, series, median), remark=remark)


def _without_loss(item: Measurement) -> Found:
    """Over the sweeps: the highest rate without loss below the lowest one with loss (RFC 2544 §26.3)."""
    points: dict[int, list[SweepPoint]] = {}
    for point in sweep(item):
        if point.valid or point.remark:
            points.setdefault(point.repetition, []).append(point)
    highest = [highest_clean(same) for same in points.values() if any(point.valid for point in same)]
    if not highest:
        return Found(item, None)
    summary = summarise([rate_fps for rate_fps, _ in highest])
    limits = more_possible(highest, summary.median)
    return Found(item, summary, bound=">=" if limits else "", limits=tuple(limit for _, limit in highest if limit))
