"""A frame loss sweep (RFC 2544 §26.3): its rates, from the values of a measurement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.frame_loss import LOSS, OFFERED, TOGETHER
from xlatperf.procedures.lower_bounds import Limited
from xlatperf.procedures.quantity import Quantity
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary, summarise


@dataclass(frozen=True)
class SweepPoint:
    """One rate of one sweep. Without a loss the Tester could not offer or receive it; `remark` then says why.

    `rate_fps`: asked for, per direction. `offered_fps`: really sent; None if it was not tried. `together_percent`: of
    both directions, where there are two. `percent_of_maximum`: of the media's theoretical maximum, or of the highest
    rate if that is unknown.
    """

    repetition: int
    rate_fps: float
    offered_fps: float | None
    percent_of_maximum: float
    loss_percent: Mapping[DirectionName, float]
    together_percent: float | None
    trial: int | None
    remark: str | None

    @property
    def valid(self) -> bool:
        """Whether a loss is stated."""
        return bool(self.loss_percent)

    @property
    def lossy(self) -> bool:
        """In any direction."""
        return any(self.loss_percent.values())


def sweep(item: Measurement) -> list[SweepPoint]:
    """All sweeps, one after the other, each from its highest rate down."""
    maximum = item.theoretical_maximum_fps or item.maximum_fps
    offered, together = (_by_rate(item, quantity) for quantity in (OFFERED, TOGETHER))
    losses: dict[tuple[int, float], dict[DirectionName, float]] = {}
    known: dict[tuple[int, float], tuple[int | None, str | None]] = {}
    for series in item.values:
        if series.quantity != LOSS.name or series.rate_fps is None or series.direction is None:
            continue
        for one in series.values:
            place = (one.repetition, series.rate_fps)
            known[place] = one.trial, one.remark
            if one.value is not None:
                losses.setdefault(place, {})[series.direction] = one.value
    return [
        SweepPoint(
            repetition,
            rate_fps,
            really := offered.get((repetition, rate_fps)),
            100 * (really or rate_fps) / maximum,
            losses.get((repetition, rate_fps), {}),
            together.get((repetition, rate_fps)),
            *known[repetition, rate_fps],
        )
        for repetition, rate_fps in sorted(known, key=lambda place: (place[0], -place[1]))
    ]


def _by_rate(item: Measurement, quantity: Quantity) -> dict[tuple[int, float | None], float | None]:
    """By repetition and rate."""
    return {
        (one.repetition, series.rate_fps): one.value
        for series in item.values
        if series.quantity == quantity.name
        for one in series.values
    }


@dataclass(frozen=True)
class SweptRate:
    """One rate of all sweeps that measured it (RFC 8219 §12): their `points`, at least one.

    `of`: loss in percent of each direction, and of both together.
    """

    points: tuple[SweepPoint, ...]
    of: Mapping[DirectionName | None, Summary]

    @property
    def rate_fps(self) -> float:
        """Asked for, per direction."""
        return self.points[0].rate_fps


def over_sweeps(item: Measurement) -> list[SweptRate]:
    """From the highest rate down. A sweep ends after two trials without loss, so lower rates may have fewer."""
    rates: dict[float, list[SweepPoint]] = {}
    for point in sweep(item):
        if point.valid:
            rates.setdefault(point.rate_fps, []).append(point)
    return [_swept(rates[rate_fps]) for rate_fps in sorted(rates, reverse=True)]


def _swept(points: Sequence[SweepPoint]) -> SweptRate:
    of: dict[DirectionName | None, Summary] = {
        name: summarise([point.loss_percent[name] for point in points]) for name in points[0].loss_percent
    }
    both = [point.together_percent for point in points if point.together_percent is not None]
    if both:
        of[None] = summarise(both)
    return SweptRate(tuple(points), of)


def highest_clean(points: Sequence[SweepPoint]) -> Limited:
    """The highest rate without loss in a sweep, and what kept it from being higher: 0 and the DUT if there is none."""
    rate_fps = max(clean(points), default=0.0)
    if any(point.lossy for point in points):
        return rate_fps, "dut"
    return rate_fps, "tester" if any(point.rate_fps > rate_fps for point in points) else "maximum"


def clean(points: Sequence[SweepPoint]) -> list[float]:
    """The rates without loss below the lowest one with loss, from the lowest up."""
    losing = min((point.rate_fps for point in points if point.lossy), default=float("inf"))
    return sorted(point.rate_fps for point in points if point.valid and point.rate_fps < losing)
