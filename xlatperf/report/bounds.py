"""What is printed as a bound: of a repetition whose rate something else than the DUT kept from being higher.

A statistic over repetitions is a lower bound if it depends on one of these: if one of them is not above it (of a median
of two, not above the upper one), as its true value may be anywhere above. A ratio of bounds is a bound, or isn't known.
What a DUT did for so short that its buffers may have done it bounds nothing, and is printed as that.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xlatperf.procedures.lower_bounds import Limited, more_possible
from xlatperf.procedures.quantity import Bound, LimitedBy
from xlatperf.results.results import Measurement, Repetition
from xlatperf.results.value_records import ValueSeries

SIGNS: dict[Bound, str] = {"": "", ">=": "≥\N{NO-BREAK SPACE}", "<=": "≤\N{NO-BREAK SPACE}", "~": "~\N{NO-BREAK SPACE}"}
IN_WORDS: dict[Bound, str] = {"": "", ">=": "at least ", "<=": "at most ", "~": "for less than 1 s "}
_OPPOSITE: dict[Bound, Bound] = {"": "", ">=": "<=", "<=": ">=", "~": "~"}


def of_series(item: Measurement, series: ValueSeries, value: float | None = None) -> Bound:
    """Of a statistic of the series. `value` None: of one that depends on all, as the mean."""
    return bound_by(limits_of(item, series, value))


def limits_of_repetition(repetition: Repetition, series: ValueSeries) -> list[LimitedBy]:
    """The same of its value."""
    return _limits([(0.0, repetition.limited_by)]) if series.role == "result" else []


def limits_of(item: Measurement, series: ValueSeries, value: float | None = None) -> list[LimitedBy]:
    """What makes a statistic of the series a bound; none: it isn't one. `value` None: one that depends on all."""
    if series.role != "result":
        return []
    known = {one.number: one.limited_by for one in item.repetitions}
    return _limits([(one.value, known.get(one.repetition)) for one in series.values if one.value is not None], value)


def _limits(found: Sequence[Limited], value: float | None = None) -> list[LimitedBy]:
    short: list[LimitedBy] = ["buffers"] if any(limit == "buffers" for _, limit in found) else []
    return sorted([*short, *more_possible(found, value)])


def of_share(item: Measurement) -> Bound:
    """Of the share of the throughput that a measurement is at: no more than that, if the throughput may be higher."""
    return "<=" if item.share is not None and item.throughput_more_possible else ""


def bound_by(limits: Collection[LimitedBy]) -> Bound:
    """Of what `limits_of` found."""
    return "~" if "buffers" in limits else ">=" if limits else ""


def of_ratio(above: Bound, below: Bound) -> Bound | None:
    """Of a quotient of positive numbers; None: nothing is known of it."""
    if "~" in (above, below):
        return None
    if above and below:
        return None if above == below else above
    return above or _OPPOSITE[below]


def of_difference_from_one(ratio: Bound) -> Bound:
    """Of 1 - ratio, or of a multiple of it."""
    return _OPPOSITE[ratio]
