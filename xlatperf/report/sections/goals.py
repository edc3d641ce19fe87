"""Throughput for several loss ratios from one search (RFC 9971), beside that without loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from xlatperf.keys.in_words import plural
from xlatperf.procedures.lower_bounds import more_possible
from xlatperf.procedures.quantity import GoalResult
from xlatperf.report.bounds import SIGNS, bound_by
from xlatperf.report.identity import identity
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, element, folded, paragraph
from xlatperf.report.numerals import NONE, percent, rate, seconds
from xlatperf.report.selection import Selection
from xlatperf.report.table import Column, table
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import median
from xlatperf.search.mlrsearch import BoundFound


class _Goal(NamedTuple):
    """What searches found for one goal; `which`: their numbers."""

    line: Line
    which: str
    found: Sequence[GoalResult]

    def median(self, of: Callable[[GoalResult], float | None]) -> float | None:
        """None: not each search has one."""
        known = [value for one in self.found if (value := of(one)) is not None]
        return median(known) if len(known) == len(self.found) else None


_Number = Callable[[GoalResult], float | None]


def _lower(of: Callable[[BoundFound], float]) -> _Number:
    return lambda one: None if one.lower is None else of(one.lower)


def _upper(of: Callable[[BoundFound], float]) -> _Number:
    return lambda one: None if one.upper is None else of(one.upper)


def _shown(of: _Number, how: Callable[[float], Content]) -> Callable[[_Goal], Content]:
    def cell(goal: _Goal) -> Content:
        value = goal.median(of)
        return NONE if value is None else how(value)

    return cell


def _conditional(goal: _Goal) -> Content:
    value = goal.median(lambda one: one.conditional_fps)
    if value is None:
        return NONE
    known = [(one.conditional_fps or 0.0, one.limited_by) for one in goal.found]
    return [SIGNS[bound_by(more_possible(known, value))], rate(value)]


_BOUNDS, _BELOW, _ABOVE = "Relevant bounds", "Full trials at the lower one", "At the upper one"
_COLUMNS: Sequence[Column[_Goal]] = (
    Column("Lost at most", lambda goal: percent(100 * goal.found[0].goal.loss_ratio), "%"),
    Column("Search", lambda goal: goal.which),
    Column("Conditional throughput", _conditional, "frames/s"),
    Column("lower", _shown(_lower(lambda one: one.rate_fps), rate), "frames/s", _BOUNDS),
    Column("upper", _shown(_upper(lambda one: one.rate_fps), rate), "frames/s", _BOUNDS),
    Column("good", _shown(_lower(lambda one: one.good_s), seconds), "s", _BELOW),
    Column("bad", _shown(_lower(lambda one: one.bad_s), seconds), "s", _BELOW),
    Column("bad", _shown(_upper(lambda one: one.bad_s + one.short_bad_s), seconds), "s", _ABOVE),
)


def goals(of: Selection) -> Content:
    """None without such a search."""
    searched = [item for item in of.measurements if any(one.goals for one in item.repetitions)]
    if not searched:
        return None
    columns = [
        *[column.through(lambda goal: goal.line) for column in identity(searched, of.evidence.families, rates=False)],
        *_COLUMNS,
    ]
    each = list(_each(searched))
    return [
        element("h3", "Several loss ratios from one search"),
        paragraph(
            "RFC 9971 (MLRsearch). A rate is a lower bound of a goal if full trials there lose at most so much, save "
            "in the share of the time that may exceed it; the conditional throughput is what comes through at the "
            "highest one below the lowest upper bound. Only that without loss is RFC 2544's throughput. Medians of N "
            "searches.",
            class_="muted",
        ),
        table(columns, list(_together(searched))),
        folded(f"Every search ({plural(len(each), 'line')})", table(columns, each), class_="more"),
    ]


def _together(measurements: Iterable[Measurement]) -> Iterable[_Goal]:
    for item in measurements:
        having = [one.goals for one in item.repetitions if one.goals]
        for same in zip(*having, strict=True):
            yield _Goal(Line(item), f"N = {len(same)}", same)


def _each(measurements: Iterable[Measurement]) -> Iterable[_Goal]:
    for item in measurements:
        for repetition in item.repetitions:
            for one in repetition.goals:
                yield _Goal(Line(item), str(repetition.number), (one,))
