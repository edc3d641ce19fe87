"""What one measure hands over to the next.

The throughput of the same frames (RFC 8219 §7.2, RFC 9004 §5); for phase 1, the connection establishment rate (RFC 9693
§4.2).
"""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.config.bench import Bench
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.results.statistics import median
from xlatperf.run.cell_result import CellResult
from xlatperf.run.runs import Cell, cells


def throughput_for(bench: Bench, cell: Cell, done: Mapping[str, CellResult]) -> float | None:
    """The throughput that the bench file gives or the campaign found; None if the cell needs none.

    Found is the median of the repetitions (RFC 8219 §12), of a measure without loss tolerance if there is one.
    Raises MeasurementFailed if there is none.
    """
    measure = cell.measure
    if measure.given_throughput_fps is not None:
        return measure.given_throughput_fps
    if not measure.rates_wanted:
        return None
    same = [
        other
        for other in cells(bench)
        if other.measure.finds == "throughput"
        and (other.mix, other.frame_size, other.measure.direction, other.frame_timeout_ms)
        == (cell.mix, cell.frame_size, measure.direction, None)
        and other.point == cell.point
    ]
    for other in sorted(same, key=lambda other: other.measure.tolerant):
        rates = _lower_bounds(done.get(other.key))
        if rates and median(rates) > 0:
            return median(rates)
    raise MeasurementFailed("no throughput was found for these frames, so there is no rate to measure at")


def _lower_bounds(known: CellResult | None) -> list[float]:
    """The rates that passed, one for each search."""
    found = known.measured.values() if known is not None else ()
    return [one.search.lower_fps or 0.0 for one in found if one.search is not None]


def establish_fps_for(bench: Bench, cell: Cell, done: Mapping[str, CellResult]) -> float | None:
    """Phase 1's rate, given or a share of what was found for these frames and connections; None: there is no phase 1.

    Found is the lowest of several establishment measures (with and without validation), as it must be safely below the
    establishment rate (RFC 9693 §4.2). Raises MeasurementFailed if there is none.
    """
    measure = cell.measure
    if not measure.after_phase_1 or cell.connections is None:
        return None
    if measure.given_establish_fps is not None:
        return measure.given_establish_fps
    found: list[float] = []
    for other in cells(bench):
        if other.measure.finds != "establishment" or (other.frame_size, other.point) != (cell.frame_size, cell.point):
            continue
        rates = _lower_bounds(done.get(other.key))
        if rates:
            found.append(median(rates))
    if not found or min(found) <= 0:
        raise MeasurementFailed(
            "no connection establishment rate was found for these frames and connections, so there is none for phase 1"
        )
    return float(max(1, int(min(found) * measure.phase_1_share)))
