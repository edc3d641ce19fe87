"""What one measure hands over to the next.

The throughput of the same frames (RFC 8219 §7.2, RFC 9004 §5); for phase 1, the connection establishment rate (RFC 9693
§4.2).
"""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.config.bench import Bench
from xlatperf.procedures.conditions import Throughput
from xlatperf.procedures.lower_bounds import more_possible
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.results.statistics import median
from xlatperf.run.cell_result import CellResult
from xlatperf.run.runs import Cell, cells


def throughput_for(bench: Bench, cell: Cell, done: Mapping[str, CellResult]) -> Throughput | None:
    """The throughput that the bench file gives or the campaign found; None if the cell needs none.

    Found is the median of the repetitions (RFC 8219 §12), of a measure without loss tolerance if there is one.
    Raises MeasurementFailed if there is none.
    """
    measure = cell.measure
    if measure.given_throughput_fps is not None:
        return Throughput(measure.given_throughput_fps)
    if not measure.rates_wanted:
        return None
    same = [
        other
        for other in cells(bench)
        if other.measure.facts.finds == "throughput"
        and (other.mix, other.series, other.measure.direction, other.measure.flows_apart_s, other.frame_timeout_ms)
        == (cell.mix, cell.series, measure.direction, measure.flows_apart_s, None)
    ]
    for other in sorted(same, key=lambda other: other.measure.tolerant):
        searches = _searches(done.get(other.key))
        if searches and (found := median([_lower_fps(one) for one in searches])) > 0:
            return Throughput(found, more_possible([(_lower_fps(one), one.limited_by) for one in searches], found))
    raise MeasurementFailed("no throughput was found for these frames, so there is no rate to measure at")


def _searches(known: CellResult | None) -> list[Measured]:
    """Those for a rate."""
    return [one for one in known.measured.values() if one.search is not None] if known is not None else []


def _lower_fps(found: Measured) -> float:
    """The rate that passed; 0: none did."""
    return (found.search.lower_fps if found.search is not None else None) or 0.0


def establish_fps_for(bench: Bench, cell: Cell, done: Mapping[str, CellResult]) -> float | None:
    """Phase 1's rate, given or a share of what was found for these frames and connections; None: there is no phase 1.

    Found is the lowest of several establishment measures (with and without validation), as it must be safely below the
    establishment rate (RFC 9693 §4.2). Raises MeasurementFailed if there is none.
    """
    wanted = cell.measure.phase_1
    if wanted is None or cell.connections is None:
        return None
    if wanted.given_fps is not None:
        return wanted.given_fps
    found: list[float] = []
    for other in cells(bench):
        if other.measure.facts.finds != "establishment" or other.series != cell.series:
            continue
        searches = _searches(done.get(other.key))
        if searches:
            found.append(median([_lower_fps(one) for one in searches]))
    if not found or min(found) <= 0:
        raise MeasurementFailed(
            "no connection establishment rate was found for these frames and connections, so there is none for phase 1"
        )
    return float(max(1, int(min(found) * wanted.share)))
