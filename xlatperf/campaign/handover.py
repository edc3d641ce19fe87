"""What one measure hands over to the next.

The throughput of the same frames (RFC 8219 §7.2, RFC 9004 §5); for phase 1, the connection establishment rate (RFC 9693
§4.2).
"""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.campaign.assemble import CellResult
from xlatperf.campaign.runs import Cell, cells
from xlatperf.config.bench import Bench
from xlatperf.config.measure import AfterPhase1, AtRate, Establishment, Overload, Throughput
from xlatperf.procedures.establishment import EstablishmentResult
from xlatperf.procedures.throughput import ThroughputResult
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.report.statistics import median


def throughput_for(bench: Bench, cell: Cell, done: Mapping[str, CellResult]) -> float | None:
    """The throughput that the bench file gives or the campaign found; None if the cell needs none.

    Found is the median of the repetitions (RFC 8219 §12), of a measure without loss tolerance if there is one.
    Raises MeasurementFailed if there is none.
    """
    measure = cell.measure
    if isinstance(measure, Overload) and measure.throughput_fps is not None:
        return measure.throughput_fps
    if not measure.rates_wanted:
        return None
    same = [
        other
        for other in cells(bench)
        if isinstance(other.measure, Throughput)
        and (other.mix, other.frame_size, other.measure.direction, other.frame_timeout_ms)
        == (cell.mix, cell.frame_size, measure.direction, None)
        and other.point == cell.point
    ]
    for other in sorted(same, key=_tolerant):
        known = done[other.key].repetitions.values() if other.key in done else ()
        rates = [result.lower_fps or 0.0 for result in known if isinstance(result, ThroughputResult)]
        if rates and median(rates) > 0:
            return median(rates)
    raise MeasurementFailed("no throughput was found for these frames, so there is no rate to measure at")


def _tolerant(cell: Cell) -> bool:
    tolerance = cell.measure.loss_tolerance if isinstance(cell.measure, Throughput) else None
    return tolerance is not None and bool(tolerance.forward or tolerance.reverse)


def establish_fps_for(bench: Bench, cell: Cell, done: Mapping[str, CellResult]) -> float | None:
    """Phase 1's rate, given or a share of what was found for these frames and connections; None: there is no phase 1.

    Found is the lowest of several establishment measures (with and without validation), as it must be safely below the
    establishment rate (RFC 9693 §4.2). Raises MeasurementFailed if there is none.
    """
    measure = cell.measure
    if not isinstance(measure, AfterPhase1) or cell.connections is None:
        return None
    if measure.establish_fps is not None:
        return measure.establish_fps
    found: list[float] = []
    for other in cells(bench):
        if not isinstance(other.measure, Establishment) or other.key not in done:
            continue
        if (other.frame_size, other.point) != (cell.frame_size, cell.point):
            continue
        known = done[other.key].repetitions.values()
        rates = [one.lower_fps or 0.0 for one in known if isinstance(one, EstablishmentResult)]
        if rates:
            found.append(median(rates))
    if not found or min(found) <= 0:
        raise MeasurementFailed(
            "no connection establishment rate was found for these frames and connections, so there is none for phase 1"
        )
    return float(max(1, int(min(found) * measure.establish_share)))


def rate_for(cell: Cell, throughput_fps: float | None) -> float | None:
    """The rate of a measure at a rate, in whole frames per second; None for other measures."""
    measure = cell.measure
    if not isinstance(measure, AtRate):
        return None
    if throughput_fps is None:
        return measure.rate_fps
    return float(max(1, int(throughput_fps * (cell.share if cell.share is not None else 1.0))))
