"""One number of a series of values, as summary.csv, the report's tables and its sentences all have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from xlatperf.procedures.quantity import Bound, LimitedBy
from xlatperf.report.bounds import IN_WORDS, SIGNS, bound_by, limits_of, limits_of_repetition
from xlatperf.report.markup import Content
from xlatperf.report.numerals import NONE, count, percent, rate
from xlatperf.report.scale import NANOSECONDS, Scale, best
from xlatperf.results.results import Measurement, Repetition
from xlatperf.results.statistics import Summary
from xlatperf.results.value_records import ValueSeries

Statistic = Literal["n", "median", "p1", "p99", "minimum", "maximum", "dispersion", "mean", "standard_deviation"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
RATIO = "1"
"""The unit of numbers without one."""
_OF_SUMMARY: Mapping[Statistic, Callable[[Summary], float | None]] = {
    "n": lambda one: one.n,
    "median": lambda one: one.median,
    "p1": lambda one: one.p1,
    "p99": lambda one: one.p99,
    "minimum": lambda one: one.minimum,
    "maximum": lambda one: one.maximum,
    "dispersion": lambda one: one.dispersion,
}


@dataclass(frozen=True)
class Figure:
    """`limits`: what makes it a bound; none: it is what it says."""

    value: float | None
    unit: str
    limits: tuple[LimitedBy, ...] = ()

    @property
    def bound(self) -> Bound:
        """With which sign it's printed."""
        return bound_by(self.limits)


def figure(item: Measurement, series: ValueSeries, statistic: Statistic) -> Figure:
    """A statistic over all repetitions; one that is a bound is limited by what made it one."""
    if statistic in ("mean", "standard_deviation"):
        value = series.mean if statistic == "mean" else series.standard_deviation
    else:
        value = None if series.summary is None else _OF_SUMMARY[statistic](series.summary)
    if statistic in ("n", "dispersion"):
        return Figure(value, RATIO)
    if statistic == "standard_deviation" or value is None:
        return Figure(value, series.unit)
    return Figure(value, series.unit, tuple(limits_of(item, series, None if statistic == "mean" else value)))


def of_repetition(repetition: Repetition, series: ValueSeries, value: float | None) -> Figure:
    """The value of one repetition."""
    limits = () if value is None else limits_of_repetition(repetition, series)
    return Figure(value, series.unit, tuple(limits))


def shown(found: Figure | None, scale: Scale | None = None) -> Content:
    """In the unit of headings, with its sign if it's a bound. Times need a scale."""
    if found is None or found.value is None:
        return NONE
    if scale is not None and found.unit in NANOSECONDS:
        text = scale.shown(found.value, found.unit)
    elif found.unit == "%":
        text = percent(found.value)
    elif found.unit.endswith("/s"):
        text = rate(found.value, found.unit.replace("/s", " per second"))
    else:
        text = count(found.value, found.unit)
    return [SIGNS[found.bound], text] if found.bound else text


def in_words(found: Figure) -> str:
    """In a sentence, or as a large number: with its unit, and `at least` if it's a bound."""
    value = found.value
    if value is None:
        return NONE
    if found.unit in NANOSECONDS:
        said = best(value, found.unit)
    elif found.unit == "%":
        said = f"{percent(value)} %"
    else:
        places = 0 if value == int(value) or abs(value) >= 1000 else 3 if found.unit.endswith("/s") else 1
        said = f"{value:,.{places}f} {found.unit}"
    return f"{IN_WORDS[found.bound]}{said}"
